/** Schemas of actions: writers send inputs, readers get outputs and failures (spec §2.7). */
import type { Change } from "./change.js";
import { documentChanges } from "./document-changes.js";
import type { MatchedConnector } from "./match-parts.js";
import type { Effort } from "./witness/find-witness.js";

const PAYLOADS = ["input", "output", "failure"] as const;

export function comparePayloads({ actions }: MatchedConnector, effort: Effort): readonly Change[] {
  return actions.flatMap(({ old, new: next, what, ...where }) =>
    PAYLOADS.flatMap((role) =>
      documentChanges(old[role], next[role], {
        ...where,
        what: `the ${role} of ${what}`,
        role,
        pointer: `/${role}Schema`,
        effort,
      }),
    ),
  );
}
