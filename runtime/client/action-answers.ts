/** What a handler learns from the answer to its call: whether the target system has acted, and on which record. */
import type { Finding } from "../validation/finding.js";
import { type ApiResponse, isPage, isSuccess } from "./api-response.js";
import { ResponseError } from "./errors.js";

/** Why the target system has not acted, in the shape of the standard failure. */
export interface Refusal {
  /** The HTTP status. */
  code: string;
  /** One error: method, address, status and the target system's own words. */
  errors: { text: string }[];
}

/**
 * Why the target system has not acted; null if it has. Any status from 200 to 299 says that it has, whatever the answer
 * holds. For action handlers, behind `throwIfRetryable`.
 * @throws ResponseError that is not retried for a page in HTML: it may be a page to sign in on, so nobody knows whether
 *   the target system has acted.
 * @example
 * const response = throwIfRetryable(await http.post(path`projects/${name}/close`, { signal }));
 * const refusal = refusalOf(response);
 * if (refusal !== null) return failed(refusal);
 */
export function refusalOf({ statusCode, headers, errorMessage }: ApiResponse): Refusal | null {
  const text = errorMessage ?? `The target system answered ${statusCode}.`;
  if (!isSuccess(statusCode)) return { code: String(statusCode), errors: [{ text }] };
  if (errorMessage !== null && isPage(headers)) throw new ResponseError(text, statusCode, { retry: "never" });
  return null;
}

/** A generated class of a data object, which tells what is one of its records. */
export interface RecordClass {
  /** Everything in which `json` does not fit; empty if it fits. */
  findings(json: unknown): readonly Finding[];
}

/**
 * The record that an action has changed: what the answer holds if that is a record of the class, else what `readBack`
 * reads. Returns null if that is no record either. It throws nothing: the target system has acted, and after an error it
 * would be asked to act again.
 * @param readBack Reads the record; null if its address is not known.
 * @example
 * const response = throwIfRetryable(await http.post("projects", { json: { title: "Dam" }, signal }));
 * const record = await recordAfter(response, Project, () => http.get(path`projects/${name}`, { signal }));
 */
export async function recordAfter<Json>(
  response: ApiResponse<Json>,
  type: RecordClass,
  readBack: () => Promise<ApiResponse<Json>> | null,
): Promise<Json | null> {
  const { result } = response;
  if (isRecord(type, result)) return result;
  try {
    const read = await readBack();
    return read !== null && isRecord(type, read.result) ? read.result : null;
  } catch {
    return null;
  }
}

function isRecord<Json>(type: RecordClass, value: Json | null): value is Json {
  return value !== null && type.findings(value).length === 0;
}
