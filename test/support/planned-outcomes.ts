/** How a handler's call ends that was planned in a word. */
import { ResponseError } from "../../runtime/client/errors.js";
import { type ActionContext, failed, succeeded } from "../../runtime/registration/contracts.js";
import type { Handler } from "./processed.js";

/** What a handler does at one call; the killed ones take their worker with them. */
export const PLANS = [
  ...["succeeds", "fails", "misfits", "transient", "unsure", "final", "hangs", "stopped"],
  ...["killed", "killed after intent", "killed after sent", "killed at its end"],
] as const;

/** Attempts by the kind of failure. */
export const MOST = { transient: 4, unsure: 2, final: 1 } as const;

export async function plannedOutcome(
  plan: string,
  record: object,
  signal: ActionContext["signal"],
): ReturnType<Handler> {
  const changes = [{ dataObject: "Item", operation: "upsert", record } as const];
  switch (plan) {
    case "fails":
      return failed({ code: "taken" });
    case "misfits":
      return succeeded({ id: "no number" }, changes);
    case "transient":
      throw new ResponseError("busy", 503);
    case "unsure":
      throw new Error("who knows");
    case "final":
      throw new TypeError("x is undefined");
    case "hangs":
      return new Promise(() => {});
    case "stopped":
      return new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    default:
      return succeeded({ id: 1 }, changes);
  }
}
