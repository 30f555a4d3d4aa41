/** The check of one extracted JSON Schema as code: a verdict only, made so that nothing is compiled at start. */
import type { JsonTree } from "../../schemas/json.js";
import { referenceTarget, schemaCheck } from "./emit-schema.js";
import { referencesOf } from "./references.js";
import { functionText, namesIn, newName, returnLine, type Unit } from "./unit.js";

/** The code of one check. */
export interface ValidatorCode {
  /** TypeScript: `export function {name}(a: unknown): boolean`, after what it uses. */
  readonly code: string;
  /** The helpers that it imports from `connectorcli/codegen`, sorted. */
  readonly helpers: readonly string[];
  /** What no validator can make sense of, a sentence each. Values that come to such a place are refused. */
  readonly problems: readonly string[];
}

/**
 * The check of `schema` as a function `name`. Everything else that the code declares is called `name` with a number
 * behind it. What it accepts is what ajv with full formats and `strictNumbers` accepts.
 */
export function validatorCode(schema: JsonTree, name: string): ValidatorCode {
  const unit: Unit = {
    name,
    references: referencesOf(schema),
    helpers: new Set(),
    problems: new Set(),
    declarations: new Map(),
    names: new Map(),
    targets: new Map(),
    nameCount: 0,
  };
  const main = `export function ${name}${mainText(unit, schema)}`;
  const used = usedBy(main, unit);
  return {
    code: [...unit.declarations]
      .filter(([declared]) => used.has(declared))
      .map(([, text]) => text)
      .concat(main)
      .map((text) => `${text}\n`)
      .join(""),
    helpers: [...unit.helpers].filter((helper) => used.has(helper)).sort(),
    problems: [...unit.problems],
  };
}

function mainText(unit: Unit, schema: JsonTree): string {
  const parameter = "a: unknown";
  if (unit.references.isRecursive(schema)) {
    const { name } = referenceTarget(unit, schema);
    return `(${parameter}): boolean {\n  return ${name}(a, 0);\n}`;
  }
  const { text, counts } = functionText(unit, {
    parameter,
    entry: schema,
    body: (scope) => [returnLine(schemaCheck(scope, schema, 0).expression)],
  });
  if (!counts) return text;
  const inner = newName(unit);
  unit.declarations.set(inner, `function ${inner}${text}`);
  return `(${parameter}): boolean {\n  return ${inner}(a, 0);\n}`;
}

/** Every name that `main` leads to. What was folded away by a constant is not written. */
function usedBy(main: string, { declarations }: Unit): ReadonlySet<string> {
  const used = new Set<string>();
  const pending = [main];
  for (let text = pending.pop(); text !== undefined; text = pending.pop()) {
    for (const name of namesIn([text])) {
      if (used.has(name)) continue;
      used.add(name);
      const declared = declarations.get(name);
      if (declared !== undefined) pending.push(declared);
    }
  }
  return used;
}
