/** One timer that goes with a call from phase to phase: got's own, one a phase, cost a sixth of a call. */
import type { ClientRequest } from "node:http";
import { isReplayable, type OutgoingRequest } from "./messages.js";
import type { Timeouts } from "./timeouts.js";

export type Phase = "send" | "response" | "read" | "idle" | "total";

const LONGEST_TIMER = 2 ** 31 - 1;

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
      const finished = () => begin("response");
      sent.once("finish", finished);
      // Some answer before they have heard all.
      sent.once("response", () => sent.off("finish", finished));
    },
  };
}
