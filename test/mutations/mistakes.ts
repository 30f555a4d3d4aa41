/** Mistakes of the kinds that people make, each as a small change of a compiled module. */
import { isNode, type SyntaxNode, syntaxOf } from "../../generators/source-edits/syntax.js";
import type { Random } from "../validation/random.js";

/** One change of a module's text. */
export interface Mistake {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** A mistake, and the module in which it is made: a path from `dist`, with `/`. */
export interface PlacedMistake extends Mistake {
  readonly module: string;
}

const OTHER_OPERATOR: Readonly<Record<string, readonly [kind: string, operator: string]>> = {
  "<": ["boundary", "<="],
  "<=": ["boundary", "<"],
  ">": ["boundary", ">="],
  ">=": ["boundary", ">"],
  "===": ["negated comparison", "!=="],
  "!==": ["negated comparison", "==="],
  "&&": ["other connective", "||"],
  "||": ["other connective", "&&"],
  "+": ["other sign", "-"],
  "-": ["other sign", "+"],
};

const OTHER_METHOD: Readonly<Record<string, string>> = {
  every: "some",
  some: "every",
  min: "max",
  max: "min",
  startsWith: "endsWith",
  indexOf: "lastIndexOf",
  find: "findLast",
  unshift: "push",
};

/** Methods whose result is of the type of what they are called on. */
const DROPPABLE_METHODS = ["filter", "sort", "toSorted", "reverse", "toReversed", "trim", "toLowerCase"];

/** Every mistake that can be made in `text`, in the order of the text. */
export function mistakesIn(text: string): readonly Mistake[] {
  const found: Mistake[] = [];
  visit(syntaxOf(text)?.program, (node) => {
    for (const mistake of mistakesAt(node, text)) {
      // A change that changes nothing is none, such as a swap of equal arguments.
      if (text.slice(mistake.start, mistake.end) !== mistake.replacement) found.push(mistake);
    }
  });
  return found.sort((a, b) => a.start - b.start);
}

/** `text` with the mistake in it. */
export function withMistake(text: string, { start, end, replacement }: Mistake): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** The line of a mistake before and after, for people. */
export function linesOf(text: string, mistake: Mistake): { line: number; before: string; after: string } {
  const from = text.lastIndexOf("\n", mistake.start - 1) + 1;
  const lineAt = (whole: string) => whole.slice(from).split("\n", 1)[0]?.trim() ?? "";
  const line = text.slice(0, mistake.start).split("\n").length;
  return { line, before: lineAt(text), after: lineAt(withMistake(text, mistake)) };
}

/**
 * `count` mistakes, spread evenly over the folders of `modules` (texts by path) and, within one, over the kinds; never
 * two in one line.
 */
export function chooseMistakes(
  modules: ReadonlyMap<string, string>,
  count: number,
  random: Random,
): readonly PlacedMistake[] {
  const folders = new Map<string, PlacedMistake[]>();
  for (const [module, text] of modules) {
    const folder = module.split("/").slice(0, -1).join("/");
    const placed = mistakesIn(text).map((mistake) => ({ ...mistake, module }));
    folders.set(folder, [...(folders.get(folder) ?? []), ...placed]);
  }
  const chosen: PlacedMistake[] = [];
  const taken = new Set<string>();
  const left = [...folders.values()].map(byKind);
  while (chosen.length < count && left.some((kinds) => kinds.size > 0)) {
    for (const kinds of left) {
      const mistake = takeOne(kinds, random);
      if (mistake === undefined || chosen.length >= count) continue;
      const { line } = linesOf(modules.get(mistake.module) ?? "", mistake);
      const place = `${mistake.module}:${line}`;
      if (!taken.has(place)) chosen.push(mistake);
      taken.add(place);
    }
  }
  return chosen;
}

function byKind(mistakes: readonly PlacedMistake[]): Map<string, PlacedMistake[]> {
  const kinds = new Map<string, PlacedMistake[]>();
  for (const mistake of mistakes) kinds.set(mistake.kind, [...(kinds.get(mistake.kind) ?? []), mistake]);
  return kinds;
}

/** Takes a mistake of a kind by chance out of `kinds`. */
function takeOne(kinds: Map<string, PlacedMistake[]>, random: Random): PlacedMistake | undefined {
  const [kind = "", mistakes = []] = [...kinds][Math.floor(random() * kinds.size)] ?? [];
  const [mistake] = mistakes.splice(Math.floor(random() * mistakes.length), 1);
  if (mistakes.length === 0) kinds.delete(kind);
  return mistake;
}

function visit(value: unknown, look: (node: SyntaxNode) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, look);
  else if (isNode(value)) {
    look(value);
    for (const member of Object.values(value)) if (typeof member === "object") visit(member, look);
  }
}

function mistakesAt(node: SyntaxNode, text: string): readonly Mistake[] {
  const source = (part: unknown) => (isNode(part) ? text.slice(part.start, part.end) : "");
  const replaced = (kind: string, part: unknown, replacement: string): Mistake[] =>
    isNode(part) ? [{ kind, start: part.start, end: part.end, replacement }] : [];
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression":
      return operatorMistakes(node, text);
    case "UnaryExpression":
      return node["operator"] === "!" ? replaced("dropped negation", node, source(node["argument"])) : [];
    case "IfStatement":
      return [
        ...replaced("negated condition", node["test"], `!(${source(node["test"])})`),
        ...(node["alternate"] === null ? replaced("dropped guard", node, ";") : []),
      ];
    case "ConditionalExpression":
      return replaced("negated condition", node["test"], `!(${source(node["test"])})`);
    case "NumericLiteral":
      return replaced("off by one", node, String(Number(node["value"]) + 1));
    case "BooleanLiteral":
      return replaced("other answer", node, String(node["value"] !== true));
    case "AwaitExpression":
      return replaced("dropped await", node, source(node["argument"]));
    case "ExpressionStatement":
      return isDroppable(node["expression"]) ? replaced("dropped statement", node, ";") : [];
    case "TryStatement":
      return replaced("dropped clean-up", node["finalizer"], "{}");
    case "CallExpression":
    case "NewExpression":
    case "OptionalCallExpression":
      return callMistakes(node, text);
    default:
      return [];
  }
}

function operatorMistakes(node: SyntaxNode, text: string): readonly Mistake[] {
  const { left, right, operator } = node;
  if (!isNode(left) || !isNode(right) || typeof operator !== "string") return [];
  if (operator === "??")
    return [
      {
        kind: "dropped default",
        start: node.start,
        end: node.end,
        replacement: text.slice(left.start, left.end),
      },
    ];
  const other = OTHER_OPERATOR[operator];
  // A sum of texts is no arithmetic.
  const isSum = operator === "+" || operator === "-";
  if (other === undefined || (isSum && ![left, right].some(({ type }) => type === "NumericLiteral")))
    return [];
  const start = text.indexOf(operator, left.end);
  return [{ kind: other[0], start, end: start + operator.length, replacement: other[1] }];
}

function callMistakes({ callee, arguments: args, start, end }: SyntaxNode, text: string): readonly Mistake[] {
  const found: Mistake[] = [];
  const [first, second] = Array.isArray(args) ? args.filter(isNode) : [];
  if (
    first !== undefined &&
    second !== undefined &&
    [first, second].every(({ type }) => SWAPPABLE.includes(type))
  ) {
    const swapped = [second, first].map((part) => text.slice(part.start, part.end)).join(", ");
    found.push({ kind: "swapped arguments", start: first.start, end: second.end, replacement: swapped });
  }
  if (!isNode(callee)) return found;
  const { object, property } = callee;
  if (!isNode(object) || !isNode(property) || property.type !== "Identifier") return found;
  const name = text.slice(property.start, property.end);
  const other = Object.hasOwn(OTHER_METHOD, name) ? OTHER_METHOD[name] : undefined;
  if (other !== undefined)
    found.push({ kind: "other method", start: property.start, end: property.end, replacement: other });
  if (DROPPABLE_METHODS.includes(name))
    found.push({ kind: "dropped step", start, end, replacement: text.slice(object.start, object.end) });
  return found;
}

const SWAPPABLE = ["Identifier", "MemberExpression", "StringLiteral", "NumericLiteral", "CallExpression"];

/** Whether a statement can be left out: a call or an assignment, but not the call of the class above. */
function isDroppable(expression: unknown): boolean {
  if (!isNode(expression)) return false;
  const call = expression.type === "AwaitExpression" ? expression["argument"] : expression;
  if (!isNode(call)) return false;
  if (call.type === "AssignmentExpression") return true;
  return call.type === "CallExpression" && isNode(call["callee"]) && call["callee"].type !== "Super";
}
