/**
 * The check of one schema as an expression on a variable: one recursive descent over all keywords. What it accepts is
 * what ajv accepts: members are read as ajv reads them, so that an inherited name counts and `__proto__` is no property.
 */

import {
  isJsonArray,
  isJsonObject,
  type JsonMember,
  type JsonTree,
  memberOf,
  sameTree,
} from "../../schemas/json.js";
import { FORMAT_LIMIT_KEYWORDS, FORMATS, isCheckedStringFormat, JSON_TYPES } from "../../schemas/keywords.js";
import { layOut } from "../typescript/code.js";
import { jsonLiteral, stringLiteral } from "../typescript/literals.js";
import { and, atom, choice, type Expression, FALSE, not, or, TRUE } from "./expression.js";
import {
  assign,
  constantFor,
  type FunctionScope,
  functionCode,
  hoist,
  newName,
  passCounter,
  returnLine,
  type Target,
  type Unit,
  useHelper,
  variable,
} from "./unit.js";

/** The check of one schema. */
export interface SchemaCheck {
  readonly expression: Expression;
  /** The verdict on undefined; null if only running the check tells. */
  readonly ofUndefined: boolean | null;
}

const TYPES: ReadonlySet<string> = new Set(JSON_TYPES);

/**
 * The check of `schema` on the variable at `depth`: the kinds of values that its type allows, each with its own
 * keywords, then the keywords for every kind. With `optional`, undefined passes too.
 */
export function schemaCheck(
  scope: FunctionScope,
  schema: JsonTree,
  depth: number,
  optional = false,
): SchemaCheck {
  const value = variable(depth);
  if (!isJsonObject(schema)) return constantCheck(schema !== false, value, optional);
  const types = typesOf(scope, schema);
  const members = enumCheck(scope, schema, types, depth);
  const rest = and(combinationsCheck(scope, schema, depth), referenceCheck(scope, schema, depth));
  const kinds = kindsOf(scope, schema, types, depth);
  const plain = kinds.every(({ inside }) => inside === TRUE);
  const undefinedPasses = optional && rest === TRUE && members === undefined;
  const typed = members !== undefined && plain ? TRUE : kindsCheck(kinds, types, value, undefinedPasses);
  const expression = and(typed, members ?? TRUE, rest);
  if (undefinedPasses) return { expression, ofUndefined: true };
  if (!optional)
    return {
      expression,
      ofUndefined: verdictOnUndefined(types !== undefined || members !== undefined, rest),
    };
  return { expression: or(atom(`${value} === undefined`), expression), ofUndefined: true };
}

function constantCheck(passes: boolean, value: string, optional: boolean): SchemaCheck {
  if (passes) return { expression: TRUE, ofUndefined: true };
  return { expression: optional ? atom(`${value} === undefined`) : FALSE, ofUndefined: optional };
}

function verdictOnUndefined(refused: boolean, rest: Expression): boolean | null {
  if (refused) return false;
  return rest === TRUE ? true : null;
}

/** The types that the schema allows, undefined if it allows all. */
function typesOf(scope: FunctionScope, schema: JsonTree): ReadonlySet<string> | undefined {
  const type = memberOf(schema, "type");
  if (typeof type !== "string" && !isJsonArray(type)) return undefined;
  const types = (isJsonArray(type) ? type : [type]).map(String);
  for (const name of types) {
    if (!TYPES.has(name)) scope.unit.problems.add(`There is no type ${JSON.stringify(name)}.`);
  }
  return new Set(memberOf(schema, "nullable") === true ? [...types, "null"] : types);
}

/** A kind of value that the schema allows. */
interface Kind {
  /** Whether the value is of this kind. */
  readonly test: () => Expression;
  /** What else must hold for a value of this kind. */
  readonly inside: Expression;
}

/** The kinds that need a test, the most frequent last. */
function kindsOf(
  scope: FunctionScope,
  schema: JsonTree,
  types: ReadonlySet<string> | undefined,
  depth: number,
): readonly Kind[] {
  const value = variable(depth);
  const allows = (type: string) => types === undefined || types.has(type);
  const kinds: Kind[] = [];
  if (allows("object")) {
    const test = () => atom(`${useHelper(scope, "isJsonObject")}(${value})`);
    kinds.push({ test, inside: objectCheck(scope, schema, depth) });
  }
  if (allows("array")) {
    kinds.push({ test: () => atom(`Array.isArray(${value})`), inside: arrayCheck(scope, schema, depth) });
  }
  if (allows("boolean")) kinds.push({ test: () => atom(`typeof ${value} === "boolean"`), inside: TRUE });
  if (allows("number") || allows("integer")) {
    const inside = numberCheck(scope, schema, value);
    kinds.push({ test: () => numberTest(value, allows("number"), inside === TRUE), inside });
  }
  if (allows("string")) {
    kinds.push({
      test: () => atom(`typeof ${value} === "string"`),
      inside: stringCheck(scope, schema, value),
    });
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

/**
 * How many recursive references a value may follow inside each other. A value that nests deeper is refused, because
 * it could overflow the stack.
 */
const MAX_REFERENCES = 500;

/** `$ref` to a part of the same document: one function for all its uses. */
function referenceCheck(scope: FunctionScope, schema: JsonTree, depth: number): Expression {
  const reference = memberOf(schema, "$ref");
  if (typeof reference !== "string") return TRUE;
  const { unit } = scope;
  const part = unit.references.target(reference);
  if (part === undefined) {
    unit.problems.add(`There is no schema at ${JSON.stringify(reference)}.`);
    return FALSE;
  }
  if (depth === 0 && scope.entry !== undefined && unit.references.isEndless(scope.entry, part)) {
    unit.problems.add(`${JSON.stringify(reference)} leads to itself without end.`);
    return FALSE;
  }
  const value = variable(depth);
  const { name, counts } = referenceTarget(unit, part);
  if (!unit.references.isRecursive(part)) return atom(`${name}(${value}${counts ? passCounter(scope) : ""})`);
  passCounter(scope);
  return and(atom(`n < ${MAX_REFERENCES}`), atom(`${name}(${value}, n + 1)`));
}

/** The function that checks the part that a reference names. */
export function referenceTarget(unit: Unit, part: JsonTree): Target {
  const known = unit.targets.get(part);
  if (known !== undefined) return known;
  const recursive = unit.references.isRecursive(part);
  const name = newName(unit);
  // A recursive part is called from within its own function, so its name stands before its text does.
  if (recursive) unit.targets.set(part, { name, counts: true });
  const { text, names, counts } = functionCode(unit, {
    parameter: "a: unknown",
    entry: part,
    body: (scope) => [returnLine(schemaCheck(scope, part, 0).expression)],
    counted: recursive,
  });
  const target = { name, counts };
  unit.targets.set(part, target);
  unit.declarations.set(name, { text: `function ${name}${text}`, names });
  return target;
}

/** From this number of members on, a set is faster than comparing one by one. */
const SET_FROM = 12;

/**
 * `enum` and `const`: comparisons for few members, a set for many, deep equality for arrays and objects. What passes is
 * of one of `types` for certain. Undefined if the schema has neither keyword.
 */
function enumCheck(
  scope: FunctionScope,
  schema: JsonTree,
  types: ReadonlySet<string> | undefined,
  depth: number,
): Expression | undefined {
  const members = enumMembers(schema);
  if (members === undefined) return undefined;
  const fitting = members.filter((member) => types === undefined || isOfTypes(member, types));
  const value = variable(depth);
  const scalars = fitting.filter(isScalar);
  const others = fitting.filter((member) => !isScalar(member));
  return or(scalarsCheck(scope, scalars, value), ...others.map(equalTo));

  function equalTo(member: JsonTree): Expression {
    const literal = constantFor(scope, `${layOut(jsonLiteral(member))} as unknown`);
    return atom(`${useHelper(scope, "isEqual")}(${value}, ${literal})`);
  }
}

/** The members of `enum` that `const` allows too, undefined if the schema has neither. */
function enumMembers(schema: JsonTree): readonly JsonTree[] | undefined {
  const listed = memberOf(schema, "enum");
  const only = memberOf(schema, "const");
  if (!isJsonArray(listed)) return only === undefined ? undefined : [only];
  return only === undefined ? listed : listed.filter((member) => isSameValue(member, only));
}

type Scalar = Exclude<JsonTree, object> | null;

function isScalar(member: JsonTree): member is Scalar {
  return typeof member !== "object" || member === null;
}

function scalarsCheck(scope: FunctionScope, members: readonly Scalar[], value: string): Expression {
  if (members.length === 0) return FALSE;
  const literals = members.map(literalOf);
  if (members.length < SET_FROM) return or(...literals.map((literal) => atom(`${value} === ${literal}`)));
  return atom(`${constantFor(scope, `new Set<unknown>([${literals.join(", ")}])`)}.has(${value})`);
}

function literalOf(member: Scalar): string {
  return typeof member === "string" ? stringLiteral(member) : String(member);
}

function isOfTypes(member: JsonTree, types: ReadonlySet<string>): boolean {
  if (member === null) return types.has("null");
  if (isJsonArray(member)) return types.has("array");
  if (typeof member === "object") return types.has("object");
  if (typeof member !== "number") return types.has(typeof member);
  return types.has("number") ? Number.isFinite(member) : types.has("integer") && Number.isInteger(member);
}

/** Equality of values: the order of members does not count. */
function isSameValue(a: JsonTree, b: JsonTree): boolean {
  return sameTree(withSortedMembers(a), withSortedMembers(b));
}

function withSortedMembers(tree: JsonTree): JsonTree {
  if (isJsonArray(tree)) return tree.map(withSortedMembers);
  if (typeof tree !== "object" || tree === null) return Object.is(tree, -0) ? 0 : tree;
  const members = tree.members.map(([name, value]): readonly [string, JsonTree] => [
    name,
    withSortedMembers(value),
  ]);
  return { members: members.sort(([a], [b]) => (a < b ? -1 : 1)) };
}

/** Keywords that combine schemas of one value. Each schema is a function of its own, so that none narrows another's types. */
function combinationsCheck(scope: FunctionScope, schema: JsonTree, depth: number): Expression {
  const check = (part: JsonTree) => callCheck(scope, part, depth);
  const all = schemasIn(schema, "allOf").map(check);
  const any = memberOf(schema, "anyOf") === undefined ? TRUE : or(...schemasIn(schema, "anyOf").map(check));
  const refused = memberOf(schema, "not");
  return and(
    ...all,
    any,
    oneOfCheck(schemasIn(schema, "oneOf").map(check), memberOf(schema, "oneOf") !== undefined),
    refused === undefined ? TRUE : not(check(refused)),
    conditionCheck(schema, check),
  );
}

/** The check of `part` on the same value: a call of a function of its own, or a constant. */
function callCheck(scope: FunctionScope, part: JsonTree, depth: number): Expression {
  const constantCheck = schemaConstant(part);
  if (constantCheck !== undefined) return constantCheck;
  if (isJsonObject(part) && part.members.length === 1 && memberOf(part, "$ref") !== undefined) {
    return referenceCheck(scope, part, depth);
  }
  const entry = depth === 0 ? scope.entry : undefined;
  const parts = {
    parameter: "a: unknown",
    ...(entry === undefined ? {} : { entry }),
    body: (inner: FunctionScope) => [returnLine(schemaCheck(inner, part, 0).expression)],
  };
  return atom(hoist(scope, parts, variable(depth)));
}

function schemaConstant(part: JsonTree): Expression | undefined {
  if (part === false) return FALSE;
  return isJsonObject(part) && part.members.length > 0 ? undefined : TRUE;
}

function oneOfCheck(checks: readonly Expression[], present: boolean): Expression {
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

function schemasIn(schema: JsonTree, keyword: string): readonly JsonTree[] {
  const value = memberOf(schema, keyword);
  return isJsonArray(value) ? value : [];
}

/** The formats that records are full of, by the helper that tests them. */
const FORMAT_HELPERS: ReadonlyMap<string, string> = new Map([
  ["date", "isDate"],
  ["date-time", "isDateTime"],
  ["time", "isTime"],
  ["uuid", "isUuid"],
]);

function stringCheck(scope: FunctionScope, schema: JsonTree, value: string): Expression {
  return and(
    minLengthCheck(scope, memberOf(schema, "minLength"), value),
    maxLengthCheck(scope, memberOf(schema, "maxLength"), value),
    stringPatternCheck(scope, memberOf(schema, "pattern"), value),
    stringFormatCheck(scope, memberOf(schema, "format"), value),
    formatLimitsCheck(scope, schema, value),
  );
}

/** The test of a string by the regular expression `source`; undefined if that is not valid. */
function patternTest(scope: FunctionScope, source: string, value: string): Expression | undefined {
  try {
    new RegExp(source, "u");
  } catch {
    scope.unit.problems.add(`${JSON.stringify(source)} is not a regular expression.`);
    return undefined;
  }
  return atom(`${constantFor(scope, `new RegExp(${stringLiteral(source)}, "u")`)}.test(${value})`);
}

function minLengthCheck(scope: FunctionScope, limit: JsonTree | undefined, value: string): Expression {
  if (typeof limit !== "number" || limit <= 0) return TRUE;
  if (limit <= 1) return atom(`${value} !== ""`);
  return atom(`${useHelper(scope, "hasMinLength")}(${value}, ${limit})`);
}

function maxLengthCheck(scope: FunctionScope, limit: JsonTree | undefined, value: string): Expression {
  if (typeof limit !== "number") return TRUE;
  return atom(`${useHelper(scope, "hasMaxLength")}(${value}, ${limit})`);
}

function stringPatternCheck(scope: FunctionScope, pattern: JsonTree | undefined, value: string): Expression {
  return typeof pattern === "string" ? (patternTest(scope, pattern, value) ?? FALSE) : TRUE;
}

function stringFormatCheck(scope: FunctionScope, format: JsonTree | undefined, value: string): Expression {
  if (typeof format !== "string" || !isCheckedStringFormat(format)) return TRUE;
  const helper = FORMAT_HELPERS.get(format);
  if (helper !== undefined) return atom(`${useHelper(scope, helper)}(${value})`);
  const test = `/*@__PURE__*/ ${useHelper(scope, "formatCheck")}(${stringLiteral(format)})`;
  return atom(`${constantFor(scope, test)}(${value})`);
}

function formatLimitsCheck(scope: FunctionScope, schema: JsonTree, value: string): Expression {
  const format = memberOf(schema, "format");
  if (typeof format !== "string" || FORMATS.get(format)?.isOrdered !== true) return TRUE;
  return and(
    ...FORMAT_LIMIT_KEYWORDS.map((keyword) => {
      const limit = memberOf(schema, keyword);
      if (typeof limit !== "string") return TRUE;
      const rest = [format, keyword, limit].map(stringLiteral).join(", ");
      return atom(`${useHelper(scope, "isWithinFormatLimit")}(${value}, ${rest})`);
    }),
  );
}

const OPERATORS: readonly (readonly [keyword: string, operator: string])[] = [
  ["minimum", ">="],
  ["maximum", "<="],
  ["exclusiveMinimum", ">"],
  ["exclusiveMaximum", "<"],
];

function numberCheck(scope: FunctionScope, schema: JsonTree, value: string): Expression {
  const limits = OPERATORS.map(([keyword, operator]) => {
    const limit = memberOf(schema, keyword);
    return typeof limit === "number" ? atom(`${value} ${operator} ${limit}`) : TRUE;
  });
  const step = memberOf(schema, "multipleOf");
  const multiple =
    typeof step === "number" ? atom(`${useHelper(scope, "isMultipleOf")}(${value}, ${step})`) : TRUE;
  return and(...limits, multiple, numberFormatCheck(scope, memberOf(schema, "format"), value));
}

function numberFormatCheck(scope: FunctionScope, format: JsonTree | undefined, value: string): Expression {
  if (format === "int32") return atom(`${useHelper(scope, "isInt32")}(${value})`);
  return format === "int64" ? atom(`Number.isInteger(${value})`) : TRUE;
}

const ARRAY_PARAMETER = "l: readonly unknown[]";

function arrayCheck(scope: FunctionScope, schema: JsonTree, depth: number): Expression {
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

function itemsCheck(scope: FunctionScope, schema: JsonTree, depth: number): Expression {
  const items = memberOf(schema, "items");
  const list = variable(depth);
  if (items === undefined) return TRUE;
  if (!isJsonArray(items)) return itemsFromCheck(scope, items, list, 0);
  const byIndex = items.map((item, index) => {
    const check = callCheck(scope, item, depth + 1);
    if (check === TRUE) return TRUE;
    return or(atom(`${list}.length <= ${index}`), assign(scope, depth + 1, `${list}[${index}]`, check));
  });
  const additional = memberOf(schema, "additionalItems") ?? true;
  return and(...byIndex, itemsFromCheck(scope, additional, list, items.length));
}

/** Every item from `start` on fits `schema`. */
function itemsFromCheck(scope: FunctionScope, schema: JsonTree, list: string, start: number): Expression {
  if (schema === false) return atom(`${list}.length <= ${start}`);
  if (acceptsAll(schema)) return TRUE;
  const body = (inner: FunctionScope) => {
    const { expression } = schemaCheck(inner, schema, 0);
    if (expression === TRUE) return [];
    if (expression === FALSE) return [`if (l.length > ${start}) return false;`];
    return [
      `for (const a of ${start === 0 ? "l" : `l.slice(${start})`}) if (!(${expression.text})) return false;`,
    ];
  };
  return loopCheck(scope, body, "return true;", list);
}

function containsCheck(scope: FunctionScope, schema: JsonTree | undefined, list: string): Expression {
  if (schema === undefined) return TRUE;
  if (schema === false) return FALSE;
  if (acceptsAll(schema)) return atom(`${list}.length > 0`);
  const body = (inner: FunctionScope) => {
    const { expression } = schemaCheck(inner, schema, 0);
    if (expression === TRUE) return ["if (l.length > 0) return true;"];
    if (expression === FALSE) return [];
    return [`for (const a of l) if (${expression.text}) return true;`];
  };
  return loopCheck(scope, body, "return false;", list);
}

function loopCheck(
  scope: FunctionScope,
  body: (inner: FunctionScope) => readonly string[],
  end: string,
  list: string,
): Expression {
  return atom(hoist(scope, { parameter: ARRAY_PARAMETER, body: (inner) => [...body(inner), end] }, list));
}

/** ajv does not see that `__proto__` is repeated in an array of strings. */
function uniqueCheck(scope: FunctionScope, schema: JsonTree, list: string): Expression {
  if (memberOf(schema, "uniqueItems") !== true) return TRUE;
  const items = memberOf(schema, "items");
  const type = memberOf(items, "type");
  const single = isJsonArray(type) && type.length === 1 ? type[0] : type;
  const areStrings = single === "string" && memberOf(items, "nullable") !== true;
  return atom(`${useHelper(scope, areStrings ? "isUniqueStrings" : "isUnique")}(${list})`);
}

function acceptsAll(schema: JsonTree): boolean {
  return schema === true || (isJsonObject(schema) && schema.members.length === 0);
}

function objectCheck(scope: FunctionScope, schema: JsonTree, depth: number): Expression {
  const object = variable(depth);
  const least = memberOf(schema, "minProperties");
  const most = memberOf(schema, "maxProperties");
  const size = `Object.keys(${object}).length`;
  return and(
    typeof least === "number" && least > 0 ? atom(`${size} >= ${least}`) : TRUE,
    typeof most === "number" ? atom(`${size} <= ${most}`) : TRUE,
    propertiesCheck(scope, schema, depth),
    dependenciesCheck(scope, schema, depth),
    namesCheck(scope, schema, object),
  );
}

/** How many properties one function checks, so that compilers can still follow it. */
const PROPERTIES_PER_FUNCTION = 64;

function propertiesCheck(scope: FunctionScope, schema: JsonTree, depth: number): Expression {
  const properties = namedSchemas(schema, "properties");
  const required = new Set(stringsIn(memberOf(schema, "required")));
  const known = new Set(properties.map(([name]) => name));
  const members = [
    ...properties,
    ...[...required].filter((name) => !known.has(name)).map((name): JsonMember => [name, true]),
  ];
  const check = (part: readonly JsonMember[], inner: FunctionScope, at: number) =>
    and(
      ...part.map(([name, value]) => memberCheck(inner, { name, value, required: required.has(name) }, at)),
    );
  if (members.length <= PROPERTIES_PER_FUNCTION) return check(members, scope, depth);
  const parts: Expression[] = [];
  for (let start = 0; start < members.length; start += PROPERTIES_PER_FUNCTION) {
    const part = members.slice(start, start + PROPERTIES_PER_FUNCTION);
    const body = (inner: FunctionScope) => [returnLine(check(part, inner, 0))];
    parts.push(atom(hoist(scope, { parameter: objectParameter("a"), body }, variable(depth))));
  }
  return and(...parts);
}

interface Member {
  readonly name: string;
  readonly value: JsonTree;
  readonly required: boolean;
}

function memberCheck(scope: FunctionScope, { name, value, required }: Member, depth: number): Expression {
  const place = `${variable(depth)}[${stringLiteral(name)}]`;
  const at = depth + 1;
  if (isLarge(value) || depth > MAX_INLINE_DEPTH) {
    const check = callCheck(scope, value, at);
    const passes = atom(`${variable(at)} ${required ? "!==" : "==="} undefined`);
    return assign(scope, at, place, required ? and(passes, check) : or(passes, check));
  }
  const { expression, ofUndefined } = schemaCheck(scope, value, at, !required);
  const here = variable(at);
  if (expression.text === `typeof ${here} === "string"`) return atom(`typeof ${place} === "string"`);
  // The member that records have most of has a helper of its own, for the sake of the code's size.
  if (expression.text === `typeof ${here} === "string" || ${here} === undefined`) {
    return atom(`${useHelper(scope, "isStringOrUndefined")}(${place})`);
  }
  if (!required || ofUndefined === false) return assign(scope, at, place, expression);
  const present = atom(`${expression === TRUE ? place : variable(at)} !== undefined`);
  return expression === TRUE ? present : assign(scope, at, place, and(present, expression));
}

const MAX_INLINE_DEPTH = 5;
const MAX_INLINE_SIZE = 40;

/** Whether a schema is large enough for a function of its own. */
function isLarge(schema: JsonTree): boolean {
  let size = 0;
  const pending = [schema];
  for (let part = pending.pop(); part !== undefined && size <= MAX_INLINE_SIZE; part = pending.pop()) {
    size++;
    if (isJsonArray(part)) size += part.length;
    else if (isJsonObject(part)) for (const member of part.members) pending.push(member[1]);
  }
  return size > MAX_INLINE_SIZE;
}

function dependenciesCheck(scope: FunctionScope, schema: JsonTree, depth: number): Expression {
  const object = variable(depth);
  const has = (name: string) => atom(`${object}[${stringLiteral(name)}] !== undefined`);
  return and(
    ...namedSchemas(schema, "dependencies").map(([name, dependency]) => {
      const needed = isJsonArray(dependency)
        ? and(...stringsIn(dependency).map(has))
        : callCheck(scope, dependency, depth);
      return needed === TRUE ? TRUE : or(atom(`${object}[${stringLiteral(name)}] === undefined`), needed);
    }),
  );
}

/** The keywords that look at every name: `propertyNames`, `patternProperties`, `additionalProperties`. */
function namesCheck(scope: FunctionScope, schema: JsonTree, object: string): Expression {
  const patterns = namedSchemas(schema, "patternProperties");
  const additional = memberOf(schema, "additionalProperties") ?? true;
  const names = memberOf(schema, "propertyNames") ?? true;
  if (additional === false && patterns.length === 0 && names === true) {
    return atom(`${useHelper(scope, "hasOnlyNames")}(${object}, ${nameSet(scope, knownNames(schema))})`);
  }
  const body = (inner: FunctionScope) => {
    const check = and(
      nameCheck(inner, names),
      ...patterns.map(([source, value]) => patternCheck(inner, source, value)),
      additionalCheck(inner, additional, schema, patterns),
    );
    if (check === TRUE) return ["return true;"];
    if (check === FALSE) return ["return Object.keys(o).length === 0;"];
    return [`for (const k in o) if (!(${check.text})) return false;`, "return true;"];
  };
  if (additional === true && patterns.length === 0 && names === true) return TRUE;
  const readable = patterns.every(([source]) => patternTest(scope, source, "k") !== undefined);
  return readable ? atom(hoist(scope, { parameter: objectParameter("o"), body }, object)) : FALSE;
}

/** `propertyNames`: a name is a value of its own, whatever is known of the object. */
function nameCheck(scope: FunctionScope, schema: JsonTree): Expression {
  const parts = {
    parameter: "a: unknown",
    body: (inner: FunctionScope) => [returnLine(schemaCheck(inner, schema, 0).expression)],
  };
  return isJsonObject(schema) || schema === false ? atom(hoist(scope, parts, "k")) : TRUE;
}

function patternCheck(scope: FunctionScope, source: string, schema: JsonTree): Expression {
  const check = memberValueCheck(scope, schema);
  const test = patternTest(scope, source, "k");
  return check === TRUE || test === undefined ? TRUE : or(atom(`!${test.text}`), check);
}

function additionalCheck(
  scope: FunctionScope,
  schema: JsonTree,
  parent: JsonTree,
  patterns: readonly JsonMember[],
): Expression {
  const check = memberValueCheck(scope, schema);
  if (check === TRUE) return TRUE;
  const known = knownNames(parent);
  const tests = patterns.map(([source]) => patternTest(scope, source, "k") ?? FALSE);
  const isKnown = known.length === 0 ? FALSE : atom(`${nameSet(scope, known)}.has(k)`);
  return or(isKnown, ...tests, check);
}

function memberValueCheck(scope: FunctionScope, schema: JsonTree): Expression {
  return assign(scope, 0, "o[k]", schemaCheck(scope, schema, 0).expression);
}

/** ajv finds `__proto__` among more than eight properties, and not among fewer. */
const PROTO_FOUND_ABOVE = 8;

function knownNames(schema: JsonTree): readonly string[] {
  const names = namedSchemas(schema, "properties").map(([name]) => name);
  const proto = memberOf(memberOf(schema, "properties"), "__proto__") !== undefined;
  return proto && new Set(names).size > PROTO_FOUND_ABOVE ? [...names, "__proto__"] : names;
}

function nameSet(scope: FunctionScope, names: readonly string[]): string {
  return constantFor(
    scope,
    `new Set${names.length === 0 ? "<string>()" : `([${names.map(stringLiteral).join(", ")}])`}`,
  );
}

/** A parameter for an object. No imported type: an author's class may have the name of any. */
function objectParameter(name: string): string {
  return `${name}: { readonly [name: string]: unknown }`;
}

function namedSchemas(schema: JsonTree, keyword: string): readonly JsonMember[] {
  const value = memberOf(schema, keyword);
  return isJsonObject(value) ? value.members.filter(([name]) => name !== "__proto__") : [];
}

function stringsIn(list: JsonTree | undefined): readonly string[] {
  return isJsonArray(list) ? list.filter((item): item is string => typeof item === "string") : [];
}
