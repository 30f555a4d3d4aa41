/** What a difference means to those who meet the values: its severity, and the value that shows it. */
import type { ChangeRole, Witness } from "../change.js";
import { CHANGES, type Step } from "../change-catalogue.js";
import { type Effort, findWitness } from "../witness/find-witness.js";
import type { Answer, Facet, Pair } from "./facet.js";

/** A facet with what it weighs. */
export interface Weighed {
  readonly facet: Facet;
  readonly severity: Step;
  readonly undecided: boolean;
  /** Null where one was looked for in vain; undefined where no value can show it. */
  readonly witness: Witness | null | undefined;
}

/** What is proven of a pair: whether every value of the one side is accepted by the other. */
export interface Proven {
  readonly oldFitsNew: () => boolean;
  readonly newFitsOld: () => boolean;
}

/** Roles whose values are read: there a value that was impossible is the one that breaks. */
const READ: readonly ChangeRole[] = ["record", "output", "failure"];

export function isRead(role: ChangeRole): boolean {
  return READ.includes(role);
}

/** The facets of `pair` weighed for `role`. */
export function weigh(
  pair: Pair,
  facets: readonly Facet[],
  { role, proven, effort }: { readonly role: ChangeRole; readonly proven: Proven; readonly effort: Effort },
): readonly Weighed[] {
  const corrected = facets.map((facet) => (facet.isSilent === true ? facet : held(facet, proven)));
  const weighed = corrected
    .filter((facet) => !isIdle(facet))
    .map((facet) => weighOne(pair, facet, { role, effort }));
  if (!corrected.some(isIdle)) return weighed;
  const same: Facet = { ...NOTHING, code: "written-otherwise", parameters: {} };
  return [...weighed, { facet: same, severity: "patch", undecided: false, witness: undefined }];
}

const NOTHING = { narrows: "no", widens: "no", keywords: [], isSilent: true } as const;

/** The facet with what is proven of the pair taken into account. */
function held(facet: Facet, { oldFitsNew, newFitsOld }: Proven): Facet {
  return {
    ...facet,
    narrows: facet.narrows !== "no" && oldFitsNew() ? "no" : facet.narrows,
    widens: facet.widens !== "no" && newFitsOld() ? "no" : facet.widens,
  };
}

function isIdle({ narrows, widens, isSilent, isCertain }: Facet): boolean {
  return narrows === "no" && widens === "no" && isSilent !== true && isCertain !== true;
}

function weighOne(
  pair: Pair,
  facet: Facet,
  { role, effort }: { readonly role: ChangeRole; readonly effort: Effort },
): Weighed {
  const fixed = fixedSeverity(facet, role);
  if (facet.isSilent === true) {
    return { facet, severity: fixed ?? "patch", undecided: false, witness: undefined };
  }
  const harm = isRead(role) ? facet.widens : facet.narrows;
  const harmful = isRead(role) ? "new" : "old";
  const harmless = isRead(role) ? "old" : "new";
  if (harm === "no") {
    const other = isRead(role) ? facet.narrows : facet.widens;
    const witness =
      other === "no" ? undefined : (findWitness(pair, facet, { acceptedBy: harmless, effort }) ?? null);
    return { facet, severity: fixed ?? "minor", undecided: false, witness };
  }
  const witness = findWitness(pair, facet, { acceptedBy: harmful, effort }) ?? null;
  const decided = answered(facet, harmful, witness);
  return {
    facet: decided,
    severity: fixed ?? "major",
    undecided: harm === "unknown" && witness === null,
    witness,
  };
}

/** A value that is shown decides what could not be decided. */
function answered(facet: Facet, acceptedBy: "old" | "new", witness: Witness | null): Facet {
  if (witness === null) return facet;
  const answer: Answer = "yes";
  return acceptedBy === "old" ? { ...facet, narrows: answer } : { ...facet, widens: answer };
}

function fixedSeverity({ code, severity }: Facet, role: ChangeRole): Step | undefined {
  if (severity !== undefined) return severity;
  // What stood under a name that nobody had described is no one's contract.
  if (code === "property-added" && !isRead(role)) return "minor";
  const entry = CHANGES[code].severity;
  return entry === "values" ? undefined : entry;
}
