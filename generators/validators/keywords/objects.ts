/** Keywords of objects. Members are read as ajv reads them: an inherited name counts, `__proto__` is no property. */
import {
  isList,
  isMembers,
  type JsonMember,
  type JsonTree,
  memberOf,
} from "../../../schemas/formats/json-tree.js";
import { stringLiteral } from "../../typescript/literals.js";
import { and, atom, type Expression, FALSE, or, TRUE } from "../expression.js";
import { schemaCheck } from "../schema-check.js";
import { assigned, constant, hoisted, imported, returned, type Scope, variable } from "../unit.js";
import { separateCheck } from "./combinations.js";
import { patternTest } from "./texts.js";

export function objectCheck(scope: Scope, schema: JsonTree, depth: number): Expression {
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
const MOST = 64;

function propertiesCheck(scope: Scope, schema: JsonTree, depth: number): Expression {
  const properties = membersIn(schema, "properties");
  const required = new Set(textsOf(memberOf(schema, "required")));
  const known = new Set(properties.map(([name]) => name));
  const members = [
    ...properties,
    ...[...required].filter((name) => !known.has(name)).map((name): JsonMember => [name, true]),
  ];
  const check = (part: readonly JsonMember[], inner: Scope, at: number) =>
    and(
      ...part.map(([name, value]) => memberCheck(inner, { name, value, required: required.has(name) }, at)),
    );
  if (members.length <= MOST) return check(members, scope, depth);
  const parts: Expression[] = [];
  for (let start = 0; start < members.length; start += MOST) {
    const part = members.slice(start, start + MOST);
    const body = (inner: Scope) => [returned(check(part, inner, 0))];
    parts.push(atom(hoisted(scope, { parameter: parameter(scope, "a"), body }, variable(depth))));
  }
  return and(...parts);
}

interface Member {
  readonly name: string;
  readonly value: JsonTree;
  readonly required: boolean;
}

function memberCheck(scope: Scope, { name, value, required }: Member, depth: number): Expression {
  const place = `${variable(depth)}[${stringLiteral(name)}]`;
  const at = depth + 1;
  if (isLarge(value) || depth > DEEP) {
    const check = separateCheck(scope, value, at);
    const passes = atom(`${variable(at)} ${required ? "!==" : "==="} undefined`);
    return assigned(scope, at, place, required ? and(passes, check) : or(passes, check));
  }
  const { expression, ofUndefined } = schemaCheck(scope, value, at, !required);
  const here = variable(at);
  if (expression.text === `typeof ${here} === "string"`) return atom(`typeof ${place} === "string"`);
  // The member that records have most of has a helper of its own, for the sake of the code's size.
  if (expression.text === `typeof ${here} === "string" || ${here} === undefined`) {
    return atom(`${imported(scope, "isTextOrNone")}(${place})`);
  }
  if (!required || ofUndefined === false) return assigned(scope, at, place, expression);
  const present = atom(`${expression === TRUE ? place : variable(at)} !== undefined`);
  return expression === TRUE ? present : assigned(scope, at, place, and(present, expression));
}

const DEEP = 5;
const LARGE = 40;

/** Whether a schema is worth a function of its own. */
function isLarge(schema: JsonTree): boolean {
  let size = 0;
  const pending = [schema];
  for (let part = pending.pop(); part !== undefined && size <= LARGE; part = pending.pop()) {
    size++;
    if (isList(part)) size += part.length;
    else if (isMembers(part)) for (const member of part.members) pending.push(member[1]);
  }
  return size > LARGE;
}

function dependenciesCheck(scope: Scope, schema: JsonTree, depth: number): Expression {
  const object = variable(depth);
  const has = (name: string) => atom(`${object}[${stringLiteral(name)}] !== undefined`);
  return and(
    ...membersIn(schema, "dependencies").map(([name, dependency]) => {
      const needed = isList(dependency)
        ? and(...textsOf(dependency).map(has))
        : separateCheck(scope, dependency, depth);
      return needed === TRUE ? TRUE : or(atom(`${object}[${stringLiteral(name)}] === undefined`), needed);
    }),
  );
}

/** The keywords that look at every name: `propertyNames`, `patternProperties`, `additionalProperties`. */
function namesCheck(scope: Scope, schema: JsonTree, object: string): Expression {
  const patterns = membersIn(schema, "patternProperties");
  const additional = memberOf(schema, "additionalProperties") ?? true;
  const names = memberOf(schema, "propertyNames") ?? true;
  if (additional === false && patterns.length === 0 && names === true) {
    return atom(`${imported(scope, "hasOnly")}(${object}, ${nameSet(scope, knownNames(schema))})`);
  }
  const body = (inner: Scope) => {
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
  return readable ? atom(hoisted(scope, { parameter: parameter(scope, "o"), body }, object)) : FALSE;
}

/** A name is a value of its own, whatever is known of the object. */
function nameCheck(scope: Scope, schema: JsonTree): Expression {
  const parts = {
    parameter: "a: unknown",
    body: (inner: Scope) => [returned(schemaCheck(inner, schema, 0).expression)],
  };
  return isMembers(schema) || schema === false ? atom(hoisted(scope, parts, "k")) : TRUE;
}

function patternCheck(scope: Scope, source: string, schema: JsonTree): Expression {
  const check = memberValueCheck(scope, schema);
  const test = patternTest(scope, source, "k");
  return check === TRUE || test === undefined ? TRUE : or(atom(`!${test.text}`), check);
}

function additionalCheck(
  scope: Scope,
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

function memberValueCheck(scope: Scope, schema: JsonTree): Expression {
  return assigned(scope, 0, "o[k]", schemaCheck(scope, schema, 0).expression);
}

/** ajv finds `__proto__` among more than eight properties, and not among fewer. */
const FEW = 8;

function knownNames(schema: JsonTree): readonly string[] {
  const names = membersIn(schema, "properties").map(([name]) => name);
  const proto = memberOf(memberOf(schema, "properties"), "__proto__") !== undefined;
  return proto && new Set(names).size > FEW ? [...names, "__proto__"] : names;
}

function nameSet(scope: Scope, names: readonly string[]): string {
  return constant(
    scope,
    `new Set${names.length === 0 ? "<string>()" : `([${names.map(stringLiteral).join(", ")}])`}`,
  );
}

function parameter(scope: Scope, name: string): string {
  scope.unit.imports.add("type Values");
  return `${name}: Values`;
}

function membersIn(schema: JsonTree, keyword: string): readonly JsonMember[] {
  const value = memberOf(schema, keyword);
  return isMembers(value) ? value.members.filter(([name]) => name !== "__proto__") : [];
}

function textsOf(list: JsonTree | undefined): readonly string[] {
  return isList(list) ? list.filter((item): item is string => typeof item === "string") : [];
}
