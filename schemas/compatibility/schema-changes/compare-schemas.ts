/** Compares two schemas for one role: every difference, weighed, and what is proven of the whole. */

import { fill } from "../../diagnostics/diagnostic.js";
import { jsonPointer } from "../../naming/json-pointer.js";
import { upperFirst } from "../../naming/words.js";
import type { Change, ChangeRole, Site } from "../change.js";
import { CHANGES } from "../change-catalogue.js";
import { Identity } from "../identity.js";
import type { Node } from "../json.js";
import { SchemaSide } from "../schema-side.js";
import type { Entry } from "../subset/conjunction.js";
import { Prover } from "../subset/prover.js";
import { type Effort, newEffort } from "../witness/find-witness.js";
import type { Answer, Facet, InstanceStep, Pair } from "./facet.js";
import { walkPair } from "./walk.js";
import { isRead, type Proven, type Weighed, weigh } from "./weigh.js";

export interface SchemaQuestion {
  readonly old: Node;
  readonly new: Node;
  readonly role: ChangeRole;
  /** What messages call the value of the whole schema: `data object "Employee"`. */
  readonly what: string;
  /** Where the schemas stand in their files. */
  readonly oldPointer: string;
  readonly newPointer: string;
}

export interface SchemaComparison {
  readonly changes: readonly Change[];
  /** Whether every value that the old schema accepts is accepted by the new one: proven, refuted by a value, or open. */
  readonly oldFitsNew: Answer;
  readonly newFitsOld: Answer;
}

const STEPS = 20_000;
const STEPS_A_PART = 4;

/** Everything that differs between the two schemas. Values are looked for as long as `effort` lasts. */
export function compareSchemas(question: SchemaQuestion, effort = newEffort()): SchemaComparison {
  const identity = new Identity();
  try {
    if (identity.ofText(question.old) === identity.ofText(question.new)) return SAME;
    return compare(question, identity, effort);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const changes = [undecided(question, "it is nested too deeply")];
    return { changes, oldFitsNew: "unknown", newFitsOld: "unknown" };
  }
}

const SAME: SchemaComparison = { changes: [], oldFitsNew: "yes", newFitsOld: "yes" };

function compare(question: SchemaQuestion, identity: Identity, effort: Effort): SchemaComparison {
  const { role, oldPointer, newPointer } = question;
  const oldSide = new SchemaSide(question.old);
  const newSide = new SchemaSide(question.new);
  const sameReferences = leadAlike(oldSide, newSide, (node) => identity.ofSchema(node));
  const steps = STEPS + STEPS_A_PART * (oldSide.size + newSide.size);
  const provers = [0, 1].map(() => new Prover(identity, { sameReferences, steps })) as [Prover, Prover];
  const provenOf = (old: Entry, next: Entry): Proven => ({
    oldFitsNew: () => provers[0].fits([old], next),
    newFitsOld: () => provers[1].fits([next], old),
  });
  const root: Pair = {
    old: question.old,
    new: question.new,
    oldSide,
    newSide,
    oldPointer,
    newPointer,
    path: [],
  };
  const found: { readonly pair: Pair; readonly weighed: Weighed }[] = [];
  walkPair(root, {
    identity,
    oldBase: oldPointer,
    newBase: newPointer,
    sameReferences: leadAlike(oldSide, newSide, (node) => identity.ofText(node)),
    onDifference: (pair, facets) => {
      const proven = provenOf({ node: pair.old, side: oldSide }, { node: pair.new, side: newSide });
      for (const weighed of weigh(pair, facets, { role, proven, effort })) found.push({ pair, weighed });
    },
  });
  const proven = provenOf({ node: root.old, side: oldSide }, { node: root.new, side: newSide });
  const oldFitsNew = fits(proven.oldFitsNew(), found, "old");
  const newFitsOld = fits(proven.newFitsOld(), found, "new");
  const changes = found.map(({ pair, weighed }) => changeOf(question, pair, weighed));
  return {
    changes: [...changes, ...net(question, found, { oldFitsNew, newFitsOld }, provers)],
    oldFitsNew,
    newFitsOld,
  };
}

/** Whether every reference of one side leads to what it leads to on the other. */
function leadAlike(old: SchemaSide, next: SchemaSide, number: (node: Node) => number): boolean {
  return [...new Set([...old.references, ...next.references])].every((reference) => {
    const [one, other] = [old.target(reference), next.target(reference)];
    return one !== undefined && other !== undefined && number(one) === number(other);
  });
}

function fits(
  isProven: boolean,
  found: readonly { readonly weighed: Weighed }[],
  acceptedBy: "old" | "new",
): Answer {
  if (isProven) return "yes";
  const isShown = found.some(
    ({ weighed: { witness } }) => witness?.scope === "document" && witness.acceptedBy === acceptedBy,
  );
  return isShown ? "no" : "unknown";
}

/** What no single difference speaks of is said all the same: nothing that is not proven passes in silence. */
function net(
  question: SchemaQuestion,
  found: readonly { readonly weighed: Weighed }[],
  { oldFitsNew, newFitsOld }: { readonly oldFitsNew: Answer; readonly newFitsOld: Answer },
  provers: readonly Prover[],
): readonly Change[] {
  const isHarmless = isRead(question.role) ? newFitsOld === "yes" : oldFitsNew === "yes";
  const isToldOf = found.some(
    ({ weighed: { facet } }) => (isRead(question.role) ? facet.widens : facet.narrows) !== "no",
  );
  const isCertain = isHarmless || isToldOf;
  if (!isCertain) {
    const reason = provers.some((prover) => prover.isExhausted)
      ? "there are too many combinations"
      : "its parts depend on each other";
    return [undecided(question, reason)];
  }
  if (found.length > 0) return [];
  return [
    change(question, question, { code: "written-otherwise", parameters: {} }, question.what, {
      severity: "patch",
    }),
  ];
}

function undecided(question: SchemaQuestion, reason: string): Change {
  const facet = { code: "schema-undecided", parameters: { reason } } as const;
  return change(question, question, facet, question.what, {
    severity: "major",
    undecided: true,
    witness: null,
  });
}

function changeOf(
  question: SchemaQuestion,
  pair: Pair,
  { facet, severity, undecided, witness }: Weighed,
): Change {
  const inside = jsonPointer(facet.steps ?? []);
  const at = {
    oldPointer: pair.oldPointer + (facet.on === "new" ? "" : inside),
    newPointer: pair.newPointer + (facet.on === "old" ? "" : inside),
  };
  const path: readonly InstanceStep[] =
    facet.member === undefined ? pair.path : [...pair.path, { kind: "member", name: facet.member }];
  const what = path.length === 0 ? question.what : `"${pathText(path)}" of ${question.what}`;
  return change(question, at, facet, what, {
    severity,
    undecided,
    ...(witness !== undefined && { witness }),
  });
}

function change(
  { role }: SchemaQuestion,
  at: { readonly oldPointer: string; readonly newPointer: string },
  { code, parameters }: Pick<Facet, "code" | "parameters">,
  what: string,
  rest: Pick<Change, "severity" | "witness"> & { readonly undecided?: boolean },
): Change {
  const site = (pointer: string): Site => ({ pointer });
  return {
    code,
    role,
    message: upperFirst(fill(CHANGES[code].message, { ...parameters, what })),
    undecided: false,
    old: site(at.oldPointer),
    new: site(at.newPointer),
    ...rest,
  };
}

/** `address.lines[]`: how people name a place in a value. */
function pathText(path: readonly InstanceStep[]): string {
  return path
    .map((step) => (step.kind === "member" ? `.${step.name}` : step.kind === "item" ? "[]" : ".*"))
    .join("")
    .replace(/^\./, "");
}
