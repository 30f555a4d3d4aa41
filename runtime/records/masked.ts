/** A value with everything that its schema marks as write-only hidden, for logs and inspection (spec §2.9). */
import { HIDDEN } from "../validation/finding.js";
import { target } from "../validation/pointers.js";

type Schema = Readonly<Record<string, unknown>>;

const DEEPEST = 100;

/** `value` in serialized form, as people may see it. What no schema describes is shown; what is too deep is not. */
export function masked(value: unknown, schema: unknown, root: unknown = schema, depth = 0): unknown {
  if (depth > DEEPEST) return HIDDEN;
  const schemas = applicable(schema, root, 0);
  if (schemas.some((one) => one["writeOnly"] === true)) return HIDDEN;
  if (typeof value !== "object" || value === null) return value;
  const below = (member: unknown, inner: readonly unknown[]) =>
    masked(member, inner.length === 1 ? inner[0] : { allOf: inner }, root, depth + 1);
  if (Array.isArray(value))
    return value.map((item) =>
      below(
        item,
        schemas.map((one) => one["items"]),
      ),
    );
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    return [
      name,
      below(
        member,
        schemas.flatMap((one) => memberSchemas(one, name)),
      ),
    ];
  });
  return Object.fromEntries(members);
}

/** The schema, what it refers to, and everything that it combines: sensitive in one is sensitive. */
function applicable(schema: unknown, root: unknown, depth: number): readonly Schema[] {
  if (typeof schema !== "object" || schema === null || depth > DEEPEST) return [];
  const one = schema as Schema;
  const combined = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => {
    const list = one[keyword];
    return Array.isArray(list) ? list : [];
  });
  const reference = typeof one["$ref"] === "string" ? [target(root, one["$ref"])] : [];
  const inner = [...combined, ...reference, one["if"], one["then"], one["else"]];
  return [one, ...inner.flatMap((part) => applicable(part, root, depth + 1))];
}

function memberSchemas(schema: Schema, name: string): readonly unknown[] {
  const properties = schema["properties"];
  const own = typeof properties === "object" && properties !== null && Object.hasOwn(properties, name);
  const patterns = Object.values((schema["patternProperties"] ?? {}) as object);
  const named = own ? [Reflect.get(properties, name)] : [schema["additionalProperties"]];
  return [...named, ...patterns].filter((one) => one !== undefined);
}
