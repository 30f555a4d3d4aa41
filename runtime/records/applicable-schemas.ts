/** Which schemas apply to a value, its members and its items, whatever keyword brings them in. */
import { isJsonObject } from "../../schemas/json.js";
import { holdsSchema, keywordNames } from "../../schemas/keywords.js";
import { resolveReference } from "../validation/findings.js";
import type { Values } from "../validation/helpers.js";

/** Keywords whose schemas describe the very value that their owner describes. */
const SAME_VALUE = keywordNames(({ subject }) => subject === "the value itself");

/** The schema, what it refers to and every branch that it combines, whether or not a value fits them. */
export function applicableSchemas(schema: unknown, root: unknown): readonly Values[] {
  const found = new Set<Values>();
  const pending = [schema];
  while (pending.length > 0) {
    const next = pending.pop();
    if (!isJsonObject(next) || found.has(next)) continue;
    found.add(next);
    if (typeof next["$ref"] === "string") pending.push(resolveReference(root, next["$ref"]));
    for (const keyword of SAME_VALUE) {
      const inner = next[keyword];
      if (holdsSchema(keyword)) pending.push(inner);
      else pending.push(...(Array.isArray(inner) ? inner : Object.values(membersOf(inner))));
    }
  }
  return [...found];
}

/** The schemas that `schema` itself has for its member `name`. */
export function memberSchemas(schema: Values, name: string): readonly unknown[] {
  const properties = membersOf(schema["properties"]);
  const patterns = Object.entries(membersOf(schema["patternProperties"]))
    .filter(([source]) => mayMatch(source, name))
    .map(([, inner]) => inner);
  if (Object.hasOwn(properties, name)) return [properties[name], ...patterns];
  return patterns.length > 0 ? patterns : [schema["additionalProperties"]].filter(isJsonObject);
}

/** The schemas that `schema` itself has for the item at `index`. */
export function itemSchemas(schema: Values, index: number): readonly unknown[] {
  const { items, additionalItems, contains } = schema;
  const own = Array.isArray(items) ? (index < items.length ? items[index] : additionalItems) : items;
  return [own, contains].filter(isJsonObject);
}

/** Whether a pattern of `patternProperties` matches `name`. True if the pattern is no regular expression. */
export function mayMatch(source: string, name: string): boolean {
  try {
    return new RegExp(source, "u").test(name);
  } catch {
    return true;
  }
}

/** The members of a keyword that holds schemas by name; empty if the keyword is missing. */
export function membersOf(schemas: unknown): Values {
  return isJsonObject(schemas) ? schemas : {};
}
