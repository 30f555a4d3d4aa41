/** What generated code imports from the package. */
import { type ImportSymbol, typeSymbol, valueSymbol } from "./code.js";

const CODEGEN = "connectorcli/codegen";

/** The function or value `name` of `connectorcli/codegen`. */
export function codegenValue(name: string): ImportSymbol {
  return valueSymbol(CODEGEN, name);
}

/** The type `name` of `connectorcli/codegen`. */
export function codegenType(name: string): ImportSymbol {
  return typeSymbol(CODEGEN, name);
}
