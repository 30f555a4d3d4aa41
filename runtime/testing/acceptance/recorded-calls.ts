/** What a connector sends and is answered, seen from below its client, and the end of a run that sends too much. */
import type { OutgoingRequest, Transport } from "../../registration/http-messages.js";

/** A call that was sent. */
export interface RecordedCall {
  readonly purpose: OutgoingRequest["purpose"];
  /** Names of parameters of the address that are known to be secret. */
  readonly secretParameters: readonly string[];
  readonly method: string;
  /** As the client meant it. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As text; undefined for none or a stream. */
  readonly body: string | undefined;
  /** Milliseconds since 1970, as the client's clock has it. */
  readonly sentMs: number;
  /** 0 if there was no answer. */
  status: number;
  /** When it was answered; undefined if it was not. */
  answeredMs: number | undefined;
  /** Seconds or a time, as the answer says it. */
  retryAfter: string | undefined;
}

/** When a run is stopped. */
export interface RunBounds {
  /** Calls that are answered before it. */
  readonly stopAfter: number | undefined;
  /** Calls that are answered before none is any more, without a stop. */
  readonly deadAfter: number | undefined;
  readonly mostCalls: number;
  readonly stop: () => void;
  /** Why calls are not answered. */
  readonly reason: Error;
}

/** What the last run has sent. */
export interface RecordedCalls {
  readonly transport: Transport;
  /** Everything since the world began. */
  readonly all: readonly RecordedCall[];
  /** Of the last run. */
  readonly last: readonly RecordedCall[];
  /** The most calls of the last run that were under way at once. */
  readonly atOnce: number;
  /** Calls of the last run that nobody had waited for when it ended. */
  readonly left: readonly RecordedCall[];
  /** The call of the last run that was under way when it was stopped, and did not hear of that; undefined if all did. */
  readonly unstopped: RecordedCall | undefined;
  /** Whether the last run was stopped because it sent or gave too much. */
  readonly isEndless: boolean;
  /** Whether a call is under way. */
  readonly isOpen: boolean;
  /** Grows with everything that a run does, until it is stopped. */
  readonly signs: number;
  begin(bounds: RunBounds): void;
  /** Says that the run goes on, as a record that was read does. */
  noteSign(): void;
  /** Stops a run that does not end by itself. */
  stopEndless(): void;
  end(): void;
}

/** Who goes on calling so often where no call is answered any more takes every error for a reason to try again. */
const MOST_CALLS_BEHIND_END = 50;

/** @param now Milliseconds since 1970. */
export function createCallRecorder(now: () => number): RecordedCalls {
  const all: RecordedCall[] = [];
  const open = new Set<RecordedCall>();
  let [first, count, atOnce, isEndless] = [0, 0, 0, false];
  let left: readonly RecordedCall[] = [];
  let bounds: RunBounds | undefined;
  let [callsBehindEnd, signs] = [0, 0];
  let unstopped: RecordedCall | undefined;

  async function checkBounds(purpose: OutgoingRequest["purpose"], onStopped: () => void): Promise<void> {
    if (bounds === undefined || purpose === "token") return;
    const { stopAfter = Number.POSITIVE_INFINITY, deadAfter = Number.POSITIVE_INFINITY, mostCalls } = bounds;
    count++;
    if (count <= Math.min(stopAfter, deadAfter, mostCalls)) {
      signs++;
      return;
    }
    if (count > mostCalls) isEndless = true;
    if (count > stopAfter) {
      bounds.stop();
      onStopped();
    }
    if (++callsBehindEnd > MOST_CALLS_BEHIND_END) {
      isEndless = true;
      // Without an answer a loop that no error ends comes to rest, and the process goes on.
      await new Promise<never>(() => {});
    }
    // Whatever the reader does with its signal: a process that has ended sends nothing.
    throw bounds.reason;
  }

  return {
    transport: (next) => async (request) => {
      const { purpose, method, url, headers, body, secretParameters = [] } = request;
      const call: RecordedCall = {
        ...{ purpose, method, url, headers, secretParameters },
        body: typeof body === "string" ? body : undefined,
        sentMs: now(),
        ...{ status: 0, answeredMs: undefined, retryAfter: undefined },
      };
      all.push(call);
      open.add(call);
      atOnce = Math.max(atOnce, open.size);
      try {
        await checkBounds(purpose, () => {
          if (request.signal?.aborted !== true) unstopped ??= call;
        });
        request.signal?.throwIfAborted();
        const response = await next(request);
        const { "retry-after": retryAfter } = response.headers;
        call.status = response.statusCode;
        call.retryAfter = typeof retryAfter === "string" ? retryAfter : undefined;
        return response;
      } finally {
        call.answeredMs = now();
        open.delete(call);
      }
    },
    all,
    get last() {
      return all.slice(first);
    },
    get atOnce() {
      return atOnce;
    },
    get left() {
      return left;
    },
    get unstopped() {
      return unstopped;
    },
    get isEndless() {
      return isEndless;
    },
    get isOpen() {
      return open.size > 0;
    },
    get signs() {
      return signs;
    },
    begin(given) {
      bounds = given;
      callsBehindEnd = 0;
      unstopped = undefined;
      [first, count, atOnce, isEndless, left] = [all.length, 0, 0, false, []];
    },
    noteSign() {
      signs++;
    },
    stopEndless() {
      isEndless = true;
      bounds?.stop();
    },
    end() {
      bounds = undefined;
      left = [...open];
    },
  };
}
