/** Schemas of records: readers get what they let through (spec §2.6). */

import type { Change } from "./change.js";
import { documentChanges } from "./document-changes.js";
import type { MatchedConnector } from "./match-parts.js";
import type { Effort } from "./witness/find-witness.js";

export function compareRecords({ dataObjects }: MatchedConnector, effort: Effort): readonly Change[] {
  return dataObjects.flatMap(({ old, new: next, ...where }) =>
    documentChanges(old.schema, next.schema, { ...where, role: "record", pointer: "/schema", effort }),
  );
}
