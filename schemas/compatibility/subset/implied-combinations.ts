/** Whether what is known of a value implies a combination of schemas. Undefined for other keywords. */
import { isNode, type Node } from "../json.js";
import { type Entry, groupsOf, nodesIn } from "./conjunction.js";
import type { Question } from "./prover.js";
import { byType } from "./split.js";

export function impliedCombination(question: Question): boolean | undefined {
  const { facts, prover, keyword, wanted } = question;
  const branches = nodesIn(question.value).map((node): Entry => ({ node, side: wanted.side }));
  switch (keyword) {
    case "allOf":
      return branches.every((branch) => prover.fits(question.entries, branch, question.level));
    case "anyOf":
      return (
        branches.length > 0 && impliesOne(question, (entries) => someBranch(question, entries, branches))
      );
    case "oneOf":
      return (
        branches.length > 0 && impliesOne(question, (entries) => exactlyOne(question, entries, branches))
      );
    case "not":
      return isNode(question.value) && isApart(question, question.entries, question.value);
    case "if":
      return impliesCondition(question);
    case "then":
    case "else":
      // They are looked at with the `if` that they belong to; alone they say nothing.
      return true;
    default:
      return isSaidAlike();
  }

  function isSaidAlike(): boolean {
    const said = groupsOf(wanted.node, prover.identity).filter((group) =>
      group.startsWith(`${groupName(keyword)}:`),
    );
    return (
      said.length > 0 &&
      said.every((group) => facts.groups.has(group)) &&
      facts.plain.every(prover.isSame, prover)
    );
  }
}

/** Whether `decide` holds as it is, for what is said alike on both sides, or for each type of value. */
function impliesOne(question: Question, decide: (entries: readonly Entry[]) => boolean): boolean {
  const { facts, prover, wanted, keyword, value } = question;
  const [group] = groupsOf({ [keyword]: value }, prover.identity);
  if (group !== undefined && facts.groups.has(group) && facts.plain.every(prover.isSame, prover)) return true;
  return byType(question.entries, facts).every(decide) && wanted !== undefined;
}

function someBranch(
  { prover, level }: Question,
  entries: readonly Entry[],
  branches: readonly Entry[],
): boolean {
  return branches.some((branch) => prover.fits(entries, branch, level));
}

function exactlyOne(question: Question, entries: readonly Entry[], branches: readonly Entry[]): boolean {
  const { prover, level } = question;
  return branches.some(
    (branch) =>
      branches.every((other) => other === branch || isApart(question, entries, other.node)) &&
      prover.fits(entries, branch, level),
  );
}

function isApart({ prover, wanted }: Question, entries: readonly Entry[], node: Node): boolean {
  return prover.isEmpty([...entries, { node, side: wanted.side }]);
}

function impliesCondition(question: Question): boolean {
  const { facts, prover, wanted, entries, level } = question;
  const { side, node } = wanted;
  const condition = question.value;
  if (!isNode(condition)) return false;
  const group = groupsOf(node, prover.identity).find((one) => one.startsWith("if:"));
  if (group !== undefined && facts.groups.has(group) && facts.plain.every(prover.isSame, prover)) return true;
  const met = node["then"] ?? true;
  const unmet = node["else"] ?? true;
  if (!isNode(met) || !isNode(unmet)) return false;
  const fits = (wantedNode: Node) => prover.fits(entries, { node: wantedNode, side }, level);
  if (isApart(question, entries, condition)) return fits(unmet);
  if (fits(condition)) return fits(met);
  return fits(met) && fits(unmet);
}

const GROUP_OF: Readonly<Record<string, string>> = {
  minContains: "contains",
  maxContains: "contains",
  formatMaximum: "formatMinimum",
  formatExclusiveMinimum: "formatMinimum",
  formatExclusiveMaximum: "formatMinimum",
};

function groupName(keyword: string): string {
  return GROUP_OF[keyword] ?? keyword;
}
