/** The peer that validators must agree with: ajv with full formats, all errors and strict numbers. */
import { createRequire } from "node:module";
import type { Ajv, AnySchema, ErrorObject, ValidateFunction } from "ajv";

// Both packages are CommonJS whose default export TypeScript and Node read differently.
const require = createRequire(import.meta.url);
const AjvClass: typeof Ajv = require("ajv").Ajv;
const addFormats: (ajv: Ajv) => void = require("ajv-formats");

/** Each ajv would compile the meta-schema of draft 7 for itself, which takes longer than most schemas of tests. */
const metaAjv = new AjvClass({ strict: false, strictNumbers: true, logger: false });

class PeerAjv extends AjvClass {
  override validateSchema(schema: AnySchema, throwOrLogError?: boolean): boolean | Promise<unknown> {
    const hasDialect = typeof schema === "object" && schema["$schema"] !== undefined;
    return hasDialect
      ? super.validateSchema(schema, throwOrLogError)
      : metaAjv.validateSchema(schema, throwOrLogError);
  }
}

export function newAjv(allErrors = true): Ajv {
  const ajv = new PeerAjv({
    allErrors,
    strict: false,
    strictNumbers: true,
    logger: false,
    code: { optimize: false },
  });
  addFormats(ajv);
  return ajv;
}

export function ajvCheck(schema: unknown): ValidateFunction {
  return newAjv().compile(schema as object | boolean);
}

interface Named {
  readonly instancePath: string;
  readonly keyword: string;
}

/** Where and why a value was refused, each as often as it was said, in order. */
export function places(found: readonly (Named | ErrorObject)[] | null | undefined): readonly string[] {
  return (found ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`).sort();
}
