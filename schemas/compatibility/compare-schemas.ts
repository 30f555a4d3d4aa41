/** Compares two schemas for one role: every difference, classified, and what is proven of the whole. */
import { jsonPointer } from "../json.js";
import { type Change, type ChangedPart, changeMessage, partChange } from "./change.js";
import { type ClassifiedDifference, classify, isRead, type Proof } from "./classify.js";
import { type Answer, type InstanceStep, type SchemaPair, walkSchemas } from "./differences.js";
import { SubsetProver } from "./prover.js";
import { SchemaInterner } from "./schema-interner.js";
import type { SchemaNode } from "./schema-node.js";
import { SchemaSide, type SidedSchema } from "./schema-side.js";
import { newSearchBudget, type SearchBudget } from "./witness.js";

/** Two schemas. Messages call the value of the whole schema `what`: `data object "Employee"`. */
export interface SchemaQuestion extends ChangedPart {
  readonly old: SchemaNode;
  readonly new: SchemaNode;
}

export interface SchemaComparison {
  readonly changes: readonly Change[];
  /** Whether every value that the old schema accepts is accepted by the new one: proven, refuted by a value, or unknown. */
  readonly oldFitsNew: Answer;
  readonly newFitsOld: Answer;
}

/** Steps of all proofs of one comparison, and more for each object and array of the schemas. */
const PROOF_STEPS = 20_000;
const PROOF_STEPS_PER_NODE = 4;

/** Everything that differs between the two schemas. Values are searched for as long as `budget` lasts. */
export function compareSchemas(
  question: SchemaQuestion,
  budget: SearchBudget = newSearchBudget(),
): SchemaComparison {
  const interner = new SchemaInterner();
  try {
    if (interner.textNumber(question.old) === interner.textNumber(question.new)) return NO_CHANGES;
    return compareDifferent(question, interner, budget);
  } catch (error) {
    // The stack has overflowed.
    if (!(error instanceof RangeError)) throw error;
    const changes = [undecidedChange(question, "it is nested too deeply")];
    return { changes, oldFitsNew: "unknown", newFitsOld: "unknown" };
  }
}

const NO_CHANGES: SchemaComparison = { changes: [], oldFitsNew: "yes", newFitsOld: "yes" };

interface PlacedDifference {
  readonly pair: SchemaPair;
  readonly classified: ClassifiedDifference;
}

function compareDifferent(
  question: SchemaQuestion,
  interner: SchemaInterner,
  budget: SearchBudget,
): SchemaComparison {
  const { role, oldPointer, newPointer } = question;
  const oldSide = new SchemaSide(question.old);
  const newSide = new SchemaSide(question.new);
  const maxSteps = PROOF_STEPS + PROOF_STEPS_PER_NODE * (oldSide.size + newSide.size);
  const proverOptions = {
    interner,
    maxSteps,
    referencesAgree: referencesAgree(oldSide, newSide, (node) => interner.schemaNumber(node)),
  };
  const forwards = new SubsetProver(proverOptions);
  const backwards = new SubsetProver(proverOptions);
  const relate = (old: readonly SidedSchema[], next: readonly SidedSchema[]) => ({
    oldFitsNew: () => next.every((schema) => forwards.fits(old, schema)),
    newFitsOld: () => old.every((schema) => backwards.fits(next, schema)),
  });
  const onSide = (side: SchemaSide) => (node: SchemaNode) => ({ node, side });
  const proofOf = (old: SidedSchema, next: SidedSchema): Proof => ({
    ...relate([old], [next]),
    proofOf: (nodes) => relate(nodes.old.map(onSide(oldSide)), nodes.new.map(onSide(newSide))),
    isImpossible: (node) => backwards.fits([onSide(newSide)(node)], onSide(oldSide)(false)),
  });
  const found: PlacedDifference[] = [];
  walkSchemas(
    { old: question.old, new: question.new, oldSide, newSide, oldPointer, newPointer, path: [] },
    {
      interner,
      oldBase: oldPointer,
      newBase: newPointer,
      referencesAgree: referencesAgree(oldSide, newSide, (node) => interner.textNumber(node)),
      onDifferences: (pair, differences) => {
        const proof = proofOf({ node: pair.old, side: oldSide }, { node: pair.new, side: newSide });
        const classified = classify(pair, differences, { role, proof, budget });
        found.push(...classified.map((classified) => ({ pair, classified })));
      },
    },
  );
  const whole = proofOf({ node: question.old, side: oldSide }, { node: question.new, side: newSide });
  const oldFitsNew = whole.oldFitsNew() ? "yes" : refutedBy(found, "old");
  const newFitsOld = whole.newFitsOld() ? "yes" : refutedBy(found, "new");
  const isHarmless = (isRead(role) ? newFitsOld : oldFitsNew) === "yes";
  const isExhausted = forwards.isExhausted || backwards.isExhausted;
  return {
    changes: [
      ...found.map(({ pair, classified }) => changeOf(question, pair, classified)),
      ...undecidedFallback(question, found, { isHarmless, isExhausted }),
    ],
    oldFitsNew,
    newFitsOld,
  };
}

/** Whether every reference of one side leads to what it leads to on the other. */
function referencesAgree(old: SchemaSide, next: SchemaSide, numberOf: (node: SchemaNode) => number): boolean {
  return [...new Set([...old.references, ...next.references])].every((reference) => {
    const [oldTarget, newTarget] = [old.target(reference), next.target(reference)];
    return oldTarget !== undefined && newTarget !== undefined && numberOf(oldTarget) === numberOf(newTarget);
  });
}

/** `no` if a whole value was found that only `acceptedBy` accepts. */
function refutedBy(found: readonly PlacedDifference[], acceptedBy: "old" | "new"): Answer {
  const isRefuted = found.some(
    ({ classified: { witness } }) => witness?.scope === "document" && witness.acceptedBy === acceptedBy,
  );
  return isRefuted ? "no" : "unknown";
}

/** The change for what no single difference is about: nothing passes in silence that is not proven harmless. */
function undecidedFallback(
  question: SchemaQuestion,
  found: readonly PlacedDifference[],
  { isHarmless, isExhausted }: { readonly isHarmless: boolean; readonly isExhausted: boolean },
): readonly Change[] {
  const isReported = found.some(
    ({ classified: { difference } }) =>
      (isRead(question.role) ? difference.widens : difference.narrows) !== "no",
  );
  if (!isHarmless && !isReported) {
    const reason = isExhausted ? "there are too many combinations" : "its parts depend on each other";
    return [undecidedChange(question, reason)];
  }
  if (found.length > 0) return [];
  return [partChange("written-otherwise", question, {})];
}

function undecidedChange(question: SchemaQuestion, reason: string): Change {
  return { ...partChange("schema-undecided", question, { reason }), undecided: true, witness: null };
}

function changeOf(
  question: SchemaQuestion,
  pair: SchemaPair,
  { difference, severity, undecided, witness }: ClassifiedDifference,
): Change {
  const { code, parameters, property, onlyOn } = difference;
  const inside = jsonPointer(difference.steps ?? []);
  const path: readonly InstanceStep[] =
    property === undefined ? pair.path : [...pair.path, { kind: "member", name: property }];
  const what = path.length === 0 ? question.what : `"${pathText(path)}" of ${question.what}`;
  return {
    code,
    severity,
    role: question.role,
    message: changeMessage(code, { ...parameters, what }),
    undecided,
    old: { pointer: pair.oldPointer + (onlyOn === "new" ? "" : inside) },
    new: { pointer: pair.newPointer + (onlyOn === "old" ? "" : inside) },
    ...(witness !== undefined && { witness }),
  };
}

/** `address.lines[]`: how people name a place in a value. */
function pathText(path: readonly InstanceStep[]): string {
  return path
    .map((step) => (step.kind === "member" ? `.${step.name}` : step.kind === "item" ? "[]" : ".*"))
    .join("")
    .replace(/^\./, "");
}
