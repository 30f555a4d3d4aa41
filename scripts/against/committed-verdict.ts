/** What an extract would change of the connector.json that was committed, or, outside of git, of the one that is there. */
import path from "node:path";
import type { Verdict } from "../../schemas/compatibility/change.js";
import { readConnectorJson } from "../../schemas/model/from-connector-json/read-connector.js";
import type { LoadedProject } from "../author-project/loaded-project.js";
import { showAt } from "./git.js";

export interface CommittedVerdict {
  readonly verdict: Verdict;
  /** One line for people. */
  readonly text: string;
}

/** The verdict on `project`, extracted to `target`, whose content was `present`. Undefined where there is none yet. */
export async function committedVerdict(
  target: string,
  project: LoadedProject,
  present: string | undefined,
): Promise<CommittedVerdict | undefined> {
  const committed = showAt("HEAD", path.dirname(target), path.basename(target));
  const [old, name] =
    typeof committed === "string"
      ? [committed, "the committed connector.json"]
      : [present, "the connector.json that was there"];
  if (old === undefined) return undefined;
  if (old.replaceAll("\r\n", "\n") === project.connectorJson)
    return { verdict: "none", text: `against ${name}: none` };
  const { model } = readConnectorJson(old, target);
  // Only here is the model of the project needed: reading it takes its time.
  const next = project.model;
  if (model === undefined || next === undefined) return undefined;
  const [{ compareConnectors }, { countsOf, verdictText }] = await Promise.all([
    import("../../schemas/compatibility/compare-connectors.js"),
    import("./changes-text.js"),
  ]);
  const { verdict, changes } = compareConnectors(model, next);
  return { verdict, text: `against ${name}: ${verdictText(verdict, countsOf(changes))}` };
}
