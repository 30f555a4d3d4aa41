/** A change of what is no schema: no value can show it. */
import { fill } from "../diagnostics/diagnostic.js";
import { upperFirst } from "../naming/words.js";
import type { Change, ChangeRole } from "./change.js";
import { CHANGES, type ChangeCode, type ChangeParameters } from "./change-catalogue.js";

export interface ChangedPart {
  readonly role: ChangeRole;
  readonly what: string;
  readonly oldPointer: string;
  readonly newPointer: string;
}

/** The change `code` of `part`, as severe as the catalogue says. */
export function partChange<Code extends ChangeCode>(
  code: Code,
  { role, what, oldPointer, newPointer }: ChangedPart,
  parameters: Omit<ChangeParameters<Code>, "what">,
): Change {
  const { severity, message } = CHANGES[code];
  return {
    code,
    severity: severity === "values" ? "major" : severity,
    role,
    message: upperFirst(fill(message, { ...parameters, what })),
    undecided: false,
    old: { pointer: oldPointer },
    new: { pointer: newPointer },
  };
}

/** The part further in, on both sides. */
export function inPart(part: ChangedPart, pointer: string): ChangedPart {
  return { ...part, oldPointer: part.oldPointer + pointer, newPointer: part.newPointer + pointer };
}
