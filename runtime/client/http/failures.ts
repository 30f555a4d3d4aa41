/** What the network's errors mean for a call, in words that hold nothing of what was sent. */
import { ConnectionFailure, RequestRefused } from "../errors.js";
import { shownRequest } from "./masked-request.js";
import type { OutgoingRequest } from "./messages.js";
import type { Phase } from "./phase-timer.js";

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

/** Nothing that another try could change. */
const TLS_REASONS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is not trusted",
  EPROTO: "the server does not speak TLS as it should",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another host",
  SELF_SIGNED_CERT_IN_CHAIN: "the server's certificate is not trusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the server's certificate is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the server's certificate is not trusted",
};

const PHASES: Readonly<Record<Phase, string>> = {
  connect: "connecting took too long",
  send: "sending the request took too long",
  response: "no answer came in time",
  read: "the body of the answer did not end in time",
  idle: "the streamed answer stood still for too long",
  total: "all its tries together took too long",
};

const UNSENDABLE = new Set(["ERR_INVALID_CHAR", "ERR_INVALID_HTTP_TOKEN", "ERR_HTTP_INVALID_HEADER_VALUE"]);

/** Whether another try may help. */
export function isPassing({ code }: ConnectionFailure): boolean {
  return Object.hasOwn(REASONS, code);
}

/** The failure of a call that has no time left. */
export function overdueFailure(request: OutgoingRequest): ConnectionFailure {
  return new ConnectionFailure({ request: shownRequest(request), code: "ETIMEDOUT", reason: PHASES.total });
}

/** What to throw for `error`: the reason of the abort, a refusal or a failure. The error itself may hold secrets. */
export function failureOf(request: OutgoingRequest, error: unknown, overdue?: Phase): unknown {
  if (request.signal?.aborted === true) return request.signal.reason;
  const shown = shownRequest(request);
  if (overdue === "total") return overdueFailure(request);
  if (overdue !== undefined)
    return new ConnectionFailure({ request: shown, code: "ETIMEDOUT", reason: PHASES[overdue] });
  const code = codeOf(error) ?? "ERR_UNKNOWN";
  if (UNSENDABLE.has(code)) return new RequestRefused(`${shown} was not sent: ${unsendable(request)}.`);
  const reason = REASONS[code] ?? TLS_REASONS[code] ?? "the request or its answer could not be processed";
  return new ConnectionFailure({ request: shown, code, reason });
}

function unsendable({ headers }: OutgoingRequest): string {
  const isAllowed = ([name, value]: [string, string]) =>
    /^[!-~]+$/.test(name) && /^[\t -~\x80-\xff]*$/.test(value);
  const [name] = Object.entries(headers).find((header) => !isAllowed(header)) ?? ["a header"];
  return `${JSON.stringify(name)} has a character that HTTP doesn't allow in a header`;
}

function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : undefined;
}
