/**
 * An author's TypeBox schema as a schema of the model: serialized names, nullability, lists of members and recursion
 * are settled here, in one recursive descent.
 */
import { Hint, Kind, OptionalKind } from "@sinclair/typebox";
import { definedAt } from "../../authoring/definition.js";
import { exactJsonOf } from "../../authoring/types.js";
import { PART_NAMES } from "../../diagnostics/locations.js";
import { readJson } from "../../formats/read-json.js";
import { membersInForm, type SchemaForm } from "../../formats/schema-form.js";
import { isJsonArray, isJsonObject, type JsonMember, type JsonTree } from "../../json.js";
import {
  AUTHORING_KEYWORDS,
  KEYWORDS,
  SCHEMA_KEYWORDS,
  SCHEMA_LIST_KEYWORDS,
  SCHEMA_MAP_KEYWORDS,
  TYPEBOX_NAMES,
} from "../../keywords.js";
import { applyConvention } from "../../naming/conventions.js";
import { classIdentifier, unique } from "../../naming/identifiers.js";
import { didYouMean } from "../../naming/nearest.js";
import { readSchema, type SchemaPlace } from "../read-schema.js";
import { renderSchema } from "../render-schema.js";
import {
  type DefinitionModel,
  type Keyword,
  type Keywords,
  keywordOf,
  type ObjectSchema,
  type PropertyModel,
  putFormatFirst,
  type SchemaDocument,
  type SchemaModel,
} from "../schema-model.js";
import {
  type BuildLocation,
  describeValue,
  inside,
  noteSilences,
  OptionReader,
  report,
  reportPrototype,
  stringOrEmpty,
} from "./option-reader.js";

const DEEPEST = 200;
const EVERY_NAME = "^(.*)$";
const ANY: SchemaModel = { kind: "any", keywords: [] };

/** The document of `value`, which may be anything; what is wrong with it is reported in `location`. */
export function buildDocument(
  value: unknown,
  location: BuildLocation,
  role: DocumentRole = "other",
): SchemaDocument {
  const definitions = new Definitions();
  const context: SchemaContext = {
    location,
    root: location,
    role,
    position: role === "connection property" ? "property" : "root",
    definitions,
    environment: new Map(),
    ancestors: new Set(),
  };
  const recursive = isJsonObject(value) && value[Hint] === "Recursive";
  const root = recursive ? definitions.expand(value, context) : buildSchema(value, context);
  return { root, definitions: definitions.list() };
}

/** A TypeBox value, once it is known to be an object. */
type Schema = Readonly<Record<PropertyKey, unknown>>;

/** What a reference may name at a place, by TypeBox's `$id`. */
type Environment = ReadonlyMap<string, Schema>;

/** What a document describes, as far as annotations are concerned. */
type DocumentRole = "connection property" | "other";

interface SchemaContext {
  readonly location: BuildLocation;
  readonly role: DocumentRole;
  /** What the schema describes; the only value in a union beside null is what the union is. */
  readonly position: Position;
  /** The location of the document's root, where definitions stand. */
  readonly root: BuildLocation;
  readonly definitions: Definitions;
  readonly environment: Environment;
  /** The schemas that enclose this one: a schema among them contains itself. */
  readonly ancestors: ReadonlySet<unknown>;
}

type Position = "root" | "property" | "inner";

/** Builds `value` one step below `context`. */
function buildBelow(
  value: unknown,
  context: SchemaContext,
  change: Parameters<typeof inside>[1],
  position: Position = "inner",
): SchemaModel {
  return buildSchema(value, { ...context, position, location: inside(context.location, change) });
}

/** The schema of `value` at the place of `context`. */
function buildSchema(value: unknown, context: SchemaContext): SchemaModel {
  const { location, ancestors } = context;
  if (value === true) return ANY;
  if (!isJsonObject(value) || definedAt(value) !== undefined) {
    report(location, "schema-invalid", { what: location.what, actual: describeValue(value) });
    return ANY;
  }
  if (ancestors.has(value)) {
    report(location, "schema-cyclic", { what: location.what });
    return ANY;
  }
  if (ancestors.size >= DEEPEST) {
    report(location, "schema-too-deep", { what: location.what, limit: DEEPEST });
    return ANY;
  }
  noteSilences(value, location);
  const built = buildKind(value, { ...context, ancestors: new Set([...ancestors, value]) });
  checkForm(value, context);
  return inForm(built, formOf(value));
}

function buildKind(schema: Schema, context: SchemaContext): SchemaModel {
  const kind = schema[Kind];
  const replacement = nonJsonReplacement(kind);
  if (replacement !== undefined) {
    report(context.location, "schema-not-json", {
      what: context.location.what,
      type: String(kind),
      replacement,
    });
    return ANY;
  }
  if (schema[Hint] === "Recursive") return context.definitions.recursive(schema, context);
  checkOptions(schema, context);
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

const FORM_OPTIONS = { keywords: true, type: true, required: true } as const;

/** The form that the author asks for; undefined if there is none. {@link checkForm} says what is wrong with it. */
function formOf({ jsonForm }: Schema): SchemaForm | undefined {
  if (!isJsonObject(jsonForm)) return undefined;
  const lists = Object.keys(FORM_OPTIONS).flatMap((name) => {
    const list = jsonForm[name];
    return Array.isArray(list) ? [[name, list.map(stringOrEmpty)] as const] : [];
  });
  return Object.fromEntries(lists);
}

function checkForm({ jsonForm }: Schema, { location }: SchemaContext): void {
  if (jsonForm === undefined) return;
  const place = inside(location, { what: `"jsonForm" of ${location.what}`, path: ["jsonForm"] });
  const options = new OptionReader(jsonForm, place, FORM_OPTIONS);
  for (const name of Object.keys(FORM_OPTIONS)) options.array(name);
}

function inForm(schema: SchemaModel, form: SchemaForm | undefined): SchemaModel {
  if (form === undefined) return schema;
  if (schema.kind !== "verbatim") return { ...schema, form };
  if (!isJsonObject(schema.json)) return schema;
  return { kind: "verbatim", json: { members: membersInForm(schema.json.members, form) } };
}

function scalarKind(kind: "Integer" | "Number" | "Boolean") {
  return ({ Integer: "integer", Number: "number", Boolean: "boolean" } as const)[kind];
}

function buildArray(schema: Schema, context: SchemaContext): SchemaModel {
  const what = PART_NAMES.item(context.location.what);
  const items = buildBelow(schema["items"], context, { what, pointer: ["items"] });
  const keywords = keywordsIn(schema, context, ["type", "items"]);
  return withDescribedItems({ kind: "array", nullable: false, items, keywords });
}

function buildObject(schema: Schema, context: SchemaContext): ObjectSchema {
  const keywords = keywordsIn(schema, context, ["type", "properties", "required"]);
  const properties = schema["properties"];
  if (!isJsonObject(properties)) {
    report(context.location, "schema-invalid", {
      what: `the properties of ${context.location.what}`,
      actual: describeValue(properties),
    });
    return { kind: "object", nullable: false, properties: [], keywords };
  }
  reportPrototype(properties, context.location);
  const models = Object.entries(properties).map(([name, value]) => buildProperty(name, value, context));
  return { kind: "object", nullable: false, properties: models, keywords };
}

function buildProperty(name: string, value: unknown, context: SchemaContext): PropertyModel {
  const given = isJsonObject(value) ? annotation(value, "jsonPropertyName") : undefined;
  const jsonName = given ?? applyConvention(name, context.location.convention);
  const what = PART_NAMES.property(name, context.location.what);
  const change = { what, pointer: ["properties", jsonName], path: [name] };
  const schema = buildBelow(value, context, change, "property");
  return { name, jsonName, required: !(isJsonObject(value) && OptionalKind in value), schema };
}

/** An annotation of the property itself, or of the value that Nullable or an import holds. */
export function annotation(schema: Schema, name: string): string | undefined {
  const own = schema[name];
  if (typeof own === "string") return own;
  return heldBy(schema)
    .map((inner) => (isJsonObject(inner) ? annotation(inner, name) : undefined))
    .find((found) => found !== undefined);
}

function heldBy(schema: Schema): readonly unknown[] {
  if (schema[Kind] === "Union" && Array.isArray(schema["anyOf"])) return schema["anyOf"];
  const definitions = schema["$defs"];
  return schema[Kind] === "Import" && isJsonObject(definitions)
    ? [definitions[stringOrEmpty(schema["$ref"])]]
    : [];
}

/**
 * A dictionary. Names of another form than any text, such as numbers, are said by `propertyNames`, and every other name
 * is refused: TypeBox's own `patternProperties` would let those through.
 */
function buildRecord(schema: Schema, context: SchemaContext): SchemaModel {
  const patterns = isJsonObject(schema["patternProperties"]) ? schema["patternProperties"] : {};
  const [[pattern, values] = [], ...others] = Object.entries(patterns);
  const { additionalProperties } = schema;
  const isEvery = pattern === EVERY_NAME;
  // Who says what other names hold means patterns, and who limits names by hand means that.
  const isOwn = !isEvery && ((additionalProperties ?? false) !== false || "propertyNames" in schema);
  if (pattern === undefined || values === undefined || others.length > 0 || isOwn) {
    return {
      kind: "object",
      nullable: false,
      properties: [],
      keywords: keywordsIn(schema, context, ["type"]),
    };
  }
  const what = PART_NAMES.value(context.location.what);
  const names: Keyword = { name: "propertyNames", value: { members: [["pattern", pattern]] } };
  const keywords = keywordsIn(schema, context, ["type", "patternProperties", "additionalProperties"]);
  return {
    kind: "dictionary",
    nullable: false,
    values: buildBelow(values, context, { what, pointer: ["additionalProperties"] }),
    keywords: isEvery ? keywords : [names, ...keywords],
  };
}

/** JSON Schema that the author wrote as such: its text is theirs, but for the annotations of the vocabulary. */
function verbatim(schema: Schema, context: SchemaContext): SchemaModel {
  const exact = exactJsonOf(schema);
  if (exact !== undefined) return exactJson(exact, context);
  const members = Object.entries(schema)
    .filter(([name, value]) => !AUTHORING_KEYWORDS.includes(name) && value !== undefined)
    .flatMap(([name, value]): JsonMember[] => {
      const tree = jsonValue(value, name, context.location);
      return tree === undefined ? [] : [[name, tree]];
    });
  return readSchema({ members }, placeOf(context));
}

/** Where JSON Schema is read that stands among TypeBox types; the schema itself is among its ancestors. */
function placeOf({ definitions, ancestors }: SchemaContext): SchemaPlace {
  return { definitions: definitions.names(), depth: ancestors.size - 1 };
}

/** JSON Schema that the author gave as text. */
function exactJson(text: unknown, context: SchemaContext): SchemaModel {
  const { location } = context;
  const { document } = readJson(typeof text === "string" ? text : "", "");
  if (document !== undefined) return readSchema(document.tree, placeOf(context));
  report(location, "schema-invalid", { what: location.what, actual: "a string that is not JSON" });
  return ANY;
}

/** The schema of a TypeBox union. */
function buildUnion(schema: Schema, context: SchemaContext): SchemaModel {
  const combination = namedKeyword(schema, ["anyOf", "oneOf"]);
  if (combination !== undefined) {
    const members = otherMembers(schema, context);
    const renamed = members.map(
      ([name, value]): JsonMember => [name === "anyOf" ? combination : name, value],
    );
    return { kind: "verbatim", json: { members: renamed } };
  }
  const variants = flattenVariants(schema);
  const values = variants.filter((variant) => variant[Kind] !== "Null");
  const nullable = values.length < variants.length;
  const keywords = keywordsIn(schema, context, ["anyOf"]);
  if (values.length > 0 && values.every((variant) => variant[Kind] === "Literal")) {
    const inner = values.length === 1 ? literalKeywords(values[0] ?? {}, context) : [];
    const enclosed = variantsOf(schema).filter(isLiteralUnion);
    const all = [...inner, ...enclosed.flatMap((union) => keywordsIn(union, context, ["anyOf"]))];
    const members = values.map((variant) => variant["const"]);
    const built = enumOf(members, nullable, mergeKeywords(all, keywords));
    // In a module TypeBox takes a union of one literal for the literal, options and all.
    const [form] = [...enclosed, ...(values.length === 1 ? values : [])].flatMap((one) => formOf(one) ?? []);
    if (built !== undefined) return inForm(built, form);
  }
  const [only] = values;
  if (only !== undefined && values.length === 1) return buildOnlyVariant(only, nullable, keywords, context);
  return { kind: "verbatim", json: { members: otherMembers(schema, context) } };
}

/** The first of `names` that the form of `schema` names: it is written with that keyword then. */
function namedKeyword(schema: Schema, names: readonly string[]): string | undefined {
  return formOf(schema)?.keywords?.find((keyword) => names.includes(keyword));
}

/** A literal is a list of one member, since no known connector has `const`; with it, `type` is written if it is named. */
function buildLiteral(schema: Schema, context: SchemaContext): SchemaModel {
  if (namedKeyword(schema, ["const"]) !== undefined) {
    const isTyped = namedKeyword(schema, ["type"]) !== undefined;
    const members = otherMembers(schema, context).filter(([name]) => name !== "type" || isTyped);
    return { kind: "verbatim", json: { members } };
  }
  const keywords = literalKeywords(schema, context);
  return (
    enumOf([schema["const"]], false, keywords) ?? {
      kind: "verbatim",
      json: { members: otherMembers(schema, context) },
    }
  );
}

/** TypeBox leaves `anyOf` behind where it takes a union of one literal for the literal. */
function literalKeywords(schema: Schema, context: SchemaContext): Keywords {
  return keywordsIn(schema, context, ["const", "type", "anyOf"]);
}

/** The schema of one of `members`, where they are texts or numbers. */
function enumOf(members: readonly unknown[], nullable: boolean, keywords: Keywords): SchemaModel | undefined {
  if (members.every((member) => typeof member === "string")) {
    return { kind: "enum", nullable, members, keywords };
  }
  if (!members.every((member): member is number => Number.isFinite(member))) return undefined;
  const type: JsonTree = nullable ? ["number", "null"] : "number";
  const list: JsonTree = nullable ? [...members, null] : members;
  const shape = [["type", type] as const, ["enum", list] as const];
  return {
    kind: "verbatim",
    json: { members: [...shape, ...keywords.map(({ name, value }) => [name, value] as const)] },
  };
}

/** The variants; those of literal unions directly among them, as `Nullable(StringEnum([...]))` makes them, unwrapped. */
function flattenVariants(schema: Schema): readonly Schema[] {
  return variantsOf(schema).flatMap((variant) => (isLiteralUnion(variant) ? variantsOf(variant) : [variant]));
}

function isLiteralUnion(schema: Schema): boolean {
  return schema[Kind] === "Union" && variantsOf(schema).every((variant) => variant[Kind] === "Literal");
}

function variantsOf(schema: Schema): readonly Schema[] {
  return Array.isArray(schema["anyOf"]) ? schema["anyOf"].filter(isJsonObject) : [];
}

/** The only variant beside null, with what is said of the union added to what it says itself. */
function buildOnlyVariant(
  variant: Schema,
  nullable: boolean,
  outer: Keywords,
  context: SchemaContext,
): SchemaModel {
  const isReference = nullable && context.definitions.isReference(variant);
  const built = isReference ? context.definitions.nullable(variant, context) : buildSchema(variant, context);
  const schema = nullable ? asNullable(built) : built;
  if (schema.kind !== "verbatim") {
    return withDescribedItems({ ...schema, keywords: mergeKeywords(schema.keywords, outer) });
  }
  if (outer.length === 0 || !isJsonObject(schema.json)) return schema;
  const inner = schema.json.members.map(([name, value]): Keyword => ({ name, value }));
  const members = mergeKeywords(inner, outer).map(({ name, value }): JsonMember => [name, value]);
  return { kind: "verbatim", json: { members } };
}

class Definitions {
  readonly #taken = new Set<string>();
  readonly #byContent = new Map<string, string>();
  readonly #schemas = new Map<string, SchemaModel>();

  /** The definitions, in the order in which they were met. */
  list(): readonly DefinitionModel[] {
    return [...this.#schemas].map(([name, schema]) => ({ name, schema }));
  }

  names(): readonly string[] {
    return [...this.#schemas.keys()];
  }

  /** Whether `schema` becomes a reference where it is used. */
  isReference(schema: Schema): boolean {
    return schema[Hint] === "Recursive" || ["This", "Ref", "Import"].includes(stringOrEmpty(schema[Kind]));
  }

  /** A reference to what Type.Recursive made. */
  recursive(schema: Schema, context: SchemaContext, nullable = false): SchemaModel {
    return { kind: "reference", definition: this.#define(schema, context, nullable), keywords: [] };
  }

  /** A reference to a member of Type.Module. */
  imported(schema: Schema, context: SchemaContext, nullable = false): SchemaModel {
    const members = isJsonObject(schema["$defs"])
      ? (schema["$defs"] as Readonly<Record<string, Schema>>)
      : {};
    const environment = new Map([...context.environment, ...Object.entries(members)]);
    const keywords = keywordsIn(schema, context, ["$defs", "$ref"]);
    return this.#reference(schema, keywords, { ...context, environment }, nullable);
  }

  /** A reference by name: `This` of a recursive type, or Type.Ref inside a module. */
  referenced(schema: Schema, context: SchemaContext, nullable = false): SchemaModel {
    return this.#reference(schema, keywordsIn(schema, context, ["$ref"]), context, nullable);
  }

  /** The reference that also accepts null: to a definition of its own, since a `$ref` can't be widened. */
  nullable(schema: Schema, context: SchemaContext): SchemaModel {
    if (schema[Kind] === "Import") return this.imported(schema, context, true);
    return schema[Hint] === "Recursive"
      ? this.recursive(schema, context, true)
      : this.referenced(schema, context, true);
  }

  /** The recursive schema itself, spelled out; references inside it name definitions. */
  expand(schema: Schema, context: SchemaContext, nullable = false): SchemaModel {
    const { [Hint]: _, $id: id, ...plain } = schema;
    const environment = new Map([...context.environment, [stringOrEmpty(id), schema]]);
    const built = buildSchema(plain, { ...context, environment });
    return nullable ? asNullable(built) : built;
  }

  #reference(schema: Schema, keywords: Keywords, context: SchemaContext, nullable: boolean): SchemaModel {
    const id = stringOrEmpty(schema["$ref"]);
    const target = context.environment.get(id);
    if (target !== undefined) {
      return { kind: "reference", definition: this.#define(target, context, nullable), keywords };
    }
    report(context.location, "schema-reference-unknown", { what: context.location.what, reference: id });
    return { kind: "any", keywords: [] };
  }

  #define(schema: Schema, context: SchemaContext, nullable: boolean): string {
    const content = `${nullable}${contentOf(schema)}`;
    const known = this.#byContent.get(content);
    if (known !== undefined) return known;
    const name = unique(`${nullable ? "Nullable" : ""}${givenName(schema, context)}`, this.#taken);
    this.#byContent.set(content, name);
    this.#schemas.set(name, { kind: "any", keywords: [] });
    const change = { what: `"${name}" of ${context.root.what}`, pointer: ["$defs", name] };
    const location = { ...inside(context.root, change), path: context.location.path };
    this.#schemas.set(name, this.expand(schema, { ...context, location, ancestors: new Set() }, nullable));
    return name;
  }
}

/** TypeBox numbers recursive types without an `$id`; such a number says nothing and changes from run to run. */
function givenName(schema: Schema, context: SchemaContext): string {
  const id = schema["$id"];
  const isNumber = schema[Hint] === "Recursive" && typeof id === "string" && /^T\d+$/.test(id);
  if (typeof id === "string" && !isNumber) return id;
  const last = context.location.path.findLast((step) => typeof step === "string");
  return classIdentifier(String(last ?? "Recursive"));
}

/** What makes two definitions one. The serialized name of a use, which `Import` adds to its target, does not count. */
function contentOf(schema: Schema): string {
  const own = Object.entries(schema).filter(([name]) => !AUTHORING_KEYWORDS.includes(name));
  try {
    return JSON.stringify(own);
  } catch {
    return stringOrEmpty(schema["$id"]);
  }
}

/** All keywords but those of `shape` and of the vocabulary; `format` comes first, next to the type. */
function keywordsIn(schema: Schema, context: SchemaContext, shape: readonly string[] = []): Keywords {
  const keywords: Keyword[] = [];
  for (const name of Object.keys(schema)) {
    if (shape.includes(name) || AUTHORING_KEYWORDS.includes(name) || TYPEBOX_NAMES.includes(name)) continue;
    const value = schema[name];
    const tree = value === undefined ? undefined : keywordTree(name, value, context);
    if (tree !== undefined) keywords.push({ name, value: tree });
  }
  return putFormatFirst(keywords);
}

/** `inner`, with what `outer` says again replaced in place and what it adds behind. */
function mergeKeywords(inner: Keywords, outer: Keywords): Keywords {
  const replaced = inner.map((keyword) => outer.find(({ name }) => name === keyword.name) ?? keyword);
  const added = outer.filter(({ name }) => !inner.some((keyword) => keyword.name === name));
  return putFormatFirst([...replaced, ...added]);
}

/** The members of a schema that the model carries verbatim: `type` first, the rest in the author's order. */
function otherMembers(schema: Schema, context: SchemaContext): readonly JsonMember[] {
  const members = keywordsIn(schema, context).map(({ name, value }): JsonMember => [name, value]);
  return [...members.filter(([name]) => name === "type"), ...members.filter(([name]) => name !== "type")];
}

function keywordTree(name: string, value: unknown, context: SchemaContext): JsonTree | undefined {
  const what = PART_NAMES.property(name, context.location.what);
  const built = (schema: unknown, ...pointer: (string | number)[]) =>
    typeof schema === "boolean" ? schema : renderSchema(buildBelow(schema, context, { what, pointer }));
  if ((SCHEMA_KEYWORDS.includes(name) || name === "items") && isJsonObject(value)) return built(value, name);
  if ((SCHEMA_LIST_KEYWORDS.includes(name) || name === "items") && Array.isArray(value)) {
    return [...value].map((schema, index) => built(schema, name, index));
  }
  if (SCHEMA_MAP_KEYWORDS.includes(name) && isJsonObject(value)) {
    return {
      members: Object.entries(value).map(([key, schema]): JsonMember => [key, built(schema, name, key)]),
    };
  }
  return jsonValue(value, name, context.location);
}

/** `schema`, or null. A reference is made nullable by who holds its definition. */
function asNullable(schema: SchemaModel): SchemaModel {
  switch (schema.kind) {
    case "any":
    case "reference":
      return schema;
    case "verbatim":
      return { kind: "verbatim", json: nullableTree(schema.json) };
    default:
      return { ...schema, nullable: true };
  }
}

function nullableTree(tree: JsonTree): JsonTree {
  if (!isJsonObject(tree)) return tree;
  const type = tree.members.find(([name]) => name === "type")?.[1];
  if (type === undefined || tree.members.some(([name]) => name === "const")) {
    return { members: [["anyOf", [tree, { members: [["type", "null"]] }]]] };
  }
  const types = isJsonArray(type) ? type : [type];
  return {
    members: tree.members.map(([name, value]): JsonMember => {
      if (name === "type") return [name, types.includes("null") ? types : [...types, "null"]];
      if (name === "enum" && isJsonArray(value))
        return [name, value.includes(null) ? value : [...value, null]];
      return [name, value];
    }),
  };
}

/** `schema`; where it is an array, its items have a description if it has one itself. */
function withDescribedItems(schema: SchemaModel): SchemaModel {
  if (schema.kind !== "array") return schema;
  const { items } = schema;
  const description = keywordOf(schema, "description");
  if (description === undefined || items.kind === "verbatim" || items.kind === "reference") return schema;
  // A form that names all keywords of the items names their description too, if they have one.
  if (items.form?.keywords !== undefined) return schema;
  if (keywordOf(items, "description") !== undefined) return schema;
  const keywords = [...items.keywords, { name: "description", value: description }];
  return { ...schema, items: withDescribedItems({ ...items, keywords }) };
}

/** The tree of the option `keyword`, or undefined with a finding where JSON can't carry it. */
function jsonValue(value: unknown, keyword: string, location: BuildLocation): JsonTree | undefined {
  const problem = firstProblem(value, new Set());
  if (problem === undefined) return plainTree(value);
  report(inside(location, { path: [keyword] }), "schema-keyword-not-json", {
    keyword,
    what: location.what,
    actual: problem,
  });
  return undefined;
}

/** What in `value` is not JSON, in words. */
function firstProblem(value: unknown, ancestors: ReadonlySet<unknown>): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : `the number ${value}`;
  if (typeof value !== "object") return describeValue(value);
  if (ancestors.has(value)) return "a value that contains itself";
  if (ancestors.size >= DEEPEST) return `a value nested more than ${DEEPEST} levels deep`;
  const within = new Set([...ancestors, value]);
  if (Array.isArray(value)) return firstOf(value, within);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return describeValue(value);
  return isJsonObject(value) ? firstOf(Object.values(value), within) : describeValue(value);
}

function firstOf(values: readonly unknown[], ancestors: ReadonlySet<unknown>): string | undefined {
  for (const value of values) {
    const problem = firstProblem(value, ancestors);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function plainTree(value: unknown): JsonTree {
  if (Array.isArray(value)) return value.map(plainTree);
  if (!isJsonObject(value)) return Object.is(value, -0) ? 0 : (value as JsonTree);
  return { members: Object.entries(value).map(([name, member]): JsonMember => [name, plainTree(member)]) };
}

const REPLACEMENTS: Readonly<Record<string, string>> = {
  Date: 'Type.String({ format: "date-time" })',
  Uint8Array: "a Type.String with the address of the file",
  BigInt: "Type.Integer() or Type.String()",
  RegExp: "Type.String({ pattern })",
  Undefined: "Type.Optional around the property",
  Void: "Type.Object({})",
  Symbol: "StringEnum",
  Function: "a value",
  Constructor: "Type.Object with the properties of the class",
  Promise: "the schema of the value that it gives",
  Iterator: "Type.Array",
  AsyncIterator: "Type.Array",
};

/** What to write in place of a TypeBox kind that JSON can't carry; undefined for the others. */
function nonJsonReplacement(kind: unknown): string | undefined {
  return typeof kind === "string" && Object.hasOwn(REPLACEMENTS, kind) ? REPLACEMENTS[kind] : undefined;
}

/** Annotations that mean something in some places only, and what to do with them in all others. */
const ANNOTATION_PLACES: Readonly<
  Record<string, { readonly fits: (context: SchemaContext) => boolean; readonly advice: string }>
> = {
  jsonPropertyName: {
    fits: ({ position }) => position === "property",
    advice: "Write it on a property, or remove it",
  },
  isSensitive: {
    fits: ({ role }) => role === "connection property",
    advice: "Write writeOnly: true in its place: it hides the value",
  },
  options: {
    fits: ({ role }) => role === "connection property",
    advice: "Remove it; StringEnum lists the members of a value",
  },
  writeOnly: {
    fits: ({ role }) => role !== "connection property",
    advice: "Write isSensitive: true in its place: it keeps the value secret",
  },
};

/** Keywords of other vocabularies than JSON Schema's own that TypeBox users write: none of them is a slip. */
const FOREIGN_KEYWORDS = [
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  "discriminator",
  "example",
  "externalDocs",
  "xml",
];

const KNOWN_OPTIONS = [...new Set([...KEYWORDS.keys(), ...AUTHORING_KEYWORDS, ...TYPEBOX_NAMES])];

/** Reports annotations that mean nothing where they stand, and options that mean nothing at all. */
function checkOptions(schema: Schema, context: SchemaContext): void {
  // What is no TypeBox type is the author's own JSON Schema, in words of any vocabulary.
  if (schema[Kind] === undefined || schema[Kind] === "Unsafe") return;
  const { location } = context;
  for (const option of Object.keys(schema)) {
    if (schema[option] === undefined) continue;
    const place = inside(location, { path: [option] });
    const annotation = Object.hasOwn(ANNOTATION_PLACES, option) ? ANNOTATION_PLACES[option] : undefined;
    if (annotation !== undefined && !annotation.fits(context)) {
      const { advice } = annotation;
      report(place, "annotation-misplaced", { annotation: option, what: location.what, advice });
    }
    if (KNOWN_OPTIONS.includes(option) || FOREIGN_KEYWORDS.includes(option) || option.startsWith("x-"))
      continue;
    const hint = didYouMean(option, KNOWN_OPTIONS);
    report(place, "keyword-unknown", { keyword: option, what: location.what, hint });
  }
}
