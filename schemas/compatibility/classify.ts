/** What a difference means to those who meet the values: its severity, and the value that shows it. */
import type { ChangeRole, Witness } from "./change.js";
import { CHANGES, type Step } from "./change-catalogue.js";
import type { Answer, Difference, SchemaPair } from "./differences.js";
import { isSchemaNode, propertySchema, type SchemaNode } from "./schema-node.js";
import { findWitness, isAnythingAccepted, type SearchBudget } from "./witness.js";

export interface ClassifiedDifference {
  /** With what is proven, and what a witness shows, taken into account. */
  readonly difference: Difference;
  readonly severity: Step;
  readonly undecided: boolean;
  /** Null if one was looked for in vain; undefined if no value can show the difference. */
  readonly witness: Witness | null | undefined;
}

/** What is proven of a pair of schemas. Asked only if it matters: proofs take time. */
export interface Proof {
  /** Whether every value that the old schema accepts is accepted by the new one. */
  readonly oldFitsNew: () => boolean;
  readonly newFitsOld: () => boolean;
  /** The same of other schemas of the two sides, all of which hold. */
  readonly proofOf: (nodes: NonNullable<Difference["decidedBy"]>) => Pick<Proof, "oldFitsNew" | "newFitsOld">;
  /** Whether the new side accepts no value at all by `node`. */
  readonly isImpossible: (node: SchemaNode) => boolean;
}

export interface ClassifyOptions {
  readonly role: ChangeRole;
  readonly proof: Proof;
  readonly budget: SearchBudget;
}

const ROLES_OF_READERS: readonly ChangeRole[] = ["record", "output", "failure"];

/** Whether the values of `role` are read: there a value that was impossible is the one that breaks. */
export function isRead(role: ChangeRole): boolean {
  return ROLES_OF_READERS.includes(role);
}

/** The differences of `pair` with their severities. Those that change no accepted value become one. */
export function classify(
  pair: SchemaPair,
  differences: readonly Difference[],
  { role, proof, budget }: ClassifyOptions,
): readonly ClassifiedDifference[] {
  const proven = differences.map((difference) => withProof(difference, proof));
  const classified = proven
    .filter((difference) => !isWithoutEffect(difference))
    .map((difference) => classifyDifference(pair, difference, { role, budget, proof }));
  return proven.some(isWithoutEffect) ? [...classified, WRITTEN_OTHERWISE] : classified;
}

const WRITTEN_OTHERWISE: ClassifiedDifference = {
  difference: {
    code: "written-otherwise",
    parameters: {},
    narrows: "no",
    widens: "no",
    keywords: [],
    isAnnotation: true,
  },
  severity: "patch",
  undecided: false,
  witness: undefined,
};

function withProof(difference: Difference, proof: Proof): Difference {
  if (difference.isAnnotation === true) return difference;
  const { narrows, widens, decidedBy } = difference;
  const inner = decidedBy && proof.proofOf(decidedBy);
  const isDecidedInside = (answer: Answer, fits: "oldFitsNew" | "newFitsOld") =>
    answer === "unknown" && inner?.[fits]() === true;
  const isDisproven = (answer: Answer, fits: "oldFitsNew" | "newFitsOld") =>
    answer !== "no" && (isDecidedInside(answer, fits) || proof[fits]());
  return {
    ...difference,
    narrows: isDisproven(narrows, "oldFitsNew") ? "no" : narrows,
    widens: isDisproven(widens, "newFitsOld") ? "no" : widens,
  };
}

function isWithoutEffect({ narrows, widens, isAnnotation, isAlwaysReported }: Difference): boolean {
  return narrows === "no" && widens === "no" && isAnnotation !== true && isAlwaysReported !== true;
}

function classifyDifference(
  pair: SchemaPair,
  difference: Difference,
  { role, budget, proof }: ClassifyOptions,
): ClassifiedDifference {
  if (difference.isAnnotation === true) {
    const severity = fixedSeverity(difference) ?? "patch";
    return { difference, severity, undecided: false, witness: undefined };
  }
  const { narrows, widens } = difference;
  const [breaking, extending] = isRead(role) ? [widens, narrows] : [narrows, widens];
  const [breakingSide, extendingSide] = isRead(role) ? (["new", "old"] as const) : (["old", "new"] as const);
  const witnessOf = (acceptedBy: "old" | "new") => {
    const isSearched = budget.searchesLeft > 0;
    return { isSearched, witness: findWitness(pair, difference, { acceptedBy, budget }) ?? null };
  };
  const fixed = fixedSeverity(difference);
  if (breaking === "no") {
    const witness = extending === "no" ? undefined : witnessOf(extendingSide).witness;
    return { difference, severity: fixed ?? "minor", undecided: false, witness };
  }
  const { witness, isSearched } = witnessOf(breakingSide);
  // Nobody relies on what stood under a name that nobody had described.
  if (!isRead(role) && isNewName(pair, difference, proof)) {
    return { difference, severity: "minor", undecided: false, witness };
  }
  return {
    difference: witness === null ? difference : asShown(difference, breakingSide),
    severity: "major",
    // What a keyword says need not be what all of them say together.
    undecided: fixed === undefined && witness === null && (breaking === "unknown" || isSearched),
    witness,
  };
}

/** Whether `difference` is a property that can be sent, under a name for which everything was accepted. */
function isNewName(pair: SchemaPair, { code, property, wasUndescribed }: Difference, proof: Proof): boolean {
  if (code !== "property-added" || property === undefined || wasUndescribed !== true) return false;
  const schema = propertySchema(pair.new, property);
  if (!isSchemaNode(schema) || proof.isImpossible(schema)) return false;
  return isAnythingAccepted(pair, property);
}

/** A value that is shown decides what could not be decided. */
function asShown(difference: Difference, acceptedBy: "old" | "new"): Difference {
  const shown: Answer = "yes";
  return acceptedBy === "old" ? { ...difference, narrows: shown } : { ...difference, widens: shown };
}

function fixedSeverity({ code, severity }: Difference): Step | undefined {
  if (severity !== undefined) return severity;
  const entry = CHANGES[code].severity;
  return entry === "values" ? undefined : entry;
}
