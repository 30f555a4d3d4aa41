/** Rules of the schemas of values (§2.9, §2.10): typed, of a shape that others can use, and hidden where they are personal or secret. */
import type { CheckRules } from "../../diagnostics/codes.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { findingsOf, PART_NAMES } from "../../diagnostics/locations.js";
import { DEFINITION_RULES } from "../../diagnostics/rules/definitions.js";
import { actionExample, propertyExample } from "../../diagnostics/rules/example-code.js";
import { isJsonArray, type JsonTree, targetOf } from "../../json.js";
import { JSON_TYPES } from "../../keywords.js";
import { renderDocument } from "../../model/render-schema.js";
import { didYouMean } from "../../naming/nearest.js";
import { matchedPhrase, PERSONAL_NAMES } from "../../naming/secret-names.js";
import type { DocumentRole, LocatedDocument } from "../visit/model-parts.js";
import { isLeaf, type SchemaView, stringKeyword, type VisitedSchema } from "../visit/schema-visitor.js";
import { problemOfValue } from "../visit/value-problem.js";

export const VALUE_RULES = {
  "type-unknown": {
    severity: "error",
    section: "§1.7",
    message: '{what} has the type "{type}", which JSON Schema does not know.{hint}',
    fix: "Use string, integer, number, boolean, array, object or null.",
    example: propertyExample(
      'area: Type.Unsafe({ type: "float", description: "Square metres." }),',
      'area: Type.Unsafe<number>({ type: "number", description: "Square metres." }),',
    ),
  },
  "nullable-not-json-schema": {
    severity: "warning",
    isErrorIfStrict: true,
    section: "§2.9",
    message: '{what} is marked by the option "nullable", which JSON Schema does not have.',
    fix: 'Wrap the type in Nullable(...), which is written as ["T", "null"].',
    example: propertyExample(
      'city: Type.String({ nullable: true, description: "City of the post." }),',
      'city: Nullable(Type.String({ description: "City of the post." })),',
    ),
  },
  "schema-untyped": {
    severity: "warning",
    section: "§2.10",
    message: "{what} accepts any value.",
    fix: "Describe the structure that the target system produces.",
    example: propertyExample(
      'extra: Type.Unknown({ description: "More." }),',
      'extra: Type.Record(Type.String(), Type.String(), { description: "More, by name." }),',
    ),
  },
  "schema-combined": {
    severity: "warning",
    section: "§2.10",
    message: '{what} uses "{keyword}", which no accepted connector is known to use.',
    fix: "Describe one object with optional properties, or one type.",
    example: propertyExample(
      'area: Type.Union([Type.Number(), Type.String()], { description: "Square metres." }),',
      'area: Type.Number({ description: "Square metres." }),',
    ),
  },
  "schema-root-not-object": {
    severity: "error",
    section: "§2.6",
    message: "The schema of {what} is not an object.",
    fix: "Use an object: records and payloads are named values.",
    example: actionExample(
      "input: Type.String(),",
      'input: Type.Object({ name: Type.String({ description: "Name of the site." }) }),',
    ),
  },
  "schema-bytes": {
    severity: "warning",
    section: "§2.9",
    message: "{what} holds a file as bytes ({keyword}).",
    fix: "Give the address of the file in its place, with the format uri: files never travel as bytes.",
    example: propertyExample(
      'plan: Type.String({ contentEncoding: "base64", description: "The plan as a file." }),',
      'plan: Type.String({ format: "uri", description: "Where the plan can be fetched." }),',
    ),
  },
  "enum-invalid": {
    severity: "error",
    section: "§2.9",
    message: "The members of {what} {problem}.",
    fix: "List each member once, and at least one.",
    example: propertyExample(
      'status: StringEnum(["Open", "Open"], { description: "Whether work goes on." }),',
      'status: StringEnum(["Open", "Closed"], { description: "Whether work goes on." }),',
    ),
  },
  "enum-null-missing": {
    severity: "error",
    section: "§2.9",
    message: "{what} is nullable, but null is not among its members, so null is never accepted.",
    fix: "Write Nullable(StringEnum([...])), which adds null to the members.",
    example: propertyExample(
      'status: Type.Unsafe({ type: ["string", "null"], enum: ["Open"], description: "Whether work goes on." }),',
      'status: Nullable(StringEnum(["Open"], { description: "Whether work goes on." })),',
    ),
  },
  "default-invalid": {
    severity: "error",
    section: "§2.9",
    message: "The default of {what} {problem}.",
    fix: "Correct the default or the schema: a default must be a value that the schema accepts.",
    example: propertyExample(
      'floors: Type.Integer({ description: "Number of floors.", minimum: 1, default: 0 }),',
      'floors: Type.Integer({ description: "Number of floors.", minimum: 1, default: 1 }),',
    ),
  },
  "required-unknown": {
    severity: "warning",
    section: "§2.9",
    message: '{what} requires "{property}", which is not one of its properties.{hint}',
    fix: "Name a property, or describe the one that is missing.",
    example: propertyExample(
      'owner: Type.Unsafe({ type: "object", properties: { name: { type: "string", description: "Name of the company." } }, required: ["nme"], description: "Who owns it." }),',
      'owner: Type.Object({ name: Type.String({ description: "Name of the company." }) }, { description: "Who owns it." }),',
    ),
  },
  "sensitive-not-write-only": {
    severity: "warning",
    isErrorIfStrict: true,
    section: "§2.9",
    message: '{what} looks personal or secret (its name says "{words}"), and is shown to everyone.',
    fix: "Add writeOnly: true.",
    example: propertyExample(
      'ownerEmail: Type.String({ description: "Address of the owner." }),',
      'ownerEmail: Type.String({ description: "Address of the owner.", writeOnly: true }),',
    ),
  },
} as const satisfies CheckRules;

const findingAt = findingsOf({
  ...VALUE_RULES,
  // The builder reports it too, for references that it must follow itself.
  "schema-reference-unknown": DEFINITION_RULES["schema-reference-unknown"],
});

const KNOWN_TYPES: readonly string[] = JSON_TYPES;
const COMBINATIONS = ["anyOf", "oneOf", "allOf", "not", "if"] as const;
/** Keywords that describe the items of an array. */
const ITEM_KEYWORDS = new Set(["items", "prefixItems"]);
/** Keywords that describe a value without a type. */
const NARROWING_KEYWORDS = [...COMBINATIONS, "const", "$dynamicRef", "$recursiveRef"];

/** Checks the shape of one schema. */
export function checkShape(visited: VisitedSchema): readonly Diagnostic[] {
  return [
    ...checkTypes(visited),
    ...checkNullable(visited),
    ...checkUntyped(visited),
    ...checkCombined(visited),
    ...checkRoot(visited),
  ];
}

function checkTypes({ view, location }: VisitedSchema): readonly Diagnostic[] {
  if (view.types?.length === 0) {
    return [findingAt("type-unknown", location, { what: location.what, type: "", hint: "" })];
  }
  const unknown = new Set(view.types?.filter((type) => !KNOWN_TYPES.includes(type)));
  return [...unknown].map((type) => {
    const hint = type.length > 20 ? "" : didYouMean(type, JSON_TYPES);
    return findingAt("type-unknown", location, { what: location.what, type, hint });
  });
}

/** `nullable` is OpenAPI's, and a platform may ignore it. */
function checkNullable({ view, location }: VisitedSchema): readonly Diagnostic[] {
  if (!view.keywords.has("nullable")) return [];
  return [findingAt("nullable-not-json-schema", location, { what: location.what })];
}

function checkUntyped(visited: VisitedSchema): readonly Diagnostic[] {
  const { position, isCondition, location, view } = visited;
  // A side of a combination may leave the type to the schema around it.
  if (position === "part" || isCondition) return [];
  if (isUntyped(visited)) return [findingAt("schema-untyped", location, { what: location.what })];
  const isOpenArray =
    view.types?.includes("array") === true && !view.inner.some(({ keyword }) => ITEM_KEYWORDS.has(keyword));
  return isOpenArray ? [findingAt("schema-untyped", location, { what: PART_NAMES.item(location.what) })] : [];
}

function isUntyped({ view }: VisitedSchema): boolean {
  return (
    view.types === undefined &&
    view.members === undefined &&
    view.properties.length === 0 &&
    view.reference === undefined &&
    !NARROWING_KEYWORDS.some((keyword) => view.keywords.has(keyword))
  );
}

function checkCombined({ view, location, isCondition }: VisitedSchema): readonly Diagnostic[] {
  if (isCondition) return [];
  return COMBINATIONS.filter((keyword) => view.keywords.has(keyword)).map((keyword) => {
    const value = view.keywords.get(keyword);
    return isJsonArray(value) && value.length === 0
      ? findingAt("enum-invalid", location, { what: location.what, problem: "are empty" })
      : findingAt("schema-combined", location, { what: location.what, keyword });
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

function checkRoot({ view, location, role, position }: VisitedSchema): readonly Diagnostic[] {
  if (position !== "root" || role === "attribute") return [];
  const report = () => [findingAt("schema-root-not-object", location, { what: location.what })];
  if (role === "dataObject") {
    const isDictionary = view.inner.some(({ keyword }) => keyword === "additionalProperties");
    const hasProperties = view.properties.length > 0 || !isDictionary;
    return view.types?.includes("object") === true && hasProperties ? [] : report();
  }
  // A payload without a type is reported for that.
  const fits = view.types === undefined || view.types.some((type) => ROOT_TYPES[role].includes(type));
  return fits ? [] : report();
}

const BYTE_FORMATS: readonly string[] = ["binary", "byte", "base64"];
const ENCODINGS: readonly string[] = ["base64", "base64url", "base32", "base16", "binary"];

/** Checks that a string does not hold bytes, by its format or encoding; connection properties may be keys in base64. */
export function checkBytes({ role, view, location, isCondition }: VisitedSchema): readonly Diagnostic[] {
  if (role === "attribute" || isCondition) return [];
  const keyword = bytesIn("format", stringKeyword(view, "format"), BYTE_FORMATS);
  const encoding = bytesIn("contentEncoding", stringKeyword(view, "contentEncoding"), ENCODINGS);
  const found = keyword ?? encoding;
  return found === undefined
    ? []
    : [findingAt("schema-bytes", location, { what: location.what, keyword: found })];
}

function bytesIn(keyword: string, value: string | undefined, known: readonly string[]): string | undefined {
  return value !== undefined && known.includes(value.toLowerCase()) ? `${keyword} "${value}"` : undefined;
}

/** Checks the members of an enum. */
export function checkEnum({ view, location }: VisitedSchema): readonly Diagnostic[] {
  const { members, types } = view;
  if (members === undefined) return [];
  const { what } = location;
  const isNullable = types?.includes("null") === true;
  // An enum of nothing but null has no member either.
  if (members.every((member) => member === null)) {
    return [findingAt("enum-invalid", location, { what, problem: "are empty" })];
  }
  return [
    ...repeatedMembers(members).map((member) =>
      findingAt("enum-invalid", location, { what, problem: `contain ${member} more than once` }),
    ),
    ...wrongMembers(view, members).map((problem) => findingAt("enum-invalid", location, { what, problem })),
    ...(isNullable && !members.includes(null) ? [findingAt("enum-null-missing", location, { what })] : []),
  ];
}

/** Members that the other keywords of the schema refuse, so that no value can be one of them. */
function wrongMembers(view: SchemaView, members: readonly JsonTree[]): readonly string[] {
  const others: SchemaView = { ...view, members: undefined };
  return members.flatMap((member) => {
    const problem = member === null ? undefined : problemOfValue(member, others);
    return problem === undefined ? [] : [`contain ${shortText(member)}, which ${problem}`];
  });
}

const MAX_SHOWN_LENGTH = 60;

function shortText(member: JsonTree): string {
  if (typeof member === "object") return "a value";
  const text = JSON.stringify(member);
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}

/** Checks that a default is a value of its schema. The default of a write-only value is not shown. */
export function checkDefault({ view, definition, location }: VisitedSchema): readonly Diagnostic[] {
  const value = view.keywords.get("default");
  if (value === undefined) return [];
  const problem = problemOfValue(value, view) ?? (definition && problemOfValue(value, definition));
  return problem === undefined
    ? []
    : [findingAt("default-invalid", location, { what: location.what, problem })];
}

/** Checks that `required` names properties; in a combination another part may describe them. */
export function checkRequired({
  view,
  location,
  position,
  isCondition,
}: VisitedSchema): readonly Diagnostic[] {
  const { properties, requiredOthers, reference, keywords } = view;
  const isCombined = reference !== undefined || COMBINATIONS.some((keyword) => keywords.has(keyword));
  if (position === "part" || isCondition || isCombined || properties.length === 0) return [];
  const names = properties.map(({ jsonName }) => jsonName);
  return requiredOthers.map((property) => {
    const hint = property.length > MAX_SHOWN_LENGTH ? "" : didYouMean(property, names);
    return findingAt("required-unknown", location, { what: location.what, property, hint });
  });
}

/** Each member that occurs more than once, as JSON; arrays and objects are not compared. */
function repeatedMembers(members: readonly JsonTree[]): readonly string[] {
  const seen = new Set<JsonTree>();
  const repetitions = members.filter((member) => {
    if (typeof member === "object" && member !== null) return false;
    return seen.size === seen.add(member).size;
  });
  return [...new Set(repetitions)].map((member) => JSON.stringify(member));
}

/** Returns the check of a document's references; the document is rendered only if it has one. */
export function referenceCheck({
  document,
}: LocatedDocument): (visited: VisitedSchema) => readonly Diagnostic[] {
  let tree: JsonTree | undefined;
  return ({ view, location, definition }) => {
    const { reference } = view;
    if (reference === undefined || definition !== undefined) return [];
    tree ??= renderDocument(document);
    return targetOf(tree, reference) !== undefined
      ? []
      : [findingAt("schema-reference-unknown", location, { what: location.what, reference })];
  };
}

/** Checks that a property of a record, an input or an output is write-only if its name looks personal or secret. */
export function checkSensitive(visited: VisitedSchema): readonly Diagnostic[] {
  const { role, position, isCondition, isHidden, view, location, jsonName } = visited;
  if (role !== "dataObject" && role !== "input" && role !== "output") return [];
  if (position !== "property" || isCondition || isHidden || isHiddenWhole(view) || !isLeaf(visited))
    return [];
  const words = matchedPhrase(jsonName, PERSONAL_NAMES);
  return words === undefined
    ? []
    : [findingAt("sensitive-not-write-only", location, { what: location.what, words })];
}

/** Hidden as a whole, or item by item. */
function isHiddenWhole({ keywords, inner }: SchemaView): boolean {
  return keywords.get("writeOnly") === true || (inner.length > 0 && inner.every(isWriteOnly));
}

function isWriteOnly({ schema }: SchemaView["inner"][number]): boolean {
  if (schema.kind === "verbatim") return false;
  return schema.keywords.some(({ name, value }) => name === "writeOnly" && value === true);
}
