/** What a value in a schema (a default, a member of an enum) breaks of the schema, in words. Does not load a validator. */
import { isJsonArray, isJsonObject, type JsonTree } from "../../json.js";
import { type SchemaView, stringKeyword, viewOf } from "./schema-visitor.js";

/** Values nested deeper than this are not looked at. */
const MAX_DEPTH = 20;

/** The first thing that `value` breaks, such as `is not of type integer`; undefined if nothing was found. */
export function problemOfValue(value: JsonTree, view: SchemaView, depth = 0): string | undefined {
  const { types, members } = view;
  if (types !== undefined && types.length > 0 && !types.some((type) => isOfType(value, type))) {
    return `is not of type ${types.join(" or ")}`;
  }
  if (members?.every(isScalar) === true && isScalar(value) && !members.includes(value)) {
    return "is not among its members";
  }
  if (typeof value === "string") return problemOfText(value, view);
  if (typeof value === "number") return problemOfNumber(value, view);
  if (isJsonArray(value)) return problemOfArray(value, view, depth);
  return isJsonObject(value) ? problemOfObject(value.members, view, depth) : undefined;
}

function isScalar(value: JsonTree): boolean {
  return typeof value !== "object" || value === null;
}

function isOfType(value: JsonTree, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "integer":
      return Number.isInteger(value);
    case "array":
      return isJsonArray(value);
    case "object":
      return isJsonObject(value);
    case "string":
    case "number":
    case "boolean":
      return typeof value === type;
    default:
      // A type that is not known is a finding of its own.
      return true;
  }
}

function problemOfText(value: string, view: SchemaView): string | undefined {
  const length = [...value].length;
  const { keywords } = view;
  const [least, most] = [keywords.get("minLength"), keywords.get("maxLength")];
  if (typeof most === "number" && length > most) return `is longer than maxLength ${most}`;
  if (typeof least === "number" && length < least) return `is shorter than minLength ${least}`;
  const pattern = stringKeyword(view, "pattern");
  return pattern !== undefined && isUnmatched(value, pattern) ? "does not match its pattern" : undefined;
}

/** Longer texts are not matched: a pattern may take for ever. */
const MAX_MATCHED_LENGTH = 200;

function isUnmatched(value: string, pattern: string): boolean {
  if (value.length > MAX_MATCHED_LENGTH || /[*+}][)]*[*+{]/.test(pattern)) return false;
  try {
    return !new RegExp(pattern, "u").test(value);
  } catch {
    return false;
  }
}

const NUMBER_LIMITS: readonly (readonly [
  keyword: string,
  fits: (value: number, limit: number) => boolean,
])[] = [
  ["minimum", (value, limit) => value >= limit],
  ["exclusiveMinimum", (value, limit) => value > limit],
  ["maximum", (value, limit) => value <= limit],
  ["exclusiveMaximum", (value, limit) => value < limit],
];

function problemOfNumber(value: number, { keywords }: SchemaView): string | undefined {
  const broken = NUMBER_LIMITS.find(([keyword, fits]) => {
    const limit = keywords.get(keyword);
    return typeof limit === "number" && !fits(value, limit);
  });
  return broken && `breaks ${broken[0]} ${String(keywords.get(broken[0]))}`;
}

function problemOfArray(value: readonly JsonTree[], view: SchemaView, depth: number): string | undefined {
  const [least, most] = [view.keywords.get("minItems"), view.keywords.get("maxItems")];
  if (typeof most === "number" && value.length > most) return `has more than ${most} items`;
  if (typeof least === "number" && value.length < least) return `has fewer than ${least} items`;
  const items = view.inner.find(({ keyword, pointer }) => keyword === "items" && pointer.length === 1);
  if (items === undefined || depth >= MAX_DEPTH) return undefined;
  const itemView = viewOf(items.schema);
  const problem = value.map((item) => problemOfValue(item, itemView, depth + 1)).find(isFound);
  return problem && `has an item that ${problem}`;
}

function problemOfObject(
  members: readonly (readonly [string, JsonTree])[],
  view: SchemaView,
  depth: number,
): string | undefined {
  const values = new Map(members);
  const missing = view.properties.find(({ required, jsonName }) => required && !values.has(jsonName));
  if (missing !== undefined) return `lacks the property "${missing.jsonName}"`;
  if (depth >= MAX_DEPTH) return undefined;
  for (const { jsonName, schema } of view.properties) {
    const value = values.get(jsonName);
    const problem = value === undefined ? undefined : problemOfValue(value, viewOf(schema), depth + 1);
    if (problem !== undefined) return `has a property "${jsonName}" that ${problem}`;
  }
  return undefined;
}

function isFound(problem: string | undefined): problem is string {
  return problem !== undefined;
}
