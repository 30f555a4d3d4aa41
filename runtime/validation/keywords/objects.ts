/**
 * Keywords of objects. A member counts as present as in ajv, when reading it gives a value: names that every object
 * inherits (`toString`) are present always, and `__proto__` is never a property of a schema.
 */
import { inner, type KeywordPlace, patternOf, report, same } from "../evaluation.js";
import { counted, shown } from "../finding.js";
import { below } from "../pointers.js";
import { isObject, type Values } from "../values.js";

export function evaluateObject(place: KeywordPlace, object: Values): void {
  const { minProperties, maxProperties, required } = place.schema;
  const count = Object.keys(object).length;
  if (typeof maxProperties === "number" && count > maxProperties) {
    report(place, "maxProperties", `at most ${counted(maxProperties, "member")}`);
  }
  if (typeof minProperties === "number" && count < minProperties) {
    report(place, "minProperties", `at least ${counted(minProperties, "member")}`);
  }
  if (Array.isArray(required)) reportMissing(place, object, required, "required", "");
  evaluateNames(place, object);
  evaluateDependencies(place, object);
  evaluateProperties(place, object);
}

function reportMissing(
  place: KeywordPlace,
  object: Values,
  names: readonly unknown[],
  keyword: string,
  when: string,
): void {
  for (const name of names.map(String)) {
    if (object[name] === undefined) report(place, keyword, `the member ${shown(name)}${when}`, "nothing");
  }
}

function evaluateNames(place: KeywordPlace, object: Values): void {
  const { propertyNames } = place.schema;
  if (propertyNames === undefined) return;
  for (const name in object) {
    if (same({ ...place, value: name, followed: [] }, propertyNames)) continue;
    report(place, "propertyNames", "names that fit the schema", shown(name));
  }
}

function evaluateDependencies(place: KeywordPlace, object: Values): void {
  for (const [name, dependency] of membersOf(place.schema["dependencies"])) {
    if (object[name] === undefined) continue;
    if (Array.isArray(dependency)) {
      reportMissing(place, object, dependency, "dependencies", ` beside ${shown(name)}`);
    } else same(place, dependency);
  }
}

function evaluateProperties(place: KeywordPlace, object: Values): void {
  const properties = membersOf(place.schema["properties"]);
  const patterns = membersOf(place.schema["patternProperties"]);
  for (const [name, schema] of properties) {
    if (object[name] !== undefined) inner(place, schema, object[name], below(place.path, name));
  }
  for (const [source, schema] of patterns) {
    const pattern = patternOf(place, source);
    if (pattern === undefined)
      report(place, "patternProperties", `a pattern that can be read, not ${source}`);
    for (const name in object) {
      if (pattern?.test(name)) inner(place, schema, object[name], below(place.path, name));
    }
  }
  evaluateAdditional(place, object, properties, patterns);
}

/** ajv finds `__proto__` among more than eight properties, and not among fewer. */
const FEW = 8;

function evaluateAdditional(
  place: KeywordPlace,
  object: Values,
  properties: readonly Member[],
  patterns: readonly Member[],
): void {
  const { additionalProperties } = place.schema;
  if (additionalProperties === undefined) return;
  const names = new Set(properties.map(([name]) => name));
  const known = place.schema["properties"];
  if (names.size > FEW && isObject(known) && Object.hasOwn(known, "__proto__")) names.add("__proto__");
  for (const name in object) {
    if (names.has(name) || patterns.some(([source]) => patternOf(place, source)?.test(name))) continue;
    if (additionalProperties === false) {
      report(place, "additionalProperties", "no other members", shown(name));
    } else inner(place, additionalProperties, object[name], below(place.path, name));
  }
}

type Member = readonly [name: string, schema: unknown];

function membersOf(schemas: unknown): readonly Member[] {
  return isObject(schemas) ? Object.entries(schemas).filter(([name]) => name !== "__proto__") : [];
}
