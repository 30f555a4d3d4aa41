/** Keywords that combine schemas of one value. Each schema is a function of its own, so that none narrows another's types. */
import { isList, isMembers, type JsonTree, memberOf } from "../../../schemas/formats/json-tree.js";
import { and, atom, choice, type Expression, FALSE, not, or, TRUE } from "../expression.js";
import { schemaCheck } from "../schema-check.js";
import { hoisted, returned, type Scope, variable } from "../unit.js";
import { referenceCheck } from "./references.js";

export function combinationsCheck(scope: Scope, schema: JsonTree, depth: number): Expression {
  const check = (part: JsonTree) => separateCheck(scope, part, depth);
  const all = listOf(schema, "allOf").map(check);
  const any = memberOf(schema, "anyOf") === undefined ? TRUE : or(...listOf(schema, "anyOf").map(check));
  const refused = memberOf(schema, "not");
  return and(
    ...all,
    any,
    oneCheck(listOf(schema, "oneOf").map(check), memberOf(schema, "oneOf") !== undefined),
    refused === undefined ? TRUE : not(check(refused)),
    conditionCheck(schema, check),
  );
}

/** The check of `part` on the same value as a call, or a constant. */
export function separateCheck(scope: Scope, part: JsonTree, depth: number): Expression {
  const constantCheck = schemaConstant(part);
  if (constantCheck !== undefined) return constantCheck;
  if (isMembers(part) && part.members.length === 1 && memberOf(part, "$ref") !== undefined) {
    return referenceCheck(scope, part, depth);
  }
  const entry = depth === 0 ? scope.entry : undefined;
  const parts = {
    parameter: "a: unknown",
    ...(entry === undefined ? {} : { entry }),
    body: (inner: Scope) => [returned(schemaCheck(inner, part, 0).expression)],
  };
  return atom(hoisted(scope, parts, variable(depth)));
}

function schemaConstant(part: JsonTree): Expression | undefined {
  if (part === false) return FALSE;
  return isMembers(part) && part.members.length > 0 ? undefined : TRUE;
}

function oneCheck(checks: readonly Expression[], present: boolean): Expression {
  if (!present) return TRUE;
  if (checks.length === 1) return checks[0] ?? FALSE;
  const sum = checks.map(({ text }) => `Number(${text})`).join(" + ");
  return checks.length === 0 ? FALSE : atom(`${sum} === 1`);
}

function conditionCheck(schema: JsonTree, check: (part: JsonTree) => Expression): Expression {
  const condition = memberOf(schema, "if");
  const yes = memberOf(schema, "then");
  const no = memberOf(schema, "else");
  if (condition === undefined || (yes === undefined && no === undefined)) return TRUE;
  const test = check(condition);
  const whenTrue = yes === undefined ? TRUE : check(yes);
  const whenFalse = no === undefined ? TRUE : check(no);
  if (test === TRUE) return whenTrue;
  return test === FALSE ? whenFalse : choice(test, whenTrue, whenFalse);
}

function listOf(schema: JsonTree, keyword: string): readonly JsonTree[] {
  const value = memberOf(schema, keyword);
  return isList(value) ? value : [];
}
