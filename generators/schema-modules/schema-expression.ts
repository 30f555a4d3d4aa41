/** Schemas and documents of the model as TypeBox expressions that build exactly these schemas again. */

import { compactJson } from "../../schemas/formats/json-text.js";
import type { SchemaForm } from "../../schemas/formats/schema-form.js";
import {
  isDeeperThan,
  isJsonArray,
  isJsonObject,
  type JsonTree,
  keepsOrder,
  memberOf,
  membersOf,
  sameTree,
} from "../../schemas/json.js";
import { AUTHORING_KEYWORDS, TYPEBOX_NAMES } from "../../schemas/keywords.js";
import { readSchema } from "../../schemas/model/read-schema.js";
import { renderSchema } from "../../schemas/model/render-schema.js";
import {
  type Keywords,
  type ObjectSchema,
  type PropertyModel,
  putFormatFirst,
  type SchemaDocument,
  type SchemaModel,
} from "../../schemas/model/schema-model.js";
import { areOptions, DEEPEST_LITERAL, isSchemaTree } from "../../schemas/model/writable.js";
import { applyConvention, type NamingConvention } from "../../schemas/naming/conventions.js";
import { unique } from "../../schemas/naming/identifiers.js";
import { type Code, call, type Entry, list, object, textWith, ts, valueSymbol } from "../typescript/code.js";
import { commentText, jsonLiteral, propertyKey, stringLiteral } from "../typescript/literals.js";
import type { ModulePrinter } from "../typescript/module-printer.js";
import { verbatimType } from "../typescript/verbatim-type.js";

/** What an expression is written for. */
export interface ExpressionContext {
  /** The convention that the enclosing definition applies to names. */
  readonly convention: NamingConvention;
  /** The constant of this shape, if there is one. */
  readonly constant?: (schema: SchemaModel) => Code | undefined;
  /** The comment above a property. @default none */
  readonly comments?: ReadonlyMap<PropertyModel, string>;
  /** How a definition is referred to: from outside by import, from another definition by name. */
  readonly reference: (definition: string, options: readonly Entry[]) => Code;
}

/** What a document is written with. */
export interface DocumentPlace {
  /** The module that the document stands in. */
  readonly printer: ModulePrinter;
  readonly convention: NamingConvention;
  /** Identifiers of the module; names that are made up are added to it. */
  readonly taken: Set<string>;
  /** What the definitions are named after: `Employee`. */
  readonly name: string;
  /** The constant of a shape, if there is one. */
  readonly constant?: (schema: SchemaModel) => Code | undefined;
  /** The comment above a property. @default none */
  readonly comments?: ReadonlyMap<PropertyModel, string>;
}

/** The context for expressions of `document`; its definitions are printed into the module, as one TypeBox module. */
export function documentContext(document: SchemaDocument, place: DocumentPlace): ExpressionContext {
  const { printer, convention } = place;
  const inDefinitions: ExpressionContext = {
    convention,
    reference: (definition, options) =>
      vocabularyCall("Type.Ref", stringLiteral(definition), optionsCode(options)),
  };
  const identifier = document.definitions.length === 0 ? "" : unique(`${place.name}Definitions`, place.taken);
  if (document.definitions.length > 0) {
    const members = document.definitions.map(({ name, schema }) => ({
      key: propertyKey(name),
      value: schemaCode(schema, inDefinitions),
    }));
    printer.print(ts`const ${identifier} = ${vocabularyCall("Type.Module", object(members))};`);
  }
  return {
    convention,
    ...(place.constant !== undefined && { constant: place.constant }),
    ...(place.comments !== undefined && { comments: place.comments }),
    reference: (definition, options) => importCode(identifier, definition, options),
  };
}

/** What is said of a use stands beside the import: TypeBox would add options of `Import` to the definition itself. */
function importCode(module: string, definition: string, options: readonly Entry[]): Code {
  const imported = `${module}.Import(${stringLiteral(definition)})`;
  return options.length === 0 ? imported : object([{ value: `...${imported}` }, ...options]);
}

/** The whole document as one expression. Its root is never a constant: constants are for shapes inside documents. */
export function documentCode(document: SchemaDocument, place: DocumentPlace): Code {
  const { constant } = place;
  const context = documentContext(document, place);
  if (constant === undefined) return schemaCode(document.root, context);
  const isInside = (schema: SchemaModel) => schema !== document.root;
  return schemaCode(document.root, {
    ...context,
    constant: (schema) => (isInside(schema) ? constant(schema) : undefined),
  });
}

/** The expression of `schema`; `options` are added to those that it carries itself. */
export function schemaCode(
  schema: SchemaModel,
  context: ExpressionContext,
  options: readonly Entry[] = [],
): Code {
  const plain = plainCode(schema, context, options);
  if (schema.kind === "any" || schema.kind === "reference" || schema.kind === "verbatim") return plain;
  return schema.nullable ? vocabularyCall("Nullable", plain) : plain;
}

/** How one schema is written. */
export type WriteSchema = typeof schemaCode;

/** The properties of an object as an object literal, each written by `write`. */
export function propertiesCode(
  properties: readonly PropertyModel[],
  context: ExpressionContext,
  write: WriteSchema = schemaCode,
): Code {
  return object(properties.map((property) => propertyEntry(property, context, write)));
}

/** Keywords as entries of an options literal. */
export function keywordEntries(keywords: Keywords): readonly Entry[] {
  return keywords.map(({ name, value }) => ({ key: propertyKey(name), value: jsonLiteral(value) }));
}

/** The option that keeps a schema in a form of its own. */
export function formEntries(form: SchemaForm | undefined): readonly Entry[] {
  if (form === undefined) return [];
  const lists = Object.entries(form).map(([key, names]: [string, readonly string[]]) => ({
    key,
    value: list(names.map(stringLiteral)),
  }));
  return [{ key: "jsonForm", value: object(lists) }];
}

/** Whether root keywords can be given as options of a definition: title, description, then what the options know. */
export function areRootOptions(keywords: Keywords): boolean {
  const names = keywords.map(({ name }) => name);
  const heading = ["title", "description"].filter((name) => names.includes(name));
  if (names.slice(0, heading.length).join() !== heading.join()) return false;
  return keywords.every(({ name, value }) => {
    if (name === "title" || name === "description") return typeof value === "string";
    if (name === "additionalProperties") return typeof value === "boolean";
    if (name === "minProperties" || name === "maxProperties") return typeof value === "number";
    return name.startsWith("x-");
  });
}

/** A literal of these entries, or nothing. */
export function optionsCode(entries: readonly Entry[]): Code | undefined {
  return entries.length === 0 ? undefined : object(entries);
}

/** Whether the array's items get their description from it, so that it need not be repeated in the code. */
export function repeatsDescription(keywords: Keywords, items: SchemaModel): boolean {
  const description = keywords.find(({ name }) => name === "description")?.value;
  if (description === undefined || items.kind === "verbatim" || items.kind === "reference") return false;
  if (items.form?.keywords !== undefined) return false;
  const last = items.keywords.at(-1);
  return last?.name === "description" && last.value === description;
}

function propertyEntry(property: PropertyModel, context: ExpressionContext, write: WriteSchema): Entry {
  const named = applyConvention(property.name, context.convention) === property.jsonName;
  const options = named ? [] : [{ key: "jsonPropertyName", value: stringLiteral(property.jsonName) }];
  const value = write(property.schema, context, options);
  const comment = context.comments?.get(property);
  return {
    key: propertyKey(property.name),
    ...(comment !== undefined && { comment: commentText(comment) }),
    value: property.required ? value : vocabularyCall("Type.Optional", value),
  };
}

/** Inside a module TypeBox makes a list of one member a literal, whose own `const` takes the place of this one. */
function isConst({ name }: Keywords[number]): boolean {
  return name === "const";
}

function plainCode(schema: SchemaModel, context: ExpressionContext, added: readonly Entry[]): Code {
  if (schema.kind === "verbatim") {
    return combinationCode(schema.json, context, added) ?? unsafe(schema.json, added);
  }
  const entries = [...added, ...keywordEntries(schema.keywords), ...formEntries(schema.form)];
  const options = optionsCode(entries);
  const constant = context.constant?.(schema);
  if (constant !== undefined && schema.kind === "object") {
    return options === undefined
      ? constant
      : vocabularyCall("Type.Object", ts`${constant}.properties`, options);
  }
  switch (schema.kind) {
    case "string":
      return vocabularyCall("Type.String", options);
    case "integer":
      return vocabularyCall("Type.Integer", options);
    case "number":
      return vocabularyCall("Type.Number", options);
    case "boolean":
      return vocabularyCall("Type.Boolean", options);
    case "any":
      return vocabularyCall("Type.Unknown", options);
    case "enum":
      if (!schema.nullable && schema.members.length === 1 && schema.keywords.some(isConst)) {
        return unsafe(renderSchema(schema), added);
      }
      return vocabularyCall("StringEnum", constant ?? list(schema.members.map(stringLiteral)), options);
    case "array":
      return vocabularyCall("Type.Array", itemsCode(schema.items, schema.keywords, context), options);
    case "dictionary":
      return vocabularyCall(
        "Type.Record",
        vocabularyCall("Type.String"),
        schemaCode(schema.values, context),
        options,
      );
    case "object":
      return objectCode(schema, context, options);
    case "reference":
      return context.reference(schema.definition, entries);
    default:
      return schema satisfies never;
  }
}

function objectCode(schema: ObjectSchema, context: ExpressionContext, options: Code | undefined): Code {
  return vocabularyCall("Type.Object", propertiesCode(schema.properties, context), options);
}

function itemsCode(items: SchemaModel, keywords: Keywords, context: ExpressionContext): Code {
  if (!repeatsDescription(keywords, items) || items.kind === "verbatim") return schemaCode(items, context);
  return schemaCode({ ...items, keywords: items.keywords.slice(0, -1) }, context);
}

/** A union or a literal, from which the builder makes the same schema; undefined for any other schema. */
function combinationCode(
  json: JsonTree,
  context: ExpressionContext,
  added: readonly Entry[],
): Code | undefined {
  if (!isJsonObject(json) || isDeeperThan(json, DEEPEST_LITERAL)) return undefined;
  const names = json.members.map(([name]) => name);
  const [keyword, another] = ["anyOf", "oneOf", "const", "enum"].filter((name) => names.includes(name));
  if (keyword === undefined || another !== undefined || keyword === "enum") return undefined;
  const value = memberOf(json, keyword) ?? null;
  const isLiteral = keyword === "const";
  const own = isLiteral ? [keyword, "type"] : [keyword];
  const others = json.members.filter(([name]) => !own.includes(name));
  const keywords = putFormatFirst(others.map(([name, other]) => ({ name, value: other })));
  if (!areOptions(keywords)) return undefined;
  const options = (isUsual: boolean) =>
    optionsCode([
      ...added,
      ...keywordEntries(keywords),
      ...formEntries(isUsual ? undefined : { keywords: names }),
    ]);
  if (isLiteral) return literalCode(value, memberOf(json, "type"), options(false));
  if (!isJsonArray(value) || value.length < 2 || !value.every(isSchemaTree)) return undefined;
  const variants = value.map((variant) => readSchema(variant));
  const isUsual =
    keyword === "anyOf" && usualNames(keywords).join("\n") === names.join("\n") && staysUnion(variants);
  // A constant of another file is known to be used only where the model shows it.
  const { constant: _, ...plain } = context;
  return vocabularyCall(
    "Type.Union",
    list(variants.map((variant) => variantCode(variant, plain))),
    options(isUsual),
  );
}

function literalCode(
  value: JsonTree,
  type: JsonTree | undefined,
  options: Code | undefined,
): Code | undefined {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return undefined;
  if (type !== undefined && type !== typeof value) return undefined;
  return vocabularyCall("Type.Literal", jsonLiteral(value), options);
}

/** The order in which the builder gives the keywords of a union. */
function usualNames(keywords: Keywords): readonly string[] {
  const names = [...keywords.map(({ name }) => name), "anyOf"];
  return [...names.filter((name) => name === "type"), ...names.filter((name) => name !== "type")];
}

/** Whether the builder leaves a union of `variants` one: it makes a list of literals, and a nullable value of `T` or null. */
function staysUnion(variants: readonly SchemaModel[]): boolean {
  const values = variants.filter((variant) => !isNull(variant));
  return values.length > 1 && values.some(({ kind }) => kind !== "enum" && kind !== "verbatim");
}

function variantCode(variant: SchemaModel, context: ExpressionContext): Code {
  return isNull(variant) ? vocabularyCall("Type.Null") : schemaCode(variant, context);
}

function isNull(schema: SchemaModel): boolean {
  return schema.kind === "verbatim" && sameTree(schema.json, NULL);
}

const NULL = membersOf(["type", "null"]);

function unsafe(json: JsonTree, added: readonly Entry[]): Code {
  return vocabularyCall(`Type.Unsafe<${verbatimType(json)}>`, unsafeOptions(json, added));
}

/** What the builder or TypeBox would take for their own. */
const TAKEN: readonly string[] = [...AUTHORING_KEYWORDS, ...TYPEBOX_NAMES];

/** A literal that reads as the schema; its text, where a literal would not give the same schema again. */
function unsafeOptions(json: JsonTree, added: readonly Entry[]): Code {
  const literal = isDeeperThan(json, DEEPEST_LITERAL) ? "" : jsonLiteral(json);
  const isLiteral = typeof literal === "object" && literal.kind === "object" && isJsonObject(json);
  if (isLiteral && keepsOrder(json) && !json.members.some(([name]) => TAKEN.includes(name))) {
    return object([...added, ...literal.entries]);
  }
  const exact = vocabularyCall("ExactJson", stringLiteral(compactJson(json)));
  return added.length === 0 ? exact : object([...added, { value: ts`...${exact}` }]);
}

/** A call of the vocabulary: of `Nullable`, `Type.String` or `Type.Unsafe<string>`. */
export function vocabularyCall(callee: string, ...args: readonly (Code | undefined)[]): Code {
  const name = callee.split(/[.<]/)[0] ?? callee;
  return call(textWith([valueSymbol("connectorcli", name)], callee), ...args);
}

/** Prints `export const IDENTIFIER = CALLEE("NAME", { OPTIONS });`. */
export function printDefinition(
  printer: ModulePrinter,
  identifier: string,
  callee: string,
  name: string,
  options: readonly Entry[],
): void {
  const definition = vocabularyCall(callee, stringLiteral(name), object(options));
  printer.print(ts`export const ${identifier} = ${definition};`);
}
