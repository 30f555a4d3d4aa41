/** Shows the calls of a connector: what is sent to the target system, and what it answers, without secrets. */
import type { OutgoingRequest, Transport } from "../../runtime/client/index.js";
import { maskedHeaders, maskedUrl } from "../../runtime/log/masked-request.js";
import { createRedaction, type Redaction } from "../../runtime/log/redaction.js";
import type { RecordType } from "../../runtime/records/record-type.js";
import { jsonIn } from "../../runtime/untrusted.js";
import { HIDDEN } from "../../runtime/validation/finding.js";
import type { PlannedRequest } from "./run-protocol.js";

/** Characters of a body that are shown. */
const SHOWN_BODY_LENGTH = 2_000;

/** What must not be shown. */
export interface CallSecrets {
  /** Their write-only members are hidden in bodies. */
  readonly types: readonly RecordType[];
  /** Values of the connection that are hidden wherever they stand. */
  readonly secrets: readonly string[];
}

/** A transport that tells every attempt and its answer. */
export function traceCalls(hidden: CallSecrets, onCall: (text: string) => void): Transport {
  const redaction = redactionOf(hidden);
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
    const text = textOf(body);
    // Cut last: half a secret would not be recognised.
    return shortened(text === undefined ? "" : (redactedJson(text) ?? redaction.text(text)));
  }

  function redactedJson(text: string): string | undefined {
    const json = jsonIn(text);
    return json && JSON.stringify(redaction.value(json.value));
  }
}

/** A call would have changed the target system, and was not sent. */
export class NotSentError extends Error {
  override readonly name = "NotSentError";
  /** It would not be sent the next time either. */
  readonly retry = "never";
}

/** What was refused, and the transport that refuses it. */
export interface RefusedWrites {
  readonly transport: Transport;
  /** In the order in which they would have been sent. */
  readonly requests: readonly PlannedRequest[];
  /** Whether a client goes through the transport. One that does not sends what it likes. */
  readonly isInUse: () => boolean;
}

/** Lets through what only reads, and token requests, without which nothing can be read. Every other request is refused. */
export function refuseWrites(hidden: CallSecrets): RefusedWrites {
  const redaction = redactionOf(hidden);
  const requests: PlannedRequest[] = [];
  let isInUse = false;
  const transport: Transport = (next) => {
    isInUse = true;
    return async (request) => {
      const { method, purpose, headers } = request;
      if (purpose === "token" || method === "GET" || method === "HEAD") return next(request);
      const address = redaction.wholeText(maskedUrl(request));
      const shown = Object.entries(maskedHeaders(headers)).map(
        ([name, value]) => [name, redaction.wholeText(value)] as const,
      );
      requests.push({ method, address, headers: Object.fromEntries(shown), body: bodyOf(request) });
      throw new NotSentError(`${method} ${address} was not sent`);
    };
  };
  return { transport, requests, isInUse: () => isInUse };

  function bodyOf({ body }: OutgoingRequest): unknown {
    const text = textOf(body);
    if (text === undefined) return null;
    const json = jsonIn(text);
    return json === undefined ? redaction.wholeText(text) : redaction.json(json.value);
  }
}

/** Hides what must not be shown. */
export function redactionOf({ types, secrets }: CallSecrets): Redaction {
  const redaction = createRedaction(types);
  redaction.hide(secrets);
  return redaction;
}

/** The text of a body; undefined if there is none. */
function textOf(body: unknown): string | undefined {
  if (body === undefined) return undefined;
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? Buffer.from(body).toString("utf8") : "a stream";
}

function shortened(text: string): string {
  const more = text.length - SHOWN_BODY_LENGTH;
  return more <= 0 ? text : `${text.slice(0, SHOWN_BODY_LENGTH).toWellFormed()}… (${more} more characters)`;
}
