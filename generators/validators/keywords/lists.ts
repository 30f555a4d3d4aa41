/** Keywords of lists. */
import { isList, isMembers, type JsonTree, memberOf } from "../../../schemas/formats/json-tree.js";
import { and, atom, type Expression, FALSE, or, TRUE } from "../expression.js";
import { schemaCheck } from "../schema-check.js";
import { assigned, hoisted, imported, type Scope, variable } from "../unit.js";
import { separateCheck } from "./combinations.js";

const LIST = "l: readonly unknown[]";

export function listCheck(scope: Scope, schema: JsonTree, depth: number): Expression {
  const list = variable(depth);
  const least = memberOf(schema, "minItems");
  const most = memberOf(schema, "maxItems");
  return and(
    typeof least === "number" && least > 0 ? atom(`${list}.length >= ${least}`) : TRUE,
    typeof most === "number" ? atom(`${list}.length <= ${most}`) : TRUE,
    itemsCheck(scope, schema, depth),
    containsCheck(scope, memberOf(schema, "contains"), list),
    uniqueCheck(scope, schema, list),
  );
}

function itemsCheck(scope: Scope, schema: JsonTree, depth: number): Expression {
  const items = memberOf(schema, "items");
  const list = variable(depth);
  if (items === undefined) return TRUE;
  if (!isList(items)) return eachCheck(scope, items, list, 0);
  const places = items.map((item, index) => {
    const check = separateCheck(scope, item, depth + 1);
    if (check === TRUE) return TRUE;
    return or(atom(`${list}.length <= ${index}`), assigned(scope, depth + 1, `${list}[${index}]`, check));
  });
  const additional = memberOf(schema, "additionalItems") ?? true;
  return and(...places, eachCheck(scope, additional, list, items.length));
}

/** Holds every item from `start` on to `schema`. */
function eachCheck(scope: Scope, schema: JsonTree, list: string, start: number): Expression {
  if (schema === false) return atom(`${list}.length <= ${start}`);
  if (isTrue(schema)) return TRUE;
  const body = (inner: Scope) => {
    const { expression } = schemaCheck(inner, schema, 0);
    if (expression === TRUE) return [];
    if (expression === FALSE) return [`if (l.length > ${start}) return false;`];
    return [
      `for (const a of ${start === 0 ? "l" : `l.slice(${start})`}) if (!(${expression.text})) return false;`,
    ];
  };
  return looped(scope, body, "return true;", list);
}

function containsCheck(scope: Scope, schema: JsonTree | undefined, list: string): Expression {
  if (schema === undefined) return TRUE;
  if (schema === false) return FALSE;
  if (isTrue(schema)) return atom(`${list}.length > 0`);
  const body = (inner: Scope) => {
    const { expression } = schemaCheck(inner, schema, 0);
    if (expression === TRUE) return ["if (l.length > 0) return true;"];
    if (expression === FALSE) return [];
    return [`for (const a of l) if (${expression.text}) return true;`];
  };
  return looped(scope, body, "return false;", list);
}

function looped(
  scope: Scope,
  body: (inner: Scope) => readonly string[],
  end: string,
  list: string,
): Expression {
  return atom(hoisted(scope, { parameter: LIST, body: (inner) => [...body(inner), end] }, list));
}

/** ajv does not see that `__proto__` is repeated in a list of texts. */
function uniqueCheck(scope: Scope, schema: JsonTree, list: string): Expression {
  if (memberOf(schema, "uniqueItems") !== true) return TRUE;
  const items = memberOf(schema, "items");
  const type = memberOf(items, "type");
  const single = isList(type) && type.length === 1 ? type[0] : type;
  const texts = single === "string" && memberOf(items, "nullable") !== true;
  return atom(`${imported(scope, texts ? "isUniqueTexts" : "isUnique")}(${list})`);
}

function isTrue(schema: JsonTree): boolean {
  return schema === true || (isMembers(schema) && schema.members.length === 0);
}
