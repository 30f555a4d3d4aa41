/** Ends phases of calls that take too long, by one ticking timer for all: timers of each cost a sixth of a call. */
import type { ClientRequest } from "node:http";
import { isReplayable, type OutgoingRequest } from "./messages.js";
import type { Timeouts } from "./timeouts.js";

export type Phase = "connect" | "send" | "response" | "read" | "idle" | "total";

/** Milliseconds by which a phase may take longer. */
const TICK_MS = 20;

/** What is told the time while it lasts; the timer stops at a tick that finds nothing. */
const watched = new Set<(now: number) => void>();
let ticker: NodeJS.Timeout | undefined;

/** Destroys `stream` once a phase takes too long, or all of them together longer than `leftMs`. */
export function phaseTimer(
  stream: { destroy(error: Error): void },
  { connectMs = 0, responseMs = 0, bodyMs = 0, idleMs = 0 }: Timeouts,
  leftMs = Number.POSITIVE_INFINITY,
) {
  const bodies = { send: bodyMs, read: bodyMs };
  const limits = { connect: connectMs, ...bodies, response: responseMs, idle: idleMs, total: leftMs };
  const last = performance.now() + leftMs;
  let phase: Phase = "total";
  let deadline = last;
  let overdue: Phase | undefined;

  function check(now: number): void {
    if (now < deadline && now < last) return;
    overdue = now < last ? phase : "total";
    end();
    stream.destroy(new Error(overdue));
  }

  function begin(next: Phase): void {
    phase = next;
    deadline = performance.now() + limits[next];
    watch(check);
  }

  function end(): void {
    watched.delete(check);
  }

  if (leftMs !== Number.POSITIVE_INFINITY) watch(check);
  return {
    begin,
    end,
    /** The phase that took too long. */
    overdue: () => overdue,
    /** Times a request from when it has its turn to its answer. */
    follow: (sent: ClientRequest, request: OutgoingRequest) => {
      const sends = request.body !== undefined && isReplayable(request) ? "send" : "total";
      sent.once("socket", (socket) => {
        if (!socket.connecting) return begin(sends);
        begin("connect");
        socket.once("encrypted" in socket ? "secureConnect" : "connect", () => begin(sends));
      });
      const finished = () => begin("response");
      sent.once("finish", finished);
      // Some answer before they have heard all.
      sent.once("response", () => sent.off("finish", finished));
    },
  };
}

function watch(check: (now: number) => void): void {
  watched.add(check);
  // The connection that is timed keeps the process alive.
  ticker ??= setInterval(tick, TICK_MS).unref();
}

function tick(): void {
  const now = performance.now();
  for (const check of watched) check(now);
  if (watched.size > 0) return;
  clearInterval(ticker);
  ticker = undefined;
}
