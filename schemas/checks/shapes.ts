/** What a schema lets through: any value, a combination, an unknown type, a root that is no object. */
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { isList } from "../formats/json-tree.js";
import { didYouMean } from "../naming/nearest.js";
import type { DocumentRole } from "./model-parts.js";
import { found } from "./place.js";
import type { VisitedSchema } from "./visit-schemas.js";

const JSON_TYPES = ["string", "integer", "number", "boolean", "array", "object", "null"];
const COMBINATIONS = ["anyOf", "oneOf", "allOf", "not", "if"] as const;
/** What describes the items of a list. */
const ITEMS = new Set(["items", "prefixItems"]);
/** What narrows a value that has no type. */
const NARROWING = [...COMBINATIONS, "const", "$dynamicRef", "$recursiveRef"];

/** What is wrong with the shape of one schema. */
export function checkShape(visited: VisitedSchema): readonly Diagnostic[] {
  return [
    ...checkTypes(visited),
    ...checkNullable(visited),
    ...checkUntyped(visited),
    ...checkCombined(visited),
    ...checkRoot(visited),
  ];
}

function checkTypes({ view, place }: VisitedSchema): readonly Diagnostic[] {
  if (view.types?.length === 0) {
    return [found("type-unknown", place, { what: place.what, type: "", hint: "" })];
  }
  const unknown = new Set(view.types?.filter((type) => !JSON_TYPES.includes(type)));
  return [...unknown].map((type) => {
    const hint = type.length > 20 ? "" : didYouMean(type, JSON_TYPES);
    return found("type-unknown", place, { what: place.what, type, hint });
  });
}

/** OpenAPI's way to say it, which platforms may pass over. */
function checkNullable({ view, place }: VisitedSchema): readonly Diagnostic[] {
  if (!view.keywords.has("nullable")) return [];
  return [found("nullable-not-json-schema", place, { what: place.what })];
}

function checkUntyped(visited: VisitedSchema): readonly Diagnostic[] {
  const { position, condition, place, view } = visited;
  // A side of a combination may leave the type to the schema around it.
  if (position === "part" || condition) return [];
  if (isUntyped(visited)) return [found("schema-untyped", place, { what: place.what })];
  const isOpenArray =
    view.types?.includes("array") === true && !view.inner.some(({ keyword }) => ITEMS.has(keyword));
  return isOpenArray ? [found("schema-untyped", place, { what: `an item of ${place.what}` })] : [];
}

function isUntyped({ view }: VisitedSchema): boolean {
  return (
    view.types === undefined &&
    view.members === undefined &&
    view.properties.length === 0 &&
    view.reference === undefined &&
    !NARROWING.some((keyword) => view.keywords.has(keyword))
  );
}

function checkCombined({ view, place, condition }: VisitedSchema): readonly Diagnostic[] {
  if (condition) return [];
  return COMBINATIONS.filter((keyword) => view.keywords.has(keyword)).map((keyword) => {
    const value = view.keywords.get(keyword);
    return isList(value) && value.length === 0
      ? found("enum-invalid", place, { what: place.what, problem: "are an empty list" })
      : found("schema-combined", place, { what: place.what, keyword });
  });
}

/** The types that the root of a document may have; connection properties may have any. */
const ROOT_TYPES: Readonly<Record<DocumentRole, readonly string[]>> = {
  attribute: JSON_TYPES,
  registration: ["object"],
  service: ["object"],
  dataObject: ["object"],
  input: ["object"],
  output: ["object", "array"],
  failure: ["object"],
};

function checkRoot({ view, place, role, position }: VisitedSchema): readonly Diagnostic[] {
  if (position !== "root" || role === "attribute") return [];
  const report = () => [found("schema-root-not-object", place, { what: place.what })];
  if (role === "dataObject") {
    const isDictionary = view.inner.some(({ keyword }) => keyword === "additionalProperties");
    const hasProperties = view.properties.length > 0 || !isDictionary;
    return view.types?.includes("object") === true && hasProperties ? [] : report();
  }
  // A payload without a type is reported for that.
  const fits = view.types === undefined || view.types.some((type) => ROOT_TYPES[role].includes(type));
  return fits ? [] : report();
}
