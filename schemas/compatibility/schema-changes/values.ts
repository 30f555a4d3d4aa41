/** Types, null, and lists of values. */
import type { Identity } from "../identity.js";
import { isList, isText, type Json, type JsonObject } from "../json.js";
import { typeOf } from "../subset/conjunction.js";
import { typesOf, VALUE_TYPES, type ValueType } from "../subset/value-types.js";
import { CHANGES_BOTH, type Facet, facet, NARROWS, WIDENS } from "./facet.js";

/** What changed in the types and the listed values of two schemas. */
export function valueFacets(old: JsonObject, next: JsonObject, identity: Identity): readonly Facet[] {
  const before = allowed(old, identity);
  const after = allowed(next, identity);
  const nulls = isStated(old) && isStated(next) ? nullFacet(before, after) : [];
  const ignored = isStated(old) && isStated(next) ? "null" : undefined;
  if (before.listed !== undefined && after.listed !== undefined) {
    return [...nulls, ...memberFacets(before.listed, after.listed, identity)];
  }
  const types = typeFacet(old, next, ignored);
  if (before.listed === undefined && after.listed === undefined) return [...nulls, ...types];
  const keywords = ["enum", "const"];
  if (before.listed === undefined) {
    return [...nulls, ...types, facet("enum-introduced", {}, { ...NARROWS, keywords })];
  }
  return [...nulls, ...types, facet("enum-dropped", {}, { ...WIDENS, keywords })];
}

interface Allowed {
  readonly types: readonly ValueType[];
  readonly listed: readonly Json[] | undefined;
  readonly hasNull: boolean;
}

function allowed(node: JsonObject, identity: Identity): Allowed {
  const types = typesOf(node) ?? VALUE_TYPES;
  const all = Object.hasOwn(node, "const") ? [node["const"] ?? null] : node["enum"];
  const distinct = isList(all)
    ? [...new Map(all.map((value) => [identity.ofValue(value), value])).values()]
    : undefined;
  const listed = distinct?.filter((value) => types.includes(typeOf(value)));
  return { types, listed, hasNull: types.includes("null") && (listed?.includes(null) ?? true) };
}

/** Whether the schema says which types it takes. */
function isStated(node: JsonObject): boolean {
  return node["type"] !== undefined || isList(node["enum"]) || Object.hasOwn(node, "const");
}

function nullFacet(before: Allowed, after: Allowed): readonly Facet[] {
  if (before.hasNull === after.hasNull) return [];
  const rest = { keywords: ["type", "enum", "const"], candidates: () => [null] };
  return after.hasNull
    ? [facet("null-accepted", {}, { ...WIDENS, ...rest })]
    : [facet("null-refused", {}, { ...NARROWS, ...rest })];
}

function memberFacets(before: readonly Json[], after: readonly Json[], identity: Identity): readonly Facet[] {
  const numbers = (list: readonly Json[]) => new Set(list.map((value) => identity.ofValue(value)));
  const [had, has] = [numbers(before), numbers(after)];
  const keywords = ["enum", "const", "type"];
  const one = (value: Json) => ({ keywords, candidates: () => [value], isCertain: false });
  const counts = (value: Json) => value !== null;
  return [
    ...before
      .filter((value) => counts(value) && !has.has(identity.ofValue(value)))
      .map((value) =>
        facet("enum-member-removed", { member: JSON.stringify(value) }, { ...NARROWS, ...one(value) }),
      ),
    ...after
      .filter((value) => counts(value) && !had.has(identity.ofValue(value)))
      .map((value) =>
        facet("enum-member-added", { member: JSON.stringify(value) }, { ...WIDENS, ...one(value) }),
      ),
  ];
}

function typeFacet(old: JsonObject, next: JsonObject, ignored: ValueType | undefined): readonly Facet[] {
  const [before, after] = [old, next].map((node) =>
    (typesOf(node) ?? VALUE_TYPES).filter((type) => type !== ignored),
  ) as [ValueType[], ValueType[]];
  const narrows = before.some((type) => !after.includes(type));
  const widens = after.some((type) => !before.includes(type));
  if (!narrows && !widens) return [];
  const direction = narrows && widens ? CHANGES_BOTH : narrows ? NARROWS : WIDENS;
  return [
    facet(
      "type-changed",
      { before: typeText(old), after: typeText(next) },
      { ...direction, keywords: ["type"] },
    ),
  ];
}

function typeText(node: JsonObject): string {
  const type = node["type"];
  if (type === undefined) return "of any type";
  const names = (isList(type) ? type : [type]).filter(isText).filter((name) => name !== "null");
  return names.length === 0 ? "null" : names.join(" or ");
}
