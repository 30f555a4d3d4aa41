/** Why a run of an author's connector came to nothing, as a finding. */
import path from "node:path";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { RunOutcome } from "./run-connector.js";

export interface RunPlace {
  /** The project's folder. */
  readonly root: string;
  readonly entry: string;
  /** Takes secrets out of a text. */
  readonly hide: (text: string) => string;
}

/** The finding for a run without a result. */
export function failureFinding(
  outcome: Exclude<RunOutcome, { kind: "result" }>,
  { root, entry, hide }: RunPlace,
): Diagnostic {
  switch (outcome.kind) {
    case "hangs":
      return diagnostic("run-hangs", { file: entry }, { seconds: outcome.seconds });
    case "ended":
      return diagnostic("run-ends", { file: entry }, { status: outcome.status });
    case "failed": {
      const { code, reason, file = entry, line, column } = outcome.failure;
      const place = { file: path.resolve(root, file), ...(line && { line }), ...(column && { column }) };
      return diagnostic(code, place, { reason: hide(reason) });
    }
    default:
      return outcome satisfies never;
  }
}
