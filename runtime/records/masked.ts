/** A value with everything that its schema marks as write-only hidden, for logs and inspection (spec §2.9). */
import { HIDDEN } from "../validation/finding.js";
import { carriedType } from "./carried-type.js";
import { isLike } from "./letters.js";
import { toSerialized } from "./names.js";
import { applicable, itemSchemas, memberSchemas, membersOf, type Schema } from "./schema-places.js";

const DEEPEST = 100;

/** `value` in serialized form, as people may see it. What no schema describes is shown; what is too deep is not. */
export function masked(value: unknown, schema: unknown): unknown {
  return walked(value, [schema], { root: schema, above: [], sensitive: () => HIDDEN });
}

/** Every text and number of `value`, in serialized form, that stands under something write-only. */
export function sensitiveValues(value: unknown, schema: unknown): readonly string[] {
  const found: string[] = [];
  const sensitive = (hidden: unknown) => void found.push(...leaves(hidden, 0));
  walked(value, [schema], { root: schema, above: [], sensitive });
  return found;
}

interface Walk {
  readonly root: unknown;
  /** The lists and objects that the value is in. */
  readonly above: readonly object[];
  /** What stands for a value that is sensitive. */
  readonly sensitive: (value: unknown) => unknown;
}

function walked(value: unknown, given: readonly unknown[], walk: Walk): unknown {
  const schemas = given.flatMap((schema) => applicable(schema, walk.root));
  if (schemas.some((one) => one["writeOnly"] === true)) return walk.sensitive(value);
  if (typeof value !== "object" || value === null) return value;
  if (walk.above.length > DEEPEST || walk.above.includes(value)) return HIDDEN;
  const below = { ...walk, above: [...walk.above, value] };
  const type = carriedType(value);
  if (type !== undefined) {
    const plain = { ...(toSerialized(value, type.names) as object) };
    return walked(plain, [type.schema], { ...below, root: type.schema });
  }
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      walked(
        item,
        schemas.flatMap((one) => itemSchemas(one, index)),
        below,
      ),
    );
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const inner = schemas.flatMap((one) => [...memberSchemas(one, name), ...likelySchemas(one, name)]);
      return [name, walked(member, inner, below)];
    }),
  );
}

/** A name in the wrong case is no property, but what it holds is as secret as what it should have been. */
function likelySchemas(schema: Schema, name: string): readonly unknown[] {
  const properties = membersOf(schema["properties"]);
  if (Object.hasOwn(properties, name)) return [];
  return Object.keys(properties)
    .filter((property) => isLike(property, name))
    .map((property) => properties[property]);
}

function leaves(value: unknown, depth: number): readonly string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null || depth > DEEPEST) return [];
  return Object.values(value).flatMap((member) => leaves(member, depth + 1));
}
