/** The response wrapper (spec §2.4): how a call ended, as a value. */
import { isUtf8 } from "node:buffer";
import { STATUS_CODES } from "node:http";
import { maskedRequest } from "../log/masked-request.js";
import type { IncomingResponse, OutgoingRequest, ResponseHeaders } from "../registration/http-messages.js";
import { isRetryableStatus, retryAfterMs } from "../retry.js";
import { ResponseError } from "./errors.js";
import { ended, rememberSent, wordsOfError } from "./target-words.js";

/** The answer to a call, whatever its status (§2.4). */
export interface ApiResponse<T = unknown> {
  /** Whether the status is 200 to 299 and the content is what was asked for. */
  readonly isSuccessful: boolean;
  /** The content; null if there is none, and if the call was not successful. */
  readonly result: T | null;
  /**
   * Method, masked address, what is wrong, and behind the status of a refusal the target system's own words: the usual
   * places of a message in the content, at most 200 characters, without what was sent as a secret. Null if nothing is wrong.
   */
  readonly errorMessage: string | null;
  /** The content of an unsuccessful answer, parsed if it is JSON, else as text; else null. It may hold secrets. */
  readonly errorBody: unknown;
  /** HTTP status. */
  readonly statusCode: number;
  /** By lower-case name. */
  readonly headers: ResponseHeaders;
  /** Method and masked address of the call; absent if no client has made this value. */
  readonly request?: string;
  /** The header `Location` as an absolute address, such as that of what was created; absent if there is none. */
  readonly location?: string;
}

/**
 * The content of a successful answer. For readers: a full read that ended early would delete what it did not read.
 * @throws ResponseError for any other answer, and if there is no content.
 * @example
 * const project = resultOrThrow(await client.getProject("7", signal));
 */
export function resultOrThrow<T>(response: ApiResponse<T>): T {
  const { isSuccessful, result, errorMessage, statusCode, headers } = response;
  if (isSuccessful && result !== null) return result;
  const message = errorMessage ?? `${answerOf(response)} has no content.`;
  throw new ResponseError(message, statusCode, { retryAfterMs: retryAfterMs(headers, Date.now()) });
}

/**
 * Returns the response unless its status is retryable. For action handlers: a response that is returned and not
 * successful is a final refusal, which another attempt would not change.
 * @throws ResponseError for 401, 408, 429 and 500 to 599. The action processor then tries again; after 401, which speaks
 *   of the credentials and not of the action, without counting the attempt.
 * @example
 * const response = throwIfRetryable(await client.createProject(name, signal));
 * if (!response.isSuccessful) return failed({ code: String(response.statusCode), errors: [] });
 */
export function throwIfRetryable<T>(response: ApiResponse<T>): ApiResponse<T> {
  if (response.statusCode === 401 || isRetryableStatus(response.statusCode)) resultOrThrow(response);
  return response;
}

/** `The answer 200 to GET https://host/path`: the beginning of a sentence. */
export function answerOf({ statusCode, request }: ApiResponse): string {
  return `The answer ${statusCode}${request === undefined ? "" : ` to ${request}`}`;
}

/** What is known of a call once it is answered. */
interface AnsweredCall {
  /** As the caller made it. */
  readonly request: OutgoingRequest;
  /** Every request that was sent for it. */
  readonly sent: readonly OutgoingRequest[];
  readonly expected: "json" | "text";
}

export function toApiResponse<T>(
  { request, sent, expected }: AnsweredCall,
  response: IncomingResponse,
): ApiResponse<T> {
  const { statusCode, headers } = response;
  const location = locationOf(response);
  const body = response.body instanceof Uint8Array ? response.body : new Uint8Array();
  const { text, charset, isWhole } = decodeBody(body, headers);
  const asked = maskedRequest(request);
  const failure = (what: string, errorBody: unknown) => ({
    ...{ isSuccessful: false, result: null, errorMessage: `${asked} answered ${ended(what)}` },
    ...{ errorBody, statusCode, headers, request: asked, ...location },
  });
  if (response.isTooLarge === true) return failure(`${statusCode} with a body that is too large`, null);
  if (!isSuccess(statusCode)) {
    const errorBody = parseJson(text) ?? text;
    rememberSent(errorBody, [request, ...sent]);
    const words = isReadable(headers) ? wordsOfError(errorBody, [request, ...sent]) : "";
    return failure(withWords(statusCode, words), errorBody);
  }
  const success = (result: T | null) => ({
    ...{ isSuccessful: true, result, errorMessage: null, errorBody: null },
    ...{ statusCode, headers, request: asked, ...location },
  });
  if (text === "" || request.method === "HEAD") return success(null);
  if (!isWhole) return failure(`${statusCode} with a body that can't be read as ${charset}`, text);
  if (expected === "text") return success(text as T);
  const type = mediaType(headers);
  if (!isJson(type)) return failure(`${statusCode} with ${type} instead of JSON`, text);
  const value = parseJson(text);
  if (value === undefined) return failure(`${statusCode} with a body that is no JSON`, text);
  if (hasTooLargeNumber(text)) return failure(`${statusCode} with a number that is too large`, text);
  rememberSent(value, [request, ...sent]);
  return success(value as T);
}

/** Words that only repeat the status add nothing to it. */
function withWords(statusCode: number, words: string): string {
  const status = statusText(statusCode);
  const isRepeated = status.toLowerCase().includes(words.toLowerCase().replace(/\.$/, ""));
  return isRepeated ? status : `${status}: ${words}`;
}

function locationOf({ url, headers: { location } }: IncomingResponse): Pick<ApiResponse, "location"> {
  if (typeof location !== "string" || !URL.canParse(location, url)) return {};
  return { location: new URL(location, url).href };
}

/**
 * The target system's clock when it answered, from the header `Date`: to the second, and for a cached answer earlier. Take
 * checkpoints from it, not from the clock of this machine, which may be ahead.
 * @throws ResponseError if the answer has no such header.
 * @example
 * const response = await http.get("changes", { query: { since: "2026-01-02T03:04:05Z" }, signal });
 * const checkpoint = serverTime(response).toISOString();
 */
export function serverTime(response: ApiResponse<unknown>): Date {
  const time = new Date(String(response.headers["date"]));
  if (!Number.isNaN(time.getTime())) return time;
  const message = `${answerOf(response)} has no header Date with the target system's time: take the time from its content or from the records.`;
  throw new ResponseError(message, response.statusCode);
}

export function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode < 300;
}

export function statusText(statusCode: number): string {
  return `${statusCode} ${STATUS_CODES[statusCode] ?? ""}`.trim();
}

interface DecodedBody {
  /** What can't be decoded is U+FFFD. */
  readonly text: string;
  /** As the answer states it; only characters that a charset has, for it stands in messages. */
  readonly charset: string;
  /** Whether all bytes belong to the charset. */
  readonly isWhole: boolean;
}

/** The text of a body in the charset that its type states, else in UTF-8. */
function decodeBody(body: Uint8Array, headers: ResponseHeaders): DecodedBody {
  const type = headers["content-type"];
  const [, stated] = (typeof type === "string" && /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(type)) || [];
  const charset = stated?.toLowerCase() ?? "utf-8";
  if (charset !== "utf-8" && charset !== "utf8") {
    try {
      return { text: new TextDecoder(charset, { fatal: true }).decode(body), charset, isWhole: true };
    } catch {
      return { text: decodeUtf8(body), charset, isWhole: false };
    }
  }
  return { text: decodeUtf8(body), charset: "UTF-8", isWhole: isUtf8(body) };
}

function decodeUtf8(body: Uint8Array): string {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** Whether a number of the JSON was read as infinite. Only texts that may have such a number are looked through. */
function hasTooLargeNumber(text: string): boolean {
  if (!/(?:^|[:,[\s])-?\d(?:[\d.]*[eE]\+?\d{2}|\d{300})/.test(text)) return false;
  let isFound = false;
  JSON.parse(text, (_, item) => {
    isFound ||= item === Number.POSITIVE_INFINITY || item === Number.NEGATIVE_INFINITY;
  });
  return isFound;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Lower case, without parameters; only characters that a media type has, for it stands in messages. */
export function mediaType(headers: ResponseHeaders): string | undefined {
  const type = headers["content-type"];
  return typeof type === "string" ? (/^[\w.+/-]+/.exec(type)?.[0].toLowerCase() ?? "content") : undefined;
}

/** Whether the answer is made for a browser. */
export function isPage(headers: ResponseHeaders): boolean {
  return /html/.test(mediaType(headers) ?? "");
}

/** Whether people can read the content as it is. */
function isReadable(headers: ResponseHeaders): boolean {
  const type = mediaType(headers);
  return !isPage(headers) && (isJson(type) || /^text\//.test(type ?? ""));
}

/** An answer without a content type is taken for JSON: some servers leave it out. */
function isJson(type: string | undefined): boolean {
  return type === undefined || /[/+]json$/.test(type);
}
