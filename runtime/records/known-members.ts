/** Records with only the members that their schema knows: what is not declared may be a secret, or change all the time. */
import { isJsonObject } from "../../schemas/json.js";
import type { Values } from "../validation/helpers.js";
import { applicableSchemas, itemSchemas, mayMatch, memberSchemas, membersOf } from "./applicable-schemas.js";

/** What a record type says of the members that its schema does not know. */
export interface MemberRule {
  /** JSON Schema of the serialized form. */
  readonly schema: unknown;
  /**
   * Whether members that the schema does not know are kept, or dropped when a record is read.
   * @default "keep"
   */
  readonly unknownMembers?: "keep" | "drop";
}

/**
 * The record in serialized form as `type` wants it kept: without members that its schema does not know, at any depth, if
 * the type drops them. The very value if there is nothing to drop. Every branch of a combination counts, and a value that
 * no schema gives any shape is kept whole.
 */
export function keptMembers(type: MemberRule, json: unknown): unknown {
  if (type.unknownMembers !== "drop") return json;
  const { schema } = type;
  const known = isJsonObject(schema) ? SHAPES.get(schema) : undefined;
  const shape = known ?? new Shape([schema], schema);
  if (known === undefined && isJsonObject(schema)) SHAPES.set(schema, shape);
  try {
    return kept(json, shape);
  } catch (error) {
    // Too deep: the check says so.
    if (error instanceof RangeError) return json;
    throw error;
  }
}

const SHAPES = new WeakMap<object, Shape>();

function kept(value: unknown, shape: Shape): unknown {
  if (typeof value !== "object" || value === null || !shape.isShaped) return value;
  if (Array.isArray(value)) {
    const items = value.map((item, index) => kept(item, shape.ofItem(index)));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let changed = false;
  const entries: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const inner = shape.ofMember(name);
    const next = inner === undefined ? undefined : kept(member, inner);
    changed ||= next !== member;
    if (inner !== undefined) entries.push([name, next]);
  }
  return changed ? Object.fromEntries(entries) : value;
}

/** Keywords that say which members or items a value has. */
const SHAPE_KEYWORDS = [
  ...["properties", "patternProperties", "additionalProperties"],
  ...["items", "additionalItems", "contains"],
];
/** Keywords beside which a schema is more than any object: it says something else of it, or leaves that to others. */
const OTHER_KEYWORDS = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "required", "enum", "const"];

/** What the schemas of a value know of its members and items. Inner shapes are made when they are met, and kept. */
class Shape {
  /** Whether the schemas say which members or items there are. */
  readonly isShaped: boolean;
  readonly #schemas: readonly Values[];
  readonly #root: unknown;
  readonly #tupleLength: number;
  readonly #members = new Map<string, Shape>();
  readonly #items = new Map<number, Shape>();
  #others: Shape | undefined;

  constructor(given: readonly unknown[], root: unknown) {
    const schemas = given.flatMap((schema) => applicableSchemas(schema, root));
    const takesAnything = given.includes(true) || schemas.some(takesAnyObject);
    this.isShaped = schemas.some((schema) => hasAny(schema, SHAPE_KEYWORDS)) && !takesAnything;
    this.#schemas = schemas;
    this.#root = root;
    this.#tupleLength = Math.max(0, ...schemas.map(({ items }) => (Array.isArray(items) ? items.length : 0)));
  }

  /** The shape of a member; undefined if no schema knows the name. */
  ofMember(name: string): Shape | undefined {
    const known = this.#members.get(name);
    if (known !== undefined) return known;
    if (this.#schemas.some((schema) => isNamed(schema, name))) {
      const shape = new Shape(
        this.#schemas.flatMap((schema) => memberSchemas(schema, name)),
        this.#root,
      );
      this.#members.set(name, shape);
      return shape;
    }
    // Names of a dictionary are data: one shape for all of them.
    const others = this.#schemas.map((schema) => schema["additionalProperties"]);
    if (!others.some((schema) => schema === true || isJsonObject(schema))) return undefined;
    this.#others ??= new Shape(others, this.#root);
    return this.#others;
  }

  ofItem(index: number): Shape {
    // Only the items of a tuple have schemas of their own; those behind it share one.
    const place = Math.min(index, this.#tupleLength);
    const known = this.#items.get(place);
    if (known !== undefined) return known;
    const shape = new Shape(
      this.#schemas.flatMap((schema) => itemSchemas(schema, place)),
      this.#root,
    );
    this.#items.set(place, shape);
    return shape;
  }
}

function isNamed(schema: Values, name: string): boolean {
  if (Object.hasOwn(membersOf(schema["properties"]), name)) return true;
  return Object.keys(membersOf(schema["patternProperties"])).some((source) => mayMatch(source, name));
}

/** Whether any object fits the schema, such as the branch `{}` of a union. */
function takesAnyObject(schema: Values): boolean {
  const { type, allOf, anyOf, oneOf } = schema;
  const branches = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  if (branches.includes(true)) return true;
  const takesObjects = type === undefined || [type].flat().includes("object");
  return takesObjects && !hasAny(schema, SHAPE_KEYWORDS) && !hasAny(schema, OTHER_KEYWORDS);
}

function hasAny(schema: Values, keywords: readonly string[]): boolean {
  return keywords.some((keyword) => Object.hasOwn(schema, keyword));
}
