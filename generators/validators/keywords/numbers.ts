/** Keywords of numbers. */
import { type JsonTree, memberOf } from "../../../schemas/formats/json-tree.js";
import { and, atom, type Expression, TRUE } from "../expression.js";
import { imported, type Scope } from "../unit.js";

const OPERATORS: readonly (readonly [keyword: string, operator: string])[] = [
  ["minimum", ">="],
  ["maximum", "<="],
  ["exclusiveMinimum", ">"],
  ["exclusiveMaximum", "<"],
];

export function numberCheck(scope: Scope, schema: JsonTree, value: string): Expression {
  const limits = OPERATORS.map(([keyword, operator]) => {
    const limit = memberOf(schema, keyword);
    return typeof limit === "number" ? atom(`${value} ${operator} ${limit}`) : TRUE;
  });
  const step = memberOf(schema, "multipleOf");
  const multiple =
    typeof step === "number" ? atom(`${imported(scope, "isMultiple")}(${value}, ${step})`) : TRUE;
  return and(...limits, multiple, formatCheck(scope, memberOf(schema, "format"), value));
}

function formatCheck(scope: Scope, format: JsonTree | undefined, value: string): Expression {
  if (format === "int32") return atom(`${imported(scope, "isInt32")}(${value})`);
  return format === "int64" ? atom(`Number.isInteger(${value})`) : TRUE;
}
