/** One difference at one place of two schemas, before it is weighed. */
import type { ChangeCode, ChangeParameters, Step } from "../change-catalogue.js";
import type { Json, Node } from "../json.js";
import type { SchemaSide } from "../schema-side.js";

/** Whether values are refused (or accepted) that were not. */
export type Answer = "yes" | "no" | "unknown";

/** From a value to one inside it. */
export type InstanceStep =
  | { readonly kind: "member"; readonly name: string }
  | { readonly kind: "item" }
  | { readonly kind: "value" };

/** Two schemas at the same place. */
export interface Pair {
  readonly old: Node;
  readonly new: Node;
  readonly oldSide: SchemaSide;
  readonly newSide: SchemaSide;
  /** Pointers into the two files. */
  readonly oldPointer: string;
  readonly newPointer: string;
  readonly path: readonly InstanceStep[];
}

export interface Facet {
  readonly code: ChangeCode;
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly narrows: Answer;
  readonly widens: Answer;
  /** Keywords by which a value that shows it is refused; none where any will do. */
  readonly keywords: readonly string[];
  /** Values that may show it, beside those that every pair is tried with. */
  readonly candidates?: (side: "old" | "new") => readonly Json[];
  /** A severity that does not depend on the values. */
  readonly severity?: Step;
  /** No value can show it. */
  readonly isSilent?: boolean;
  /** Where it stands inside the pair, as pointer steps; `on` where it stands on one side only. */
  readonly steps?: readonly string[];
  readonly on?: "old" | "new";
  /** What it speaks of, where that is a member of the pair's value. */
  readonly member?: string;
  /** It is told of even where the accepted values stay the same. */
  readonly isCertain?: boolean;
}

/** The facet `code`; `{what}` is filled in when it is weighed. */
export function facet<Code extends ChangeCode>(
  code: Code,
  parameters: Omit<ChangeParameters<Code>, "what">,
  rest: Omit<Facet, "code" | "parameters">,
): Facet {
  return { code, parameters: parameters as Facet["parameters"], ...rest };
}

/** Values are refused that were accepted. */
export const NARROWS = { narrows: "yes", widens: "no" } as const;
/** Values are accepted that were refused. */
export const WIDENS = { narrows: "no", widens: "yes" } as const;
export const CHANGES_BOTH = { narrows: "yes", widens: "yes" } as const;
export const CAN_NOT_TELL = { narrows: "unknown", widens: "unknown" } as const;
/** The accepted values stay the same. */
export const KEEPS = { narrows: "no", widens: "no" } as const;
