/** What differs between two connectors, as values: one change, its severity, and the value that shows it. */
import { fill } from "../diagnostics/diagnostic.js";
import type { JsonValue } from "../json.js";
import { upperFirst } from "../naming/words.js";
import { CHANGES, type ChangeCode, type ChangeParameters, type Step } from "./change-catalogue.js";

/** The semantic-version step that a set of changes needs. */
export type Verdict = Step | "none";

/**
 * Who meets the values of a schema. Of records, outputs and failures readers get them; inputs and configurations
 * are sent by writers; values of connections are stored already.
 */
export type ChangeRole =
  | "connector"
  | "connection"
  | "configuration"
  | "module"
  | "record"
  | "input"
  | "output"
  | "failure"
  | "key"
  | "action";

/** A place in one of the two files. */
export interface Site {
  /** RFC 6901, into that side's `connector.json`. */
  readonly pointer: string;
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  /** From 1. */
  readonly column?: number;
}

/** A value that one of the two schemas accepts and the other refuses, verified with ajv. */
export interface Witness {
  readonly value: JsonValue;
  readonly acceptedBy: "old" | "new";
  /** `document`: a whole record, payload or configuration; `value`: what stands at the place of the change. */
  readonly scope: "document" | "value";
}

/** What has become of the value, as the rest of a sentence that begins with it. */
export function witnessWords({ acceptedBy }: Witness): string {
  return acceptedBy === "old" ? "was accepted and is refused now" : "was refused and is accepted now";
}

export interface Change {
  readonly code: ChangeCode;
  readonly severity: Step;
  readonly role: ChangeRole;
  readonly message: string;
  /** It can't be decided whether values are refused that must not be; it counts as if they were. */
  readonly undecided: boolean;
  /** If the part is on the other side only, the place of what would hold it here. */
  readonly old: Site;
  /** As on the old side. */
  readonly new: Site;
  /** Null if values are at stake and none was found that shows the change; absent if no value can show it. */
  readonly witness?: Witness | null;
}

/** What a change is about, and where it stands on both sides. */
export interface ChangedPart {
  readonly role: ChangeRole;
  readonly what: string;
  readonly oldPointer: string;
  readonly newPointer: string;
}

/** The change `code` of a part that is no schema: as severe as the catalogue says, and no value can show it. */
export function partChange<Code extends ChangeCode>(
  code: Code,
  { role, what, oldPointer, newPointer }: ChangedPart,
  parameters: Omit<ChangeParameters<Code>, "what">,
): Change {
  const { severity } = CHANGES[code];
  return {
    code,
    severity: severity === "values" ? "major" : severity,
    role,
    message: changeMessage(code, { ...parameters, what }),
    undecided: false,
    old: { pointer: oldPointer },
    new: { pointer: newPointer },
  };
}

/** The sentence of `code`, with all of its parameters. */
export function changeMessage(
  code: ChangeCode,
  parameters: Readonly<Record<string, string | number>>,
): string {
  return upperFirst(fill(CHANGES[code].message, parameters));
}

/** The part at `pointer` inside `part`, on both sides. */
export function innerPart(part: ChangedPart, pointer: string): ChangedPart {
  return { ...part, oldPointer: part.oldPointer + pointer, newPointer: part.newPointer + pointer };
}

const STEPS: readonly Verdict[] = ["none", "patch", "minor", "major"];

/** The largest step that one of `changes` needs. */
export function verdictOf(changes: readonly Change[]): Verdict {
  return changes.reduce<Verdict>(
    (verdict, { severity }) => (STEPS.indexOf(severity) > STEPS.indexOf(verdict) ? severity : verdict),
    "none",
  );
}

/** Whether `verdict` is at least the step `limit`; `any` is every change. */
export function reaches(verdict: Verdict, limit: "major" | "minor" | "any"): boolean {
  return STEPS.indexOf(verdict) >= STEPS.indexOf(limit === "any" ? "patch" : limit);
}
