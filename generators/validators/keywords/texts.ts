/** Keywords of texts. */
import { type JsonTree, memberOf } from "../../../schemas/formats/json-tree.js";
import { FORMAT_LIMIT_KEYWORDS, ORDERED_FORMATS, TEXT_FORMATS } from "../../../schemas/keywords.js";
import { stringLiteral } from "../../typescript/literals.js";
import { and, atom, type Expression, FALSE, TRUE } from "../expression.js";
import { constant, imported, type Scope } from "../unit.js";

/** Formats that records are full of, by the runtime's function for them. */
const COMMON: ReadonlyMap<string, string> = new Map([
  ["date", "isDate"],
  ["date-time", "isDateTime"],
  ["time", "isTime"],
  ["uuid", "isUuid"],
]);

export function textCheck(scope: Scope, schema: JsonTree, value: string): Expression {
  return and(
    leastCheck(scope, memberOf(schema, "minLength"), value),
    mostCheck(scope, memberOf(schema, "maxLength"), value),
    patternCheck(scope, memberOf(schema, "pattern"), value),
    formatCheck(scope, memberOf(schema, "format"), value),
    orderCheck(scope, schema, value),
  );
}

/** A test of the regular expression `source` on a text, undefined where it is none. */
export function patternTest(scope: Scope, source: string, value: string): Expression | undefined {
  try {
    new RegExp(source, "u");
  } catch {
    scope.unit.problems.add(`${JSON.stringify(source)} is not a regular expression.`);
    return undefined;
  }
  return atom(`${constant(scope, `new RegExp(${stringLiteral(source)}, "u")`)}.test(${value})`);
}

function leastCheck(scope: Scope, limit: JsonTree | undefined, value: string): Expression {
  if (typeof limit !== "number" || limit <= 0) return TRUE;
  if (limit <= 1) return atom(`${value} !== ""`);
  return atom(`${imported(scope, "isAtLeast")}(${value}, ${limit})`);
}

function mostCheck(scope: Scope, limit: JsonTree | undefined, value: string): Expression {
  if (typeof limit !== "number") return TRUE;
  return atom(`${imported(scope, "isAtMost")}(${value}, ${limit})`);
}

function patternCheck(scope: Scope, pattern: JsonTree | undefined, value: string): Expression {
  return typeof pattern === "string" ? (patternTest(scope, pattern, value) ?? FALSE) : TRUE;
}

function formatCheck(scope: Scope, format: JsonTree | undefined, value: string): Expression {
  if (typeof format !== "string" || !TEXT_FORMATS.includes(format)) return TRUE;
  const common = COMMON.get(format);
  if (common !== undefined) return atom(`${imported(scope, common)}(${value})`);
  const made = `/*@__PURE__*/ ${imported(scope, "formatCheck")}(${stringLiteral(format)})`;
  return atom(`${constant(scope, made)}(${value})`);
}

function orderCheck(scope: Scope, schema: JsonTree, value: string): Expression {
  const format = memberOf(schema, "format");
  if (typeof format !== "string" || !ORDERED_FORMATS.includes(format)) return TRUE;
  return and(
    ...FORMAT_LIMIT_KEYWORDS.map((keyword) => {
      const limit = memberOf(schema, keyword);
      if (typeof limit !== "string") return TRUE;
      const rest = [format, keyword, limit].map(stringLiteral).join(", ");
      return atom(`${imported(scope, "isInOrder")}(${value}, ${rest})`);
    }),
  );
}
