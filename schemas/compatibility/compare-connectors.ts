/** The complete difference between two connectors and the verdict on it, in one call. */
import { comparePointers } from "../diagnostics/diagnostic.js";
import type { ConnectorModel } from "../model/connector-model.js";
import { type Change, type Verdict, verdictOf } from "./change.js";
import { compareConfigurations } from "./configurations.js";
import { compareConnections } from "./connections.js";
import { compareKeys } from "./keys.js";
import { type MatchedConnector, matchConnectors } from "./match-parts.js";
import { compareMetadata } from "./metadata.js";
import { compareNames } from "./names.js";
import { comparePayloads } from "./payloads.js";
import { compareRecords } from "./records.js";
import { compareSwitches } from "./switches.js";
import { type Effort, newEffort } from "./witness/find-witness.js";

export interface Comparison {
  /** The semantic-version step that the changes need. */
  readonly verdict: Verdict;
  /** Every change, by its place on the new side. */
  readonly changes: readonly Change[];
}

const FAMILIES: readonly ((matched: MatchedConnector, effort: Effort) => readonly Change[])[] = [
  compareNames,
  compareConnections,
  compareConfigurations,
  compareRecords,
  compareKeys,
  comparePayloads,
  compareSwitches,
  compareMetadata,
];

/** Every change from `old` to `next`. What both have and is equal but for order and white space is none. */
export function compareConnectors(old: ConnectorModel, next: ConnectorModel): Comparison {
  const matched = matchConnectors(old, next);
  const effort = newEffort();
  const changes = FAMILIES.flatMap((family) => family(matched, effort)).sort(
    (a, b) =>
      comparePointers(a.new.pointer, b.new.pointer) ||
      comparePointers(a.old.pointer, b.old.pointer) ||
      (a.message < b.message ? -1 : a.message > b.message ? 1 : 0),
  );
  return { verdict: verdictOf(changes), changes };
}
