/** The code of one schema document while it is made: its functions and constants, each written once. */
import type { JsonTree } from "../../schemas/json.js";
import { atom, type Expression, FALSE, TRUE } from "./expression.js";
import type { References } from "./references.js";

/** The code of one document while it is made. */
export interface Unit {
  /** What the names of all functions and constants start with. */
  readonly name: string;
  readonly references: References;
  /** Helpers of `connectorcli/codegen` that the code may use. */
  readonly helpers: Set<string>;
  /** What no validator can make sense of, a sentence each. */
  readonly problems: Set<string>;
  /** Functions and constants by their name, in the order in which they were written. */
  readonly declarations: Map<string, Declaration>;
  /** Names of declarations by their text, so that equal ones are written once. */
  readonly names: Map<string, string>;
  /** Names of the functions that check what references name. */
  readonly targets: Map<JsonTree, Target>;
  /** How many names were made. */
  nameCount: number;
}

/** Code that stands on its own. */
export interface Declaration {
  readonly text: string;
  /** Everything in it that looks like a name. */
  readonly names: ReadonlySet<string>;
}

/** The function that checks what a reference names. */
export interface Target {
  readonly name: string;
  /** Whether it takes the number of references that were followed on the way to it. */
  readonly counts: boolean;
}

/** One function while it is made. */
export interface FunctionScope {
  readonly unit: Unit;
  /** Variables of the function beside its parameter. */
  readonly variables: Set<string>;
  /** The document's part whose check this is, while the value in hand is the one that it was called with. */
  readonly entry: JsonTree | undefined;
  /** Whether the function counts references, in its parameter `n`. */
  counts: boolean;
}

/** Notes that the code uses the helper `name` of `connectorcli/codegen`. Returns the name. */
export function useHelper({ unit }: FunctionScope, name: string): string {
  unit.helpers.add(name);
  return name;
}

/** A name that no other declaration of the file has. */
export function newName(unit: Unit): string {
  unit.nameCount++;
  return `${unit.name}_${unit.nameCount}`;
}

/** The name of a constant whose value is `text`; it is declared once. */
export function constantFor({ unit }: FunctionScope, text: string): string {
  return declareOnce(unit, text, (name) => ({ text: `const ${name} = ${text};`, names: namesIn([text]) }));
}

/** The variable `depth` levels below the function's parameter, which is `a`. */
export function variable(depth: number): string {
  return depth < LETTERS.length ? LETTERS.charAt(depth) : `a${depth}`;
}

/** `part` after `value` was put into the variable at `depth`, on which it is the check. */
export function assign(scope: FunctionScope, depth: number, value: string, part: Expression): Expression {
  if (part === TRUE || part === FALSE) return part;
  const name = variable(depth);
  scope.variables.add(name);
  return atom(`(${name} = ${value}, ${part.text})`);
}

// Without the names of loop variables (k, l, o) and of the counter (n).
const LETTERS = "abcdefghij";

const WIDTH = 100;

/** What a function is made of. */
export interface FunctionParts {
  /** Name and type of the parameter. */
  readonly parameter: string;
  readonly entry?: JsonTree;
  /** Whether it takes the number of references that were followed, used or not. */
  readonly counted?: boolean;
  /** The lines of the body after the variables. */
  readonly body: (scope: FunctionScope) => readonly string[];
}

/** A call, on `argument`, of a function with these parts. Functions with the same text are written once. */
export function hoist(scope: FunctionScope, parts: FunctionParts, argument: string): string {
  const { unit } = scope;
  const { text, names, counts } = functionCode(unit, parts);
  const name = declareOnce(unit, text, (given) => ({ text: `function ${given}${text}`, names }));
  return `${name}(${argument}${counts ? passCounter(scope) : ""})`;
}

/** The parameter list and body of a function. */
export function functionCode(
  unit: Unit,
  { parameter, entry, counted = false, body }: FunctionParts,
): Declaration & { readonly counts: boolean } {
  const scope: FunctionScope = { unit, variables: new Set(), entry, counts: counted };
  const lines = body(scope);
  const names = namesIn(lines);
  const variables = [...scope.variables].filter((name) => names.has(name)).sort();
  const declared =
    variables.length > 0 ? [`let ${variables.map((name) => `${name}: unknown`).join(", ")};`] : [];
  const text = [...declared, ...lines].map((line) => `\n  ${line}`).join("");
  const counts = counted || (scope.counts && names.has("n"));
  const parameters = counts ? [parameter, "n: number"] : [parameter];
  // A check that looks at nothing leaves its parameter unused, which the name then says.
  const named = parameters.map((each) => (names.has(each.slice(0, each.indexOf(":"))) ? each : `_${each}`));
  return { text: `(${named.join(", ")}): boolean {${text}\n}`, names, counts };
}

const NAMES = /[\w$\u0080-\uffff]+/g;

function namesIn(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.match(NAMES) ?? []));
}

/** The further argument that passes on how many references were followed. */
export function passCounter(scope: FunctionScope): string {
  scope.counts = true;
  return ", n";
}

/** The return statement of a verdict. A long one has a line for each condition. */
export function returnLine({ text, conditions = [] }: Expression): string {
  if (text.length < WIDTH || conditions.length < 2) return `return ${text};`;
  return `return ${conditions.join("\n  && ")};`;
}

function declareOnce(unit: Unit, text: string, declaration: (name: string) => Declaration): string {
  const known = unit.names.get(text);
  if (known !== undefined) return known;
  const name = newName(unit);
  unit.names.set(text, name);
  unit.declarations.set(name, declaration(name));
  return name;
}
