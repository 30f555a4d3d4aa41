/** How long each phase of a call may take. One timer goes from phase to phase: got's, one a phase, cost more. */
import type { ClientRequest } from "node:http";
import { isReplayable, type OutgoingRequest } from "./messages.js";

export interface Timeouts {
  /** For looking up the host, for connecting and for the TLS handshake, each; 10,000 ms. */
  readonly connectMs?: number | undefined;
  /** From the request's last byte to the first of the answer; 60,000 ms. */
  readonly responseMs?: number | undefined;
  /** For the body of a request, and for that of an answer, unless they are streams; 120,000 ms. */
  readonly bodyMs?: number | undefined;
  /** Between two pieces of a streamed answer; 60,000 ms. */
  readonly idleMs?: number | undefined;
}

export type Phase = "send" | "response" | "read" | "idle" | "total";

const LONGEST_TIMER = 2 ** 31 - 1;

/** The times, with those that are left out. */
export function timeoutsOf({ connectMs, responseMs, bodyMs, idleMs }: Timeouts = {}) {
  return {
    connectMs: connectMs ?? 10_000,
    responseMs: responseMs ?? 60_000,
    bodyMs: bodyMs ?? 120_000,
    idleMs: idleMs ?? 60_000,
  };
}

/** Destroys `stream` once a phase takes too long, or all of them together longer than `leftMs`. */
export function phaseTimer(
  stream: { destroy(error: Error): void },
  { responseMs = 0, bodyMs = 0, idleMs = 0 }: Timeouts,
  leftMs = Number.POSITIVE_INFINITY,
) {
  const limits = { send: bodyMs, response: responseMs, read: bodyMs, idle: idleMs, total: leftMs };
  const last = performance.now() + leftMs;
  let timer: NodeJS.Timeout | undefined;
  let overdue: Phase | undefined;

  function begin(phase: Phase): void {
    const left = last - performance.now();
    const ends = limits[phase] < left ? phase : "total";
    clearTimeout(timer);
    const end = () => {
      overdue = ends;
      stream.destroy(new Error(ends));
    };
    timer = setTimeout(end, Math.min(limits[phase], left, LONGEST_TIMER));
  }

  if (leftMs !== Number.POSITIVE_INFINITY) begin("total");
  return {
    begin,
    end: () => clearTimeout(timer),
    /** The phase that took too long. */
    overdue: () => overdue,
    /** Times a request from when it has a connection to its answer. */
    follow: (sent: ClientRequest, request: OutgoingRequest) => {
      if (request.body !== undefined && isReplayable(request)) sent.once("socket", () => begin("send"));
      sent.once("finish", () => begin("response"));
    },
  };
}
