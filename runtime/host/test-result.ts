/** The table of the connection test (spec §4.3): from what a handler did to what its user is told. */
import { memberOf } from "./unsure.js";

/** Spec §2.5. */
export interface TestConnectionResult {
  readonly success: boolean;
  readonly message: string;
  readonly statusCode: number;
}

/** What became of the call of a handler. */
export type HandlerOutcome = { readonly response: unknown } | { readonly error: unknown };

const NO_RESPONSE: TestConnectionResult = Object.freeze({
  success: false,
  message: "Failed to get response from server",
  statusCode: 500,
});

/**
 * The row of the table. A response without a boolean `isSuccessful` and an HTTP status counts as none. An error
 * counts as an unsuccessful response where it, its `response` or its cause carries an HTTP status, and as none else.
 */
export function testResult(outcome: HandlerOutcome): TestConnectionResult {
  if ("error" in outcome) return unsuccessful(statusOfError(outcome.error));
  const statusCode = httpStatus(memberOf(outcome.response, "statusCode"));
  const isSuccessful = memberOf(outcome.response, "isSuccessful");
  if (statusCode === undefined || typeof isSuccessful !== "boolean") return NO_RESPONSE;
  if (!isSuccessful) return unsuccessful(statusCode);
  return Object.freeze({ success: true, message: "Successful test.", statusCode });
}

function unsuccessful(statusCode: number | undefined): TestConnectionResult {
  if (statusCode === undefined) return NO_RESPONSE;
  return Object.freeze({ success: false, message: unsuccessfulMessage(statusCode), statusCode });
}

function unsuccessfulMessage(statusCode: number): string {
  switch (statusCode) {
    case 403:
      return "Invalid Credentials: Forbidden.";
    case 401:
      return "Invalid Credentials: Unauthorized";
    default:
      return "Unknown Issue.";
  }
}

const MOST_CAUSES = 10;

function statusOfError(error: unknown): number | undefined {
  let one = error;
  for (let count = 0; count < MOST_CAUSES && one !== undefined; count++) {
    const status = httpStatus(
      memberOf(one, "statusCode") ?? memberOf(memberOf(one, "response"), "statusCode"),
    );
    if (status !== undefined) return status;
    one = memberOf(one, "cause");
  }
  return undefined;
}

function httpStatus(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 100 && value <= 599
    ? value
    : undefined;
}
