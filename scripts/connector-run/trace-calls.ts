/** Shows the calls of a connector: what is sent to the target system, and what it answers, without secrets. */
import type { Transport } from "../../runtime/client/index.js";
import { maskedUrl } from "../../runtime/client/middleware.js";
import { createRedaction } from "../../runtime/log/redaction.js";
import type { RecordType } from "../../runtime/records/record-type.js";
import { HIDDEN } from "../../runtime/validation/finding.js";

/** Characters of a body that are shown. */
const SHOWN_BODY_LENGTH = 2_000;

/** What a trace must not show. */
export interface TraceSecrets {
  /** Their write-only members are hidden in bodies. */
  readonly types: readonly RecordType[];
  /** Values of the connection that are hidden wherever they stand. */
  readonly secrets: readonly string[];
}

/** A transport that tells every attempt and its answer. */
export function traceCalls({ types, secrets }: TraceSecrets, onCall: (text: string) => void): Transport {
  const redaction = createRedaction(types);
  redaction.hide(secrets);
  return (next) => async (request) => {
    const { purpose, method, body } = request;
    const start = performance.now();
    const tell = (end: string, received?: unknown) => {
      const elapsedMs = Math.round(performance.now() - start);
      const bodies = [
        ["sent", body],
        ["received", received],
      ] as const;
      const lines = bodies.flatMap(([word, content]) => {
        const text = purpose === "token" && content !== undefined ? HIDDEN : bodyText(content);
        return text === "" ? [] : [`  ${word}: ${text}`];
      });
      const address = redaction.text(maskedUrl(request));
      onCall([`${method} ${address}: ${end} after ${elapsedMs} ms`, ...lines].join("\n"));
    };
    try {
      const response = await next(request);
      tell(String(response.statusCode), response.body);
      return response;
    } catch (error) {
      tell(redaction.text(error instanceof Error ? error.message : String(error)));
      throw error;
    }
  };

  function bodyText(body: unknown): string {
    if (body === undefined) return "";
    if (typeof body !== "string" && !(body instanceof Uint8Array)) return "a stream";
    const text = typeof body === "string" ? body : Buffer.from(body).toString("utf8");
    // Cut last: half a secret would not be recognised.
    return shortened(redactedJson(text) ?? redaction.text(text));
  }

  function redactedJson(text: string): string | undefined {
    try {
      return JSON.stringify(redaction.value(JSON.parse(text)));
    } catch {
      return undefined;
    }
  }
}

function shortened(text: string): string {
  const more = text.length - SHOWN_BODY_LENGTH;
  return more <= 0 ? text : `${text.slice(0, SHOWN_BODY_LENGTH).toWellFormed()}… (${more} more characters)`;
}
