/** The check of one extracted JSON Schema as code: a verdict only, made so that nothing is compiled at start. */
import type { JsonTree } from "../../schemas/json.js";
import { referenceTarget, schemaCheck } from "./emit-schema.js";
import { referencesOf } from "./references.js";
import { type Declaration, functionCode, newName, returnLine, type Unit } from "./unit.js";

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
  const main = mainCode(unit, schema);
  const used = usedBy(main, unit);
  return {
    code: [...unit.declarations]
      .filter(([declared]) => used.has(declared))
      .map(([, { text }]) => text)
      .concat(`export function ${name}${main.text}`)
      .map((text) => `${text}\n`)
      .join(""),
    helpers: [...unit.helpers].filter((helper) => used.has(helper)).sort(),
    problems: [...unit.problems],
  };
}

/** The parameter list and body of the exported function. */
function mainCode(unit: Unit, schema: JsonTree): Declaration {
  if (unit.references.isRecursive(schema)) {
    return startOf(referenceTarget(unit, schema).name);
  }
  const { text, names, counts } = functionCode(unit, {
    parameter: "a: unknown",
    entry: schema,
    body: (scope) => [returnLine(schemaCheck(scope, schema, 0).expression)],
  });
  if (!counts) return { text, names };
  const inner = newName(unit);
  unit.declarations.set(inner, { text: `function ${inner}${text}`, names });
  return startOf(inner);
}

/** A call of the function `name` that starts to count references. */
function startOf(name: string): Declaration {
  return { text: `(a: unknown): boolean {\n  return ${name}(a, 0);\n}`, names: new Set([name]) };
}

/** Every name that `main` leads to. What was folded away by a constant is not written. */
function usedBy(main: Declaration, { declarations }: Unit): ReadonlySet<string> {
  const used = new Set<string>();
  const pending = [main];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const name of next.names) {
      if (used.has(name)) continue;
      used.add(name);
      const declared = declarations.get(name);
      if (declared !== undefined) pending.push(declared);
    }
  }
  return used;
}
