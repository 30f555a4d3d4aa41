/** Which failures of a handler are tried again, and when. */

/**
 * - `transient`: the target system or the network may be well again later
 * - `unsure`: nobody can tell; tried a few times
 * - `final`: trying again would end the same
 */
export type FailureKind = "transient" | "unsure" | "final";

/** How failed attempts are repeated; everything has a default. */
export interface RetrySettings {
  /** Attempts of an action whose failures are transient. By default 10. */
  readonly maxAttempts?: number | undefined;
  /** Attempts where it is unsure whether another one helps. By default 3. */
  readonly maxUnsureAttempts?: number | undefined;
  /** Milliseconds before the second attempt; each wait after it is twice as long. By default 5,000. */
  readonly firstWaitMs?: number | undefined;
  /** The longest wait in milliseconds. By default one hour. */
  readonly longestWaitMs?: number | undefined;
  /** A number from 0 up to 1, for waits that differ from each other. By default random. */
  readonly random?: (() => number) | undefined;
}

const MAX_ATTEMPTS = 10;
const MAX_UNSURE_ATTEMPTS = 3;
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 60 * 60 * 1_000;

/** A target system may ask for more patience than that; nobody would know why nothing happens. */
const LONGEST_ASKED_MS = 24 * 60 * 60 * 1_000;

const TRANSIENT = /^(?:ConnectionFailure|TimeoutError|AbortError)$/;
const FINAL = /^(?:RecordError|RequestRefused|EndlessPages|TypeError|RangeError|ReferenceError|SyntaxError)$/;
const NETWORK_CODE = /^(?:E[A-Z]{4,}|UND_ERR_[A-Z_]+)$/;
const DEEPEST_CAUSE = 5;

/** By the class of the error, the HTTP status that it has, and the system's code in it or its causes. */
export function failureKind(error: unknown): FailureKind {
  const status = member(error, "statusCode");
  if (typeof status === "number" && status >= 300) return kindOfStatus(status);
  const name = String(member(error, "name"));
  if (TRANSIENT.test(name) || hasNetworkCode(error)) return "transient";
  return FINAL.test(name) ? "final" : "unsure";
}

/** Whether an action that has been tried so often is given up after a failure of this kind. */
export function isLastAttempt(attempts: number, kind: FailureKind, settings: RetrySettings = {}): boolean {
  const { maxUnsureAttempts = MAX_UNSURE_ATTEMPTS } = settings;
  const most = mostAttempts(settings);
  const limits = { transient: most, unsure: Math.min(most, maxUnsureAttempts), final: 1 };
  return attempts >= limits[kind];
}

export function mostAttempts({ maxAttempts = MAX_ATTEMPTS }: RetrySettings = {}): number {
  return maxAttempts;
}

/** Milliseconds until the next attempt: what the target system asked for, or longer from one attempt to the next. */
export function waitMs(attempts: number, error: unknown, settings: RetrySettings = {}): number {
  const { firstWaitMs = FIRST_WAIT_MS, longestWaitMs = LONGEST_WAIT_MS, random = Math.random } = settings;
  const asked = member(error, "retryAfterMs");
  if (typeof asked === "number" && asked >= 0) return Math.min(asked * (1 + random() / 10), LONGEST_ASKED_MS);
  const wait = Math.min(firstWaitMs * 2 ** Math.max(0, attempts - 1), longestWaitMs);
  return wait * (0.5 + random() / 2);
}

function kindOfStatus(status: number): FailureKind {
  return status === 408 || status === 429 || status >= 500 ? "transient" : "final";
}

/** `fetch failed` is a TypeError like a slip of the pen; its cause tells them apart. */
function hasNetworkCode(error: unknown): boolean {
  for (let cause = error, depth = 0; cause !== undefined && depth < DEEPEST_CAUSE; depth++) {
    const code = member(cause, "code");
    if (typeof code === "string" && NETWORK_CODE.test(code)) return true;
    cause = member(cause, "cause");
  }
  return false;
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    return Reflect.get(value, name);
  } catch {
    return undefined;
  }
}
