/** Writes the change log for the users of a connector. */
import path from "node:path";
import { changesPage } from "../../generators/changes-page.js";
import { planFiles } from "../../generators/writer/plan.js";
import { writePlan } from "../../generators/writer/write-files.js";
import type { Change, Verdict } from "../../schemas/compatibility/change.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { WRITING } from "../this-process.js";

/** Writes `file` (absolute); findings say why it could not be. */
export function writeChanges(
  file: string,
  {
    reference,
    verdict,
    changes,
  }: {
    readonly reference: string;
    readonly verdict: Verdict | null;
    readonly changes: readonly Change[];
  },
): readonly Diagnostic[] {
  const folder = path.dirname(file);
  const content = changesPage({ reference, verdict: verdict ?? "none", changes });
  const page = { path: path.basename(file), content, ownership: "generated" } as const;
  return writePlan(folder, planFiles(folder, [page], { existingScaffold: "keep" }), WRITING);
}
