/** An author's TypeBox schema as a schema of the model: serialized names, nullability and recursion are settled here. */
import { Hint, Kind, OptionalKind } from "@sinclair/typebox";
import { definedAt } from "../../authoring/definition.js";
import { exactJsonOf } from "../../authoring/types.js";
import type { JsonMember } from "../../formats/json-tree.js";
import { readJson } from "../../formats/read-json.js";
import { AUTHORING_KEYWORDS } from "../../keywords.js";
import { applyConvention } from "../../naming/conventions.js";
import { readSchema } from "../read-schema.js";
import type { ObjectSchema, PropertyModel, SchemaDocument, SchemaModel } from "../schema-model.js";
import { Definitions } from "./definitions.js";
import { describeItems } from "./described-items.js";
import { jsonValue } from "./json-values.js";
import { keywordsIn, otherMembers } from "./keyword-values.js";
import { nonJsonReplacement } from "./non-json.js";
import { buildBelow, type Schema, type SchemaContext } from "./schema-context.js";
import { isRecord, nameOf, report, type Scope, textFrom } from "./scope.js";
import { noteSilences } from "./silences.js";
import { buildLiteral, buildUnion } from "./union.js";

const DEEPEST = 200;
const EVERY_NAME = "^(.*)$";
const ANY: SchemaModel = { kind: "any", keywords: [] };

/** The document of `value`, which may be anything; what is wrong with it is reported in `scope`. */
export function buildDocument(value: unknown, scope: Scope): SchemaDocument {
  const definitions = new Definitions();
  const context: SchemaContext = {
    scope,
    root: scope,
    definitions,
    environment: new Map(),
    ancestors: new Set(),
    build: buildSchema,
  };
  const recursive = isRecord(value) && value[Hint] === "Recursive";
  const root = recursive ? definitions.expand(value, context) : buildSchema(value, context);
  return { root, definitions: definitions.list() };
}

/** The schema of `value` at the place of `context`. */
function buildSchema(value: unknown, context: SchemaContext): SchemaModel {
  const { scope, ancestors } = context;
  if (value === true) return ANY;
  if (!isRecord(value) || definedAt(value) !== undefined) {
    report(scope, "schema-invalid", { what: scope.what, actual: nameOf(value) });
    return ANY;
  }
  if (ancestors.has(value)) {
    report(scope, "schema-cyclic", { what: scope.what });
    return ANY;
  }
  if (ancestors.size >= DEEPEST) {
    report(scope, "schema-too-deep", { what: scope.what, limit: DEEPEST });
    return ANY;
  }
  noteSilences(value, scope);
  return buildKind(value, { ...context, ancestors: new Set([...ancestors, value]) });
}

function buildKind(schema: Schema, context: SchemaContext): SchemaModel {
  const kind = schema[Kind];
  const replacement = nonJsonReplacement(kind);
  if (replacement !== undefined) {
    report(context.scope, "schema-not-json", { what: context.scope.what, type: String(kind), replacement });
    return ANY;
  }
  if (schema[Hint] === "Recursive") return context.definitions.recursive(schema, context);
  switch (kind) {
    case "Any":
    case "Unknown":
      return { kind: "any", keywords: keywordsIn(schema, context) };
    case "String":
    case "TemplateLiteral":
      return { kind: "string", nullable: false, keywords: keywordsIn(schema, context, ["type"]) };
    case "Integer":
    case "Number":
    case "Boolean":
      return { kind: scalarKind(kind), nullable: false, keywords: keywordsIn(schema, context, ["type"]) };
    case "Array":
      return buildArray(schema, context);
    case "Object":
      return buildObject(schema, context);
    case "Record":
      return buildRecord(schema, context);
    case "Literal":
      return buildLiteral(schema, context);
    case "Union":
      return buildUnion(schema, context);
    case "Import":
      return context.definitions.imported(schema, context);
    case "This":
    case "Ref":
      return context.definitions.referenced(schema, context);
    case undefined:
    case "Unsafe":
      return verbatim(schema, context);
    default:
      return { kind: "verbatim", json: { members: otherMembers(schema, context) } };
  }
}

function scalarKind(kind: "Integer" | "Number" | "Boolean") {
  return ({ Integer: "integer", Number: "number", Boolean: "boolean" } as const)[kind];
}

function buildArray(schema: Schema, context: SchemaContext): SchemaModel {
  const what = `an item of ${context.scope.what}`;
  const items = buildBelow(schema["items"], context, { what, pointer: ["items"] });
  const keywords = keywordsIn(schema, context, ["type", "items"]);
  return describeItems({ kind: "array", nullable: false, items, keywords });
}

function buildObject(schema: Schema, context: SchemaContext): ObjectSchema {
  const keywords = keywordsIn(schema, context, ["type", "properties", "required"]);
  const properties = schema["properties"];
  if (!isRecord(properties)) {
    report(context.scope, "schema-invalid", {
      what: `the properties of ${context.scope.what}`,
      actual: nameOf(properties),
    });
    return { kind: "object", nullable: false, properties: [], keywords };
  }
  const models = Object.entries(properties).map(([name, value]) => buildProperty(name, value, context));
  return { kind: "object", nullable: false, properties: models, keywords };
}

function buildProperty(name: string, value: unknown, context: SchemaContext): PropertyModel {
  const given = isRecord(value) ? annotation(value, "jsonPropertyName") : undefined;
  const jsonName = given ?? applyConvention(name, context.scope.convention);
  const what = propertyLabel(name, context.scope.what);
  const schema = buildBelow(value, context, { what, pointer: ["properties", jsonName], path: [name] });
  return { name, jsonName, required: !(isRecord(value) && OptionalKind in value), schema };
}

/** `"city" of data object "Site"`, then `"street" of "city" of …`. */
export function propertyLabel(name: string, owner: string): string {
  return `"${name}" of ${owner}`;
}

/** An annotation of the property itself, or of the value that Nullable or an import holds. */
export function annotation(schema: Schema, name: string): string | undefined {
  const own = schema[name];
  if (typeof own === "string") return own;
  return heldBy(schema)
    .map((inner) => (isRecord(inner) ? annotation(inner, name) : undefined))
    .find((found) => found !== undefined);
}

function heldBy(schema: Schema): readonly unknown[] {
  if (schema[Kind] === "Union" && Array.isArray(schema["anyOf"])) return schema["anyOf"];
  const definitions = schema["$defs"];
  return schema[Kind] === "Import" && isRecord(definitions) ? [definitions[textFrom(schema["$ref"])]] : [];
}

function buildRecord(schema: Schema, context: SchemaContext): SchemaModel {
  const patterns = isRecord(schema["patternProperties"]) ? schema["patternProperties"] : {};
  const values = patterns[EVERY_NAME];
  if (values === undefined || Object.keys(patterns).length !== 1) {
    return {
      kind: "object",
      nullable: false,
      properties: [],
      keywords: keywordsIn(schema, context, ["type"]),
    };
  }
  const what = `a value of ${context.scope.what}`;
  return {
    kind: "dictionary",
    nullable: false,
    values: buildBelow(values, context, { what, pointer: ["additionalProperties"] }),
    keywords: keywordsIn(schema, context, ["type", "patternProperties"]),
  };
}

/** JSON Schema that the author wrote as such: its text is theirs, but for the annotations of the vocabulary. */
function verbatim(schema: Schema, context: SchemaContext): SchemaModel {
  const exact = exactJsonOf(schema);
  if (exact !== undefined) return exactJson(exact, context);
  const members = Object.entries(schema)
    .filter(([name, value]) => !AUTHORING_KEYWORDS.includes(name) && value !== undefined)
    .flatMap(([name, value]): JsonMember[] => {
      const tree = jsonValue(value, name, context.scope);
      return tree === undefined ? [] : [[name, tree]];
    });
  return readSchema({ members }, [], context.definitions.names());
}

/** JSON Schema that the author gave as text. */
function exactJson(text: unknown, { scope, definitions }: SchemaContext): SchemaModel {
  const { document } = readJson(typeof text === "string" ? text : "", "");
  if (document !== undefined) return readSchema(document.tree, [], definitions.names());
  report(scope, "schema-invalid", { what: scope.what, actual: "a text that is not JSON" });
  return ANY;
}
