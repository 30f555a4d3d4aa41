/** Changes between two connectors as findings, for the formats that know findings only. */
import type { Change } from "../../schemas/compatibility/change.js";
import { witnessLines } from "../against/changes-text.js";
import type { Reported } from "./reported.js";

const SEVERITIES = { major: "warning", minor: "info", patch: "info" } as const;

/**
 * One finding a change, where it is in the project. A change that reaches `--fail-on` is an error, another major one
 * a warning.
 */
export function changesAsFindings(
  changes: readonly Change[],
  stops: (change: Change) => boolean,
): readonly Reported[] {
  return changes.map((change) => {
    const { code, severity, message, new: site } = change;
    return {
      ...site,
      code,
      severity: stops(change) ? "error" : SEVERITIES[severity],
      message: `${severity[0]?.toUpperCase()}${severity.slice(1)} change: ${message}`,
      fix: witnessLines(change).join(" "),
    };
  });
}
