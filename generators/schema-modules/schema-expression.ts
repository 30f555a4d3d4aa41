/** A schema of the model as the TypeBox expression that builds exactly this schema again. */
import { compactJson } from "../../schemas/formats/json-text.js";
import { isMembers, type JsonTree, keepsOrder } from "../../schemas/formats/json-tree.js";
import { AUTHORING_KEYWORDS, TYPEBOX_NAMES } from "../../schemas/keywords.js";
import type { Keywords, ObjectSchema, PropertyModel, SchemaModel } from "../../schemas/model/schema-model.js";
import { applyConvention, type NamingConvention } from "../../schemas/naming/conventions.js";
import { type Code, call, type Entry, list, object } from "../typescript/code.js";
import { jsonLiteral, propertyKey, stringLiteral } from "../typescript/literals.js";
import { verbatimType } from "./verbatim-type.js";

/** What an expression is written for. */
export interface ExpressionContext {
  /** The convention that the enclosing definition applies to names. */
  readonly convention: NamingConvention;
  /** Names of the vocabulary that the module must import; expressions add to it. */
  readonly uses: Set<string>;
  /** The constant that stands for this shape, if one does. */
  readonly constant?: (schema: SchemaModel) => string | undefined;
  /** How a definition is referred to: from outside by import, from another definition by name. */
  readonly reference: (definition: string, options: readonly Entry[]) => Code;
}

/** The expression of `schema`; `options` are added to those that it carries itself. */
export function schemaCode(
  schema: SchemaModel,
  context: ExpressionContext,
  options: readonly Entry[] = [],
): Code {
  const plain = plainCode(schema, context, options);
  if (schema.kind === "any" || schema.kind === "reference" || schema.kind === "verbatim") return plain;
  return schema.nullable ? use(context, "Nullable", plain) : plain;
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

/** A literal of these entries, or nothing. */
export function optionsCode(entries: readonly Entry[]): Code | undefined {
  return entries.length === 0 ? undefined : object(entries);
}

/** Whether the array's items get their description from it, so that it need not be repeated in the code. */
export function repeatsDescription(keywords: Keywords, items: SchemaModel): boolean {
  const description = keywords.find(({ name }) => name === "description")?.value;
  if (description === undefined || items.kind === "verbatim" || items.kind === "reference") return false;
  const last = items.keywords.at(-1);
  return last?.name === "description" && last.value === description;
}

function propertyEntry(property: PropertyModel, context: ExpressionContext, write: WriteSchema): Entry {
  const named = applyConvention(property.name, context.convention) === property.jsonName;
  const options = named ? [] : [{ key: "jsonPropertyName", value: stringLiteral(property.jsonName) }];
  const value = write(property.schema, context, options);
  return {
    key: propertyKey(property.name),
    value: property.required ? value : use(context, "Type.Optional", value),
  };
}

function plainCode(schema: SchemaModel, context: ExpressionContext, added: readonly Entry[]): Code {
  if (schema.kind === "verbatim") return unsafe(schema.json, context, added);
  const entries = [...added, ...keywordEntries(schema.keywords)];
  const constant = context.constant?.(schema);
  if (constant !== undefined) {
    return entries.length === 0 ? constant : object([{ value: `...${constant}` }, ...entries]);
  }
  const options = optionsCode(entries);
  switch (schema.kind) {
    case "string":
      return use(context, "Type.String", options);
    case "integer":
      return use(context, "Type.Integer", options);
    case "number":
      return use(context, "Type.Number", options);
    case "boolean":
      return use(context, "Type.Boolean", options);
    case "any":
      return use(context, "Type.Unknown", options);
    case "enum":
      return use(context, "StringEnum", list(schema.members.map(stringLiteral)), options);
    case "array":
      return use(context, "Type.Array", itemsCode(schema.items, schema.keywords, context), options);
    case "dictionary":
      return use(
        context,
        "Type.Record",
        use(context, "Type.String"),
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
  return use(context, "Type.Object", propertiesCode(schema.properties, context), options);
}

function itemsCode(items: SchemaModel, keywords: Keywords, context: ExpressionContext): Code {
  if (!repeatsDescription(keywords, items) || items.kind === "verbatim") return schemaCode(items, context);
  return schemaCode({ ...items, keywords: items.keywords.slice(0, -1) }, context);
}

function unsafe(json: JsonTree, context: ExpressionContext, added: readonly Entry[]): Code {
  return use(context, `Type.Unsafe<${verbatimType(json)}>`, unsafeOptions(json, context, added));
}

/** What the builder or TypeBox would take for their own. */
const TAKEN: readonly string[] = [...AUTHORING_KEYWORDS, ...TYPEBOX_NAMES];

/** A literal that reads as the schema; its text, where a literal would not give the same schema again. */
function unsafeOptions(json: JsonTree, context: ExpressionContext, added: readonly Entry[]): Code {
  const literal = jsonLiteral(json);
  const isLiteral = typeof literal === "object" && literal.kind === "object" && isMembers(json);
  if (isLiteral && keepsOrder(json) && !json.members.some(([name]) => TAKEN.includes(name))) {
    return object([...added, ...literal.entries]);
  }
  const exact = use(context, "ExactJson", stringLiteral(compactJson(json)));
  return added.length === 0 ? exact : object([...added, { value: spread(exact) }]);
}

function spread(code: Code): Code {
  return typeof code === "object" && code.kind === "call" ? { ...code, callee: `...${code.callee}` } : code;
}

/** A call of the vocabulary, noted as used. */
export function use(
  context: Pick<ExpressionContext, "uses">,
  callee: string,
  ...args: readonly (Code | undefined)[]
): Code {
  context.uses.add(callee.split(/[.<]/)[0] ?? callee);
  return call(callee, ...args);
}
