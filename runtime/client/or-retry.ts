/** Tells the answers that may be others later from refusals, by one rule for calls and for actions. */
import { type ApiResponse, orThrow } from "./http/api-response.js";

/**
 * The answer as it is, for handlers: what is not successful in it is a refusal, which another try would not change.
 * @throws ResponseError where another try may help: 408, 429 and 500 to 599. The action processor then tries again.
 */
export function orRetry<T>(response: ApiResponse<T>): ApiResponse<T> {
  if (mayPass(response.statusCode)) orThrow(response);
  return response;
}

/** Whether the target system may answer otherwise later. */
export function mayPass(statusCode: number): boolean {
  return statusCode === 408 || statusCode === 429 || statusCode >= 500;
}
