/** `enum` and `const`: comparisons for few members, a set for many, deep equality for lists and objects. */
import { isList, type JsonTree, memberOf, sameTree } from "../../../schemas/formats/json-tree.js";
import { layOut } from "../../typescript/code.js";
import { jsonLiteral, stringLiteral } from "../../typescript/literals.js";
import { atom, type Expression, FALSE, or } from "../expression.js";
import { constant, imported, type Scope, variable } from "../unit.js";

/** From here on a set is faster than comparing one by one. */
const MANY = 12;

/** What passes is of one of `types` for certain. */
export function choicesCheck(
  scope: Scope,
  schema: JsonTree,
  types: ReadonlySet<string> | undefined,
  depth: number,
): Expression | undefined {
  const members = membersOf(schema);
  if (members === undefined) return undefined;
  const fitting = members.filter((member) => types === undefined || isOfTypes(member, types));
  const value = variable(depth);
  const scalars = fitting.filter(isScalar);
  const others = fitting.filter((member) => !isScalar(member));
  return or(scalarsCheck(scope, scalars, value), ...others.map(equalTo));

  function equalTo(member: JsonTree): Expression {
    const literal = constant(scope, `${layOut(jsonLiteral(member))} as unknown`);
    return atom(`${imported(scope, "isSame")}(${value}, ${literal})`);
  }
}

/** The members of `enum` that `const` allows too, undefined where the schema has neither. */
function membersOf(schema: JsonTree): readonly JsonTree[] | undefined {
  const listed = memberOf(schema, "enum");
  const only = memberOf(schema, "const");
  if (!isList(listed)) return only === undefined ? undefined : [only];
  return only === undefined ? listed : listed.filter((member) => sameValue(member, only));
}

type Scalar = Exclude<JsonTree, object> | null;

function isScalar(member: JsonTree): member is Scalar {
  return typeof member !== "object" || member === null;
}

function scalarsCheck(scope: Scope, members: readonly Scalar[], value: string): Expression {
  if (members.length === 0) return FALSE;
  const literals = members.map(literalOf);
  if (members.length < MANY) return or(...literals.map((literal) => atom(`${value} === ${literal}`)));
  return atom(`${constant(scope, `new Set<unknown>([${literals.join(", ")}])`)}.has(${value})`);
}

function literalOf(member: Scalar): string {
  return typeof member === "string" ? stringLiteral(member) : String(member);
}

function isOfTypes(member: JsonTree, types: ReadonlySet<string>): boolean {
  if (member === null) return types.has("null");
  if (isList(member)) return types.has("array");
  if (typeof member === "object") return types.has("object");
  if (typeof member !== "number") return types.has(typeof member);
  return types.has("number") ? Number.isFinite(member) : types.has("integer") && Number.isInteger(member);
}

/** Equality of values: the order of members does not count. */
function sameValue(a: JsonTree, b: JsonTree): boolean {
  return sameTree(sorted(a), sorted(b));
}

function sorted(tree: JsonTree): JsonTree {
  if (isList(tree)) return tree.map(sorted);
  if (typeof tree !== "object" || tree === null) return Object.is(tree, -0) ? 0 : tree;
  const members = tree.members.map(([name, value]): readonly [string, JsonTree] => [name, sorted(value)]);
  return { members: members.sort(([a], [b]) => (a < b ? -1 : 1)) };
}
