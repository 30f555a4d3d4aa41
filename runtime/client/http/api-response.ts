/** The response wrapper (spec §2.4): what a call came to, as a value. */
import { STATUS_CODES } from "node:http";
import { ResponseError } from "../errors.js";
import { retryAfterMs } from "../handlers/retry-after.js";
import { shownRequest } from "./masked-request.js";
import type { HttpMethod, IncomingResponse, ResponseHeaders } from "./messages.js";

export interface ApiResponse<T = unknown> {
  /** Whether the status is 200 to 299 and the content is what was asked for. */
  readonly isSuccessful: boolean;
  /** The content; null where there is none, and where the call was not successful. */
  readonly result: T | null;
  /** Method, masked address and what is wrong; null where nothing is. It holds nothing of the content. */
  readonly errorMessage: string | null;
  /** The content of an unsuccessful answer, parsed where it is JSON, else as text; else null. It may hold secrets. */
  readonly errorBody: unknown;
  /** HTTP status. */
  readonly statusCode: number;
  /** Lower-case names. */
  readonly headers: ResponseHeaders;
}

/** The content of a successful answer. @throws ResponseError for any other, and where there is no content. */
export function orThrow<T>(response: ApiResponse<T>): T {
  const { isSuccessful, result, errorMessage, statusCode, headers } = response;
  if (isSuccessful && result !== null) return result;
  const words = errorMessage ?? `The answer ${statusCode} has no content.`;
  throw new ResponseError(words, statusCode, { retryAfterMs: retryAfterMs(headers, Date.now()) });
}

/** What was asked, for the messages of its answer. */
interface Asked {
  readonly method: HttpMethod;
  readonly url: string;
}

export function apiResponse<T>(
  asked: Asked,
  response: IncomingResponse,
  expected: "json" | "text",
): ApiResponse<T> {
  const { statusCode, headers } = response;
  const text = response.body instanceof Uint8Array ? textOf(response.body) : "";
  const failed = (what: string, errorBody: unknown) => ({
    ...{ isSuccessful: false, result: null, errorMessage: `${shownRequest(asked)} answered ${what}.` },
    ...{ errorBody, statusCode, headers },
  });
  if (response.isTooLarge) return failed(`${statusCode} with a body that is too large`, null);
  if (!isSuccess(statusCode)) return failed(statusText(statusCode), parsed(text) ?? text);
  const succeeded = (result: T | null) => ({
    ...{ isSuccessful: true, result, errorMessage: null, errorBody: null },
    ...{ statusCode, headers },
  });
  if (text === "" || asked.method === "HEAD") return succeeded(null);
  if (expected === "text") return succeeded(text as T);
  const type = mediaType(headers);
  if (!isJson(type)) return failed(`${statusCode} with ${type} instead of JSON`, text);
  const value = parsed(text);
  if (value === undefined) return failed(`${statusCode} with a body that is no JSON`, text);
  return succeeded(value as T);
}

export function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode < 300;
}

export function statusText(statusCode: number): string {
  return `${statusCode} ${STATUS_CODES[statusCode] ?? ""}`.trim();
}

function textOf(body: Uint8Array): string {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Lower case, without parameters; only characters that a media type has, for it stands in messages. */
function mediaType(headers: ResponseHeaders): string | undefined {
  const type = headers["content-type"];
  return typeof type === "string" ? (/^[\w.+/-]+/.exec(type)?.[0].toLowerCase() ?? "content") : undefined;
}

/** An answer without a content type is given the benefit of the doubt. */
function isJson(type: string | undefined): boolean {
  return type === undefined || /[/+]json$/.test(type);
}
