/** Runs emitted validators as a connector would load them: types taken off, helpers from the runtime. */

import { transformSync } from "esbuild";
import { validatorCode } from "../../generators/validators/validator-code.js";
import * as runtime from "../../runtime/codegen/index.js";
import { fromPlain } from "../../schemas/json.js";

export type Check = (value: unknown) => boolean;

/** A module of several validators, as text. `from` is where its helpers come from. */
export function moduleOf(schemas: Readonly<Record<string, unknown>>, from: string): string {
  const made = Object.entries(schemas).map(([name, schema]) => validatorCode(fromPlain(schema), name));
  const imports = [...new Set(made.flatMap((code) => code.helpers))].sort();
  const head = imports.length > 0 ? [`import { ${imports.join(", ")} } from ${JSON.stringify(from)};\n`] : [];
  return [...head, ...made.map(({ code }) => code)].join("\n");
}

/** The checks of `schemas`, by their names. */
export function checksOf(schemas: Readonly<Record<string, unknown>>): Readonly<Record<string, Check>> {
  const { code } = transformSync(moduleOf(schemas, "runtime"), { loader: "ts", format: "cjs" });
  const module: { exports: Record<string, Check> } = { exports: {} };
  new Function("module", "exports", "require", code)(module, module.exports, () => runtime);
  return module.exports;
}

export function checkOf(schema: unknown): Check {
  const { check } = checksOf({ check: schema });
  if (check === undefined) throw new Error("nothing was emitted");
  return check;
}
