/** What an extract would change of the connector.json that was committed, or, outside of git, of the one that is there. */
import path from "node:path";
import type { Verdict } from "../../schemas/compatibility/change.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { readConnectorJson } from "../../schemas/model/from-connector-json/read-connector.js";
import { showAt } from "./git.js";

export interface CommittedVerdict {
  readonly verdict: Verdict;
  /** One line for people. */
  readonly text: string;
}

/** The verdict on `next`, written as `text` to `target`, whose content is `present`. Undefined where there is none yet. */
export async function committedVerdict(
  target: string,
  next: ConnectorModel,
  { text, present }: { readonly text: string; readonly present: string | undefined },
): Promise<CommittedVerdict | undefined> {
  const committed = showAt("HEAD", path.dirname(target), path.basename(target));
  const [old, name] =
    typeof committed === "string"
      ? [committed, "the committed connector.json"]
      : [present, "the connector.json that was there"];
  if (old === undefined) return undefined;
  if (old === text) return { verdict: "none", text: `against ${name}: none` };
  const { model } = readConnectorJson(old, target);
  if (model === undefined) return undefined;
  const [{ compareConnectors }, { countsOf, verdictText }] = await Promise.all([
    import("../../schemas/compatibility/compare-connectors.js"),
    import("./changes-text.js"),
  ]);
  const { verdict, changes } = compareConnectors(model, next);
  return { verdict, text: `against ${name}: ${verdictText(verdict, countsOf(changes))}` };
}
