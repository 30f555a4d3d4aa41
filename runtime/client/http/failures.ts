/** What the network's errors mean for a call, in words that hold nothing of what was sent. */
import { ConnectionFailure, RequestRefused } from "../errors.js";
import { shownRequest } from "./masked-request.js";
import type { OutgoingRequest } from "./messages.js";

const REASONS: Readonly<Record<string, string>> = {
  EAI_AGAIN: "the host's name could not be looked up",
  ECONNABORTED: "the connection broke off",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection broke off",
  EHOSTUNREACH: "the host can't be reached",
  ENETUNREACH: "the network can't be reached",
  ENOTFOUND: "the host's name is not known",
  EPIPE: "the connection broke off",
  ERR_HTTP_CONTENT_LENGTH_MISMATCH: "the answer is shorter than announced",
  ETIMEDOUT: "it took too long",
};

const PHASES: Readonly<Record<string, string>> = {
  lookup: "looking up the host took too long",
  connect: "connecting took too long",
  secureConnect: "the TLS handshake took too long",
  send: "sending the request took too long",
  response: "no answer came in time",
  read: "the body of the answer did not end in time",
  idle: "the streamed answer stood still for too long",
};

const UNSENDABLE = new Set(["ERR_INVALID_CHAR", "ERR_INVALID_HTTP_TOKEN", "ERR_HTTP_INVALID_HEADER_VALUE"]);

/** Whether another try may help. */
export function isPassing({ code }: ConnectionFailure): boolean {
  return Object.hasOwn(REASONS, code);
}

/** What to throw for `error`: the reason of the abort, a refusal or a failure. The error itself may hold secrets. */
export function failureOf(request: OutgoingRequest, error: unknown): unknown {
  if (request.signal?.aborted === true) return request.signal.reason;
  const shown = shownRequest(request);
  const code = textOf(error, "code") ?? "ERR_UNKNOWN";
  if (UNSENDABLE.has(code))
    return new RequestRefused(`${shown} was not sent: a header has a character that HTTP doesn't allow.`);
  const phase = textOf(error, "event") ?? "";
  const reason = PHASES[phase] ?? REASONS[code] ?? "the request or its answer could not be processed";
  return new ConnectionFailure({ request: shown, code, reason });
}

function textOf(error: unknown, name: string): string | undefined {
  const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined;
  return typeof value === "string" ? value : undefined;
}
