/** The code of one schema document while it is made: its functions and constants, each written once. */
import type { JsonTree } from "../../schemas/formats/json-tree.js";
import { atom, type Expression, FALSE, TRUE } from "./expression.js";
import type { References } from "./references.js";

export interface Unit {
  /** What the names of all functions and constants start with. */
  readonly name: string;
  readonly references: References;
  readonly imports: Set<string>;
  readonly problems: Set<string>;
  /** Functions and constants by their name, in the order in which they were written. */
  readonly declarations: Map<string, string>;
  /** Names by the text that they stand for. */
  readonly names: Map<string, string>;
  /** Names of the functions that check what references name. */
  readonly targets: Map<JsonTree, Target>;
  count: number;
}

export interface Target {
  readonly name: string;
  /** Whether it takes the number of references on the way to it. */
  readonly counts: boolean;
}

/** One function while it is made. */
export interface Scope {
  readonly unit: Unit;
  /** Variables of the function beside its parameter. */
  readonly variables: Set<string>;
  /** The document's part whose check this is, while the value in hand is the one that it was called with. */
  readonly entry: JsonTree | undefined;
  /** Whether the function counts references, in its parameter `n`. */
  counts: boolean;
}

/** The helper `name` of the runtime, marked as imported. */
export function imported({ unit }: Scope, name: string): string {
  unit.imports.add(name);
  return name;
}

/** A name in the file that no other document of it uses. */
export function newName(unit: Unit): string {
  unit.count++;
  return `${unit.name}_${unit.count}`;
}

/** The name of a constant whose value is `text`. */
export function constant({ unit }: Scope, text: string): string {
  return named(unit, text, (name) => `const ${name} = ${text};`);
}

/** The variable `depth` levels below the function's parameter, which is `a`. */
export function variable(depth: number): string {
  return depth < LETTERS.length ? LETTERS.charAt(depth) : `a${depth}`;
}

/** Puts `value` into the variable at `depth` before `part` looks at it. */
export function assigned(scope: Scope, depth: number, value: string, part: Expression): Expression {
  if (part === TRUE || part === FALSE) return part;
  const name = variable(depth);
  scope.variables.add(name);
  return atom(`(${name} = ${value}, ${part.text})`);
}

// Without the names that functions give to what they loop over and count.
const LETTERS = "abcdefghij";

const WIDTH = 100;

export interface FunctionParts {
  /** Name and type of the parameter. */
  readonly parameter: string;
  readonly entry?: JsonTree;
  /** Whether it takes the number of references on the way in any case. */
  readonly counted?: boolean;
  /** The lines of the body after the variables. */
  readonly body: (scope: Scope) => readonly string[];
}

/** A call on `argument` of the function with these parts, which is written unless one with the same text stands. */
export function hoisted(scope: Scope, parts: FunctionParts, argument: string): string {
  const { unit } = scope;
  const { text, counts } = functionText(unit, parts);
  const name = named(unit, text, (given) => `function ${given}${text}`);
  return `${name}(${argument}${counts ? counter(scope) : ""})`;
}

/** The parameter list and body of a function. */
export function functionText(
  unit: Unit,
  { parameter, entry, counted = false, body }: FunctionParts,
): { readonly text: string; readonly counts: boolean } {
  const scope: Scope = { unit, variables: new Set(), entry, counts: counted };
  const lines = body(scope);
  const used = namesIn(lines);
  const variables = [...scope.variables].filter((name) => used.has(name)).sort();
  const declared =
    variables.length > 0 ? [`let ${variables.map((name) => `${name}: unknown`).join(", ")};`] : [];
  const text = [...declared, ...lines].map((line) => `\n  ${line}`).join("");
  const counts = counted || (scope.counts && used.has("n"));
  const parameters = counts ? [parameter, "n: number"] : [parameter];
  // A check that looks at nothing leaves its parameter unused, which the name then says.
  const named = parameters.map((each) => (used.has(each.slice(0, each.indexOf(":"))) ? each : `_${each}`));
  return { text: `(${named.join(", ")}): boolean {${text}\n}`, counts };
}

const NAMES = /[\w$\u0080-\uffff]+/g;

/** Everything in the code that looks like a name. */
export function namesIn(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.match(NAMES) ?? []));
}

/** The further argument that hands on how many references lie on the way. */
export function counter(scope: Scope): string {
  scope.counts = true;
  return ", n";
}

/** The line that gives a function's verdict; long ones have a line a condition. */
export function returned({ text, conditions = [] }: Expression): string {
  if (text.length < WIDTH || conditions.length < 2) return `return ${text};`;
  return `return ${conditions.join("\n  && ")};`;
}

function named(unit: Unit, text: string, declaration: (name: string) => string): string {
  const known = unit.names.get(text);
  if (known !== undefined) return known;
  const name = newName(unit);
  unit.names.set(text, name);
  unit.declarations.set(name, declaration(name));
  return name;
}
