/** When a failed action is tried again, and when it is given up. */
import { type Retry, retryAfterMsOf } from "../retry.js";
import { errorChain, httpStatusOf } from "../untrusted.js";

/** How failed attempts of an action are repeated. */
export interface ActionRetryOptions {
  /**
   * Attempts of an action, the first one included, if the error says `retry: "later"`.
   * @default 10
   */
  readonly maxAttempts?: number | undefined;
  /**
   * Attempts of an action, the first one included, if nobody knows whether another one helps.
   * @default 3
   */
  readonly maxUnknownAttempts?: number | undefined;
  /**
   * Milliseconds before the second attempt; each delay after it is twice as long.
   * @default 5_000
   */
  readonly firstDelayMs?: number | undefined;
  /**
   * The longest such delay, in milliseconds. A target system that sends `Retry-After` may ask for up to a day.
   * @default 3_600_000
   */
  readonly maxDelayMs?: number | undefined;
  /**
   * For tests: a number from 0 up to 1, which makes delays differ from each other.
   * @default Math.random
   */
  readonly random?: (() => number) | undefined;
}

const MAX_ATTEMPTS = 10;
const MAX_UNKNOWN_ATTEMPTS = 3;
const FIRST_DELAY_MS = 5_000;
const MAX_DELAY_MS = 60 * 60 * 1_000;

/** A target system may ask for more patience than that; nobody would know why nothing happens. */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1_000;

/** Whether an action that was attempted so often is given up after an error with this `retry`. */
export function isLastAttempt(
  attempts: number,
  retry: Retry | undefined,
  options: ActionRetryOptions = {},
): boolean {
  if (retry === "never") return true;
  const { maxUnknownAttempts = MAX_UNKNOWN_ATTEMPTS } = options;
  const maxAttempts = maxAttemptsOf(options);
  return attempts >= (retry === "later" ? maxAttempts : Math.min(maxAttempts, maxUnknownAttempts));
}

export function maxAttemptsOf({ maxAttempts = MAX_ATTEMPTS }: ActionRetryOptions = {}): number {
  return maxAttempts;
}

/** How long an action may wait. */
export const CANCEL_AFTER_MS = 14 * 24 * 60 * 60 * 1_000;

/** Whether the target system or its token provider has refused the credentials (HTTP 401): they may be mended by then. */
export function isAuthenticationFailure(error: unknown): boolean {
  return [...errorChain(error)].some((cause) => httpStatusOf(cause) === 401);
}

/** Milliseconds between attempts that wait for people, such as for new credentials. */
export function longestDelayMs({ maxDelayMs = MAX_DELAY_MS }: ActionRetryOptions = {}): number {
  return maxDelayMs;
}

/** Milliseconds until the next attempt: as long as the target system asked for, or longer from one to the next. */
export function delayMs(attempts: number, error: unknown, options: ActionRetryOptions = {}): number {
  const { firstDelayMs = FIRST_DELAY_MS, maxDelayMs = MAX_DELAY_MS, random = Math.random } = options;
  const asked = retryAfterMsOf(error);
  if (asked !== undefined) return Math.min(asked * (1 + random() / 10), MAX_RETRY_AFTER_MS);
  const delay = Math.min(firstDelayMs * 2 ** Math.max(0, attempts - 1), maxDelayMs);
  return delay * (0.5 + random() / 2);
}
