/** What an extract would change of the connector.json that was committed, or, outside of git, of the one that is there. */
import path from "node:path";
import type { Change, Verdict } from "../../schemas/compatibility/change.js";
import { readConnectorJson } from "../../schemas/model/from-connector-json/read-connector.js";
import type { LoadedProject } from "../author-project/loaded-project.js";
import { readAtRevision } from "./old-connector.js";

export interface CommittedVerdict {
  readonly verdict: Verdict;
  /** What the project was compared with. */
  readonly reference: "committed" | "present";
  readonly changes: readonly Change[];
}

/**
 * The verdict on `project`, extracted to `target`, whose content was `present`. Undefined if there is no earlier
 * connector.json, or if one of the two can't be read.
 */
export async function committedVerdict(
  target: string,
  project: LoadedProject,
  present: string | undefined,
): Promise<CommittedVerdict | undefined> {
  const committed = readAtRevision("HEAD", path.dirname(target), path.basename(target));
  const [old, reference] =
    typeof committed === "string" ? ([committed, "committed"] as const) : ([present, "present"] as const);
  if (old === undefined) return undefined;
  if (old.replaceAll("\r\n", "\n") === project.connectorJson)
    return { verdict: "none", reference, changes: [] };
  const { model } = readConnectorJson(old, target);
  // Only here is the model of the project needed: reading it takes its time.
  const next = project.model;
  if (model === undefined || next === undefined) return undefined;
  const { compareConnectors } = await import("../../schemas/compatibility/compare-connectors.js");
  return { reference, ...compareConnectors(model, next) };
}
