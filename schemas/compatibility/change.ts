/** What differs between two connectors, as values: one change, its weight, and the value that shows it. */

import type { ChangeCode, Step } from "./change-catalogue.js";
import type { Json } from "./json.js";

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

/** A place in one of the two files. Line and column (from 1) stand where they are known. */
export interface Site {
  /** RFC 6901, into that side's `connector.json`. */
  readonly pointer: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** A value that one of the two schemas accepts and the other refuses, verified with ajv. */
export interface Witness {
  readonly value: Json;
  readonly acceptedBy: "old" | "new";
  /** `document`: a whole record, payload or configuration; `value`: what stands at the place of the change. */
  readonly scope: "document" | "value";
}

export interface Change {
  readonly code: ChangeCode;
  readonly severity: Step;
  readonly role: ChangeRole;
  readonly message: string;
  /** It can't be decided whether values are refused that must not be; it counts as if they were. */
  readonly undecided: boolean;
  /** For what is on the other side only, what would hold it here. */
  readonly old: Site;
  /** As on the old side. */
  readonly new: Site;
  /** Null where values are at stake and none could be shown; absent where no value can show the change. */
  readonly witness?: Witness | null;
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
