/** Compares two connectors that are loaded already. What does that is only loaded when it is needed. */
import type { Change, Verdict } from "../../schemas/compatibility/change.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";

/** What changed from `old` to `now`, and what that is to users of the connector. */
export async function compareModels(
  old: ConnectorModel,
  now: ConnectorModel,
): Promise<{ readonly verdict: Verdict; readonly changes: readonly Change[] }> {
  const { compareConnectors } = await import("../../schemas/compatibility/compare-connectors.js");
  return compareConnectors(old, now);
}
