/** What a call has really sent, with all that middleware added: a target system may repeat it in its answer. */
import { AsyncLocalStorage } from "node:async_hooks";
import { isSecretName } from "../../schemas/naming/secret-names.js";
import { isHarmlessHeader, isShownParameter } from "../log/masked-request.js";
import { createRedaction, type Redaction } from "../log/redaction.js";
import type { OutgoingRequest, Send } from "../registration/http-messages.js";

const current = new AsyncLocalStorage<OutgoingRequest[]>();

/** Calls `task`, and adds all requests to `sent` that pass a way of {@link notingRequests} for it. */
export function whileNoting<Result>(sent: OutgoingRequest[], task: () => Promise<Result>): Promise<Result> {
  return current.run(sent, task);
}

/** `send`, which notes every request for the call that it is sent for. */
export function notingRequests(send: Send): Send {
  return (request) => {
    current.getStore()?.push(request);
    return send(request);
  };
}

/** Hides what no message may show of these requests, as far as it can be told from them. */
export function redactionOfRequests(requests: readonly OutgoingRequest[]): Redaction {
  const redaction = createRedaction();
  for (const request of requests) {
    redaction.hide([...secretsInHeaders(request), ...secretsInAddress(request)]);
    hideInBody(request, redaction);
  }
  return redaction;
}

function secretsInHeaders({ headers }: OutgoingRequest): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    isHarmlessHeader(name) ? [] : partsOfHeader(value),
  );
}

/** A header's value, what stands behind its scheme, each value of a list of `name=value`, and a password in base64. */
function partsOfHeader(value: string): readonly string[] {
  const [, scheme = "", rest = value] = /^(\S+)\s+(.*)$/s.exec(value) ?? [];
  const values = rest.split(/[;,\s]+/).map((part) => part.replace(/^[^=]*="?|"$/g, ""));
  const decoded = scheme.toLowerCase() === "basic" ? Buffer.from(rest, "base64").toString("utf8") : "";
  return [value, rest, ...values, decoded, decoded.replace(/^[^:]*:/, "")];
}

function secretsInAddress({ url, secretParameters = [] }: OutgoingRequest): readonly string[] {
  if (!URL.canParse(url)) return [];
  return [...new URL(url).searchParams].flatMap(([name, value]) => {
    // A part of a query that is no `name=value` may be a secret itself.
    if (value === "") return [name];
    return isShownParameter(name, value, secretParameters) ? [] : [value];
  });
}

function hideInBody({ body }: OutgoingRequest, redaction: Redaction): void {
  if (typeof body !== "string") return;
  try {
    redaction.hideIn(JSON.parse(body));
  } catch {
    const fields = [...new URLSearchParams(body)];
    redaction.hide(fields.flatMap(([name, value]) => (isSecretName(name) ? [value] : [])));
  }
}
