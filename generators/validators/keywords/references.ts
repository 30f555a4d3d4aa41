/** `$ref` to a part of the same document: one function for all its uses. */
import { type JsonTree, memberOf } from "../../../schemas/formats/json-tree.js";
import { and, atom, type Expression, FALSE, TRUE } from "../expression.js";
import { schemaCheck } from "../schema-check.js";
import {
  counter,
  functionText,
  newName,
  returned,
  type Scope,
  type Target,
  type Unit,
  variable,
} from "../unit.js";

/**
 * How many recursive references a value may follow inside each other. What nests deeper is refused rather than
 * left to overflow the stack.
 */
const DEEPEST = 500;

export function referenceCheck(scope: Scope, schema: JsonTree, depth: number): Expression {
  const reference = memberOf(schema, "$ref");
  if (typeof reference !== "string") return TRUE;
  const { unit } = scope;
  const part = unit.references.target(reference);
  if (part === undefined) {
    unit.problems.add(`There is no schema at ${JSON.stringify(reference)}.`);
    return FALSE;
  }
  if (depth === 0 && scope.entry !== undefined && unit.references.isEndless(scope.entry, part)) {
    unit.problems.add(`${JSON.stringify(reference)} leads to itself without end.`);
    return FALSE;
  }
  const value = variable(depth);
  const { name, counts } = targetOf(unit, part);
  if (!unit.references.isRecursive(part)) return atom(`${name}(${value}${counts ? counter(scope) : ""})`);
  counter(scope);
  return and(atom(`n < ${DEEPEST}`), atom(`${name}(${value}, n + 1)`));
}

/** The function that checks what a reference names. */
export function targetOf(unit: Unit, part: JsonTree): Target {
  const known = unit.targets.get(part);
  if (known !== undefined) return known;
  const recursive = unit.references.isRecursive(part);
  const name = newName(unit);
  // A recursive part is called from within its own function, so its name stands before its text does.
  if (recursive) unit.targets.set(part, { name, counts: true });
  const { text, counts } = functionText(unit, {
    parameter: "a: unknown",
    entry: part,
    body: (scope) => [returned(schemaCheck(scope, part, 0).expression)],
    counted: recursive,
  });
  const target = { name, counts };
  unit.targets.set(part, target);
  unit.declarations.set(name, `function ${name}${text}`);
  return target;
}
