/** Which schemas hold for a value, and for what is in it, whatever way a schema says so. */
import { target } from "../validation/pointers.js";

export type Schema = Readonly<Record<string, unknown>>;

/** The schema, what it refers to and everything that it combines, whether or not a value fits it. */
export function applicable(schema: unknown, root: unknown): readonly Schema[] {
  const found = new Set<Schema>();
  const open = [schema];
  while (open.length > 0) {
    const one = open.pop();
    if (!isSchema(one) || found.has(one)) continue;
    found.add(one);
    if (typeof one["$ref"] === "string") open.push(target(root, one["$ref"]));
    for (const keyword of ["allOf", "anyOf", "oneOf"]) open.push(...listOf(one[keyword]));
    for (const keyword of ["if", "then", "else", "not"]) open.push(one[keyword]);
    open.push(...Object.values(membersOf(one["dependencies"])));
  }
  return [...found];
}

/** The schemas that `schema` itself has for its member `name`. */
export function memberSchemas(schema: Schema, name: string): readonly unknown[] {
  const properties = membersOf(schema["properties"]);
  const patterns = Object.entries(membersOf(schema["patternProperties"]))
    .filter(([source]) => matches(source, name))
    .map(([, inner]) => inner);
  if (Object.hasOwn(properties, name)) return [properties[name], ...patterns];
  return patterns.length > 0 ? patterns : [schema["additionalProperties"]].filter(isSchema);
}

/** The schemas that `schema` itself has for the item at `index`. */
export function itemSchemas(schema: Schema, index: number): readonly unknown[] {
  const { items, additionalItems, contains } = schema;
  const own = Array.isArray(items) ? (index < items.length ? items[index] : additionalItems) : items;
  return [own, contains].filter(isSchema);
}

/** Whether a pattern of `patternProperties` takes `name`; one that can't be read may. */
export function matches(source: string, name: string): boolean {
  try {
    return new RegExp(source, "u").test(name);
  } catch {
    return true;
  }
}

/** The members of what should be an object of schemas. */
export function membersOf(schemas: unknown): Schema {
  return isSchema(schemas) ? schemas : {};
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
