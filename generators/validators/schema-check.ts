/** The check of one schema on one variable: the kinds that its type allows, each with its own keywords, then the rest. */
import { isList, isMembers, type JsonTree, memberOf } from "../../schemas/formats/json-tree.js";
import { and, atom, choice, type Expression, FALSE, or, TRUE } from "./expression.js";
import { choicesCheck } from "./keywords/choices.js";
import { combinationsCheck } from "./keywords/combinations.js";
import { listCheck } from "./keywords/lists.js";
import { numberCheck } from "./keywords/numbers.js";
import { objectCheck } from "./keywords/objects.js";
import { referenceCheck } from "./keywords/references.js";
import { textCheck } from "./keywords/texts.js";
import { imported, type Scope, variable } from "./unit.js";

export interface SchemaCheck {
  readonly expression: Expression;
  /** What it says of undefined; null where that takes running it. */
  readonly ofUndefined: boolean | null;
}

const TYPES: ReadonlySet<string> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "array",
  "object",
  "null",
]);

/** The check of `schema` on the variable at `depth`. With `optional`, undefined passes too. */
export function schemaCheck(scope: Scope, schema: JsonTree, depth: number, optional = false): SchemaCheck {
  const value = variable(depth);
  if (!isMembers(schema)) return constantCheck(schema !== false, value, optional);
  const types = typesOf(scope, schema);
  const choices = choicesCheck(scope, schema, types, depth);
  const rest = and(combinationsCheck(scope, schema, depth), referenceCheck(scope, schema, depth));
  const kinds = kindsOf(scope, schema, types, depth);
  const plain = kinds.every(({ inside }) => inside === TRUE);
  const undefinedPasses = optional && rest === TRUE && choices === undefined;
  const typed = choices !== undefined && plain ? TRUE : kindsCheck(kinds, types, value, undefinedPasses);
  const expression = and(typed, choices ?? TRUE, rest);
  if (undefinedPasses) return { expression, ofUndefined: true };
  if (!optional)
    return { expression, ofUndefined: ofUndefined(types !== undefined || choices !== undefined, rest) };
  return { expression: or(atom(`${value} === undefined`), expression), ofUndefined: true };
}

function constantCheck(passes: boolean, value: string, optional: boolean): SchemaCheck {
  if (passes) return { expression: TRUE, ofUndefined: true };
  return { expression: optional ? atom(`${value} === undefined`) : FALSE, ofUndefined: optional };
}

function ofUndefined(refused: boolean, rest: Expression): boolean | null {
  if (refused) return false;
  return rest === TRUE ? true : null;
}

/** The types that the schema allows, undefined where it allows all. */
function typesOf(scope: Scope, schema: JsonTree): ReadonlySet<string> | undefined {
  const type = memberOf(schema, "type");
  if (typeof type !== "string" && !isList(type)) return undefined;
  const types = (isList(type) ? type : [type]).map(String);
  for (const name of types) {
    if (!TYPES.has(name)) scope.unit.problems.add(`There is no type ${JSON.stringify(name)}.`);
  }
  return new Set(memberOf(schema, "nullable") === true ? [...types, "null"] : types);
}

/** A kind of value that is allowed: how to know it, and what else must hold for it. */
interface Kind {
  readonly test: () => Expression;
  readonly inside: Expression;
}

/** The kinds that need looking at, the most frequent last. */
function kindsOf(
  scope: Scope,
  schema: JsonTree,
  types: ReadonlySet<string> | undefined,
  depth: number,
): readonly Kind[] {
  const value = variable(depth);
  const allows = (type: string) => types === undefined || types.has(type);
  const kinds: Kind[] = [];
  if (allows("object")) {
    const test = () => atom(`${imported(scope, "isObject")}(${value})`);
    kinds.push({ test, inside: objectCheck(scope, schema, depth) });
  }
  if (allows("array")) {
    kinds.push({ test: () => atom(`Array.isArray(${value})`), inside: listCheck(scope, schema, depth) });
  }
  if (allows("boolean")) kinds.push({ test: () => atom(`typeof ${value} === "boolean"`), inside: TRUE });
  if (allows("number") || allows("integer")) {
    const inside = numberCheck(scope, schema, value);
    kinds.push({ test: () => numberTest(value, allows("number"), inside === TRUE), inside });
  }
  if (allows("string")) {
    kinds.push({ test: () => atom(`typeof ${value} === "string"`), inside: textCheck(scope, schema, value) });
  }
  return types === undefined ? kinds.filter(({ inside }) => inside !== TRUE) : kinds;
}

function kindsCheck(
  kinds: readonly Kind[],
  types: ReadonlySet<string> | undefined,
  value: string,
  undefinedPasses: boolean,
): Expression {
  const none = types === undefined ? TRUE : emptyCheck(value, types.has("null"), undefinedPasses);
  return kinds.reduce((others, { test, inside }) => choice(test(), inside, others), none);
}

function numberTest(value: string, fractions: boolean, plain: boolean): Expression {
  const test = atom(`Number.${fractions ? "isFinite" : "isInteger"}(${value})`);
  return plain ? test : and(atom(`typeof ${value} === "number"`), test);
}

function emptyCheck(value: string, nullPasses: boolean, undefinedPasses: boolean): Expression {
  if (nullPasses && undefinedPasses) return atom(`${value} == null`);
  if (nullPasses) return atom(`${value} === null`);
  return undefinedPasses ? atom(`${value} === undefined`) : FALSE;
}
