/** What can be retried, by one rule for calls and for actions: an error says it itself, or its status or code does. */
import type { ResponseHeaders } from "./registration/http-messages.js";
import { errorChain, httpStatusOf, safeGet } from "./untrusted.js";

/**
 * Whether another attempt may end otherwise.
 * - `later`: the cause may be gone by then, such as a lost connection or HTTP 503
 * - `never`: another attempt would end in the same way
 *
 * Every error class of this package has it as its property `retry`; it is undefined if nobody can know. Give it to
 * errors of your own: it goes before every other rule.
 */
export type Retry = "later" | "never";

/** Whether the target system may answer otherwise later: HTTP 408, 429 and from 500 on. */
export function isRetryableStatus(statusCode: number): boolean {
  return statusCode === 408 || statusCode === 429 || statusCode >= 500;
}

/** What an HTTP status says: below 300, where only the content of an answer can be wrong, nothing. */
export function retryOfStatus(statusCode: number): Retry | undefined {
  if (statusCode < 300) return undefined;
  return isRetryableStatus(statusCode) ? "later" : "never";
}

/**
 * Whether another attempt may help after `error`: by its property `retry`, the HTTP status that it has, or the system's
 * code, each also of its causes. Returns undefined if none of them says it, and it is no mistake in code.
 */
export function retryOf(error: unknown): Retry | undefined {
  for (const cause of errorChain(error)) {
    const retry = safeGet(cause, "retry");
    if (retry === "later" || retry === "never") return retry;
    const status = httpStatusOf(cause);
    const known = (status === undefined ? undefined : retryOfStatus(status)) ?? retryOfCode(cause);
    if (known !== undefined) return known;
  }
  return isMistake(error) ? "never" : undefined;
}

/**
 * Milliseconds to wait from `now` (milliseconds since 1970), never below 0, by the header `Retry-After` (RFC 9110,
 * 10.2.3): seconds, or a date. Returns undefined if the header is absent or can't be read.
 */
export function retryAfterMs(headers: ResponseHeaders, now: number): number | undefined {
  const value = headers["retry-after"];
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1_000;
  // Date.parse takes nearly anything for a date; all three forms of HTTP begin with a weekday.
  const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Milliseconds for which the target system asked to be left alone, as `retryAfterMs` of an error or its causes. */
export function retryAfterMsOf(error: unknown): number | undefined {
  for (const cause of errorChain(error)) {
    const milliseconds = safeGet(cause, "retryAfterMs");
    if (typeof milliseconds === "number" && milliseconds >= 0) return milliseconds;
  }
  return undefined;
}

/** What an error code of Node's network modules means. */
export interface NetworkFault {
  /** In words that hold nothing of what was sent. */
  readonly reason: string;
  readonly retry: Retry;
}

/** The meaning of an error code such as `ECONNRESET`. Returns undefined if it is not a code of the network. */
export function networkFault(code: string): NetworkFault | undefined {
  if (Object.hasOwn(TRANSIENT_CODES, code)) return { reason: TRANSIENT_CODES[code] ?? "", retry: "later" };
  const final = code.startsWith("ERR_SSL_") ? "EPROTO" : code;
  if (Object.hasOwn(FINAL_CODES, final)) return { reason: FINAL_CODES[final] ?? "", retry: "never" };
  return undefined;
}

const TRANSIENT_CODES: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: "there is no free local address",
  EAI_AGAIN: "the host's name could not be looked up",
  ECONNABORTED: "the connection broke off",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection broke off",
  EHOSTDOWN: "the host can't be reached",
  EHOSTUNREACH: "the host can't be reached",
  EMFILE: "there are too many open connections and files",
  ENETDOWN: "the network can't be reached",
  ENETRESET: "the connection broke off",
  ENETUNREACH: "the network can't be reached",
  ENOBUFS: "there is no memory for connections",
  ENOTFOUND: "the host's name is not known",
  EPIPE: "the connection broke off",
  ERR_HTTP_CONTENT_LENGTH_MISMATCH: "the answer is shorter than announced",
  ERR_PROXY_UNAVAILABLE: "the proxy gives no way to the server for now",
  ETIMEDOUT: "it took too long",
  UND_ERR_ABORTED: "the connection broke off",
  UND_ERR_BODY_TIMEOUT: "it took too long",
  UND_ERR_CLOSED: "the connection broke off",
  UND_ERR_CONNECT_TIMEOUT: "it took too long",
  UND_ERR_DESTROYED: "the connection broke off",
  UND_ERR_HEADERS_TIMEOUT: "it took too long",
  UND_ERR_SOCKET: "the connection broke off",
};

/** A certificate does not become better by asking again, and a proxy asks for the same user. */
const FINAL_CODES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet",
  CERT_REVOKED: "the server's certificate is not trusted",
  CERT_UNTRUSTED: "the server's certificate is not trusted",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is not trusted",
  ERR_PROXY_AUTHENTICATION: "the proxy asks for a user and a password",
  ERR_PROXY_INVALID: "the proxy has no address",
  ERR_PROXY_REFUSED: "the proxy gives no way to the server",
  EPROTO: "the server does not speak TLS as it should",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another host",
  SELF_SIGNED_CERT_IN_CHAIN: "the server's certificate is not trusted",
  UNABLE_TO_GET_ISSUER_CERT: "the server's certificate is not trusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the server's certificate is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the server's certificate is not trusted",
};

function retryOfCode(error: unknown): Retry | undefined {
  const code = safeGet(error, "code");
  if (code === "ABORT_ERR" || (error instanceof DOMException && isAbort(error))) return "later";
  return typeof code === "string" ? networkFault(code)?.retry : undefined;
}

/** What `fetch` throws for a signal that was aborted or whose time was over. */
function isAbort({ code }: DOMException): boolean {
  return code === DOMException.ABORT_ERR || code === DOMException.TIMEOUT_ERR;
}

/** `fetch failed` is a TypeError like a mistake in code; the code of its cause goes before. */
function isMistake(error: unknown): boolean {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some((type) => error instanceof type);
}
