/** The schema of a value as plain, frozen data: what generators, checks and the extractor read. */
import type { SchemaForm } from "../formats/schema-form.js";
import type { JsonTree } from "../json.js";

/** Keywords that do not shape the value (descriptions, constraints, sensitivity …), in the order of their author. */
export type Keywords = readonly Keyword[];

/** One keyword of JSON Schema with its value. */
export interface Keyword {
  /** Name as it is written. */
  readonly name: string;
  /** Value as it is written, with the order of members kept. */
  readonly value: JsonTree;
}

interface Described {
  /** Keywords that do not shape the value, in the order of the author. */
  readonly keywords: Keywords;
  /** How it is written, where that is not the usual form; absent everywhere else. */
  readonly form?: SchemaForm;
}

interface Typed extends Described {
  /** The value may be null: `type` is written as `["T", "null"]`. */
  readonly nullable: boolean;
}

/** Any value at all: `true`, or only annotations (spec §2.10). */
export interface AnySchema extends Described {
  readonly kind: "any";
}

/** A string, a number or a boolean. */
export interface ScalarSchema extends Typed {
  /** The JSON Schema type. */
  readonly kind: "string" | "integer" | "number" | "boolean";
}

/** One of a list of strings. If it is nullable, null is written among them. */
export interface EnumSchema extends Typed {
  readonly kind: "enum";
  /** The strings, in the order of the author. */
  readonly members: readonly string[];
}

/** An array whose items share one schema. */
export interface ArraySchema extends Typed {
  readonly kind: "array";
  /** Schema of each item. */
  readonly items: SchemaModel;
}

/** An object with named properties. */
export interface ObjectSchema extends Typed {
  readonly kind: "object";
  /** Properties, in the order of the author. */
  readonly properties: readonly PropertyModel[];
}

/** An object with any names, whose values share one schema (spec §2.10). */
export interface DictionarySchema extends Typed {
  readonly kind: "dictionary";
  /** Schema of each value. */
  readonly values: SchemaModel;
}

/** The recursive use of a definition of the same document: `{ "$ref": "#/$defs/name" }`. */
export interface ReferenceSchema extends Described {
  readonly kind: "reference";
  /** Name of the definition. */
  readonly definition: string;
}

/** A schema that none of the others can say, carried as it was written. */
export interface VerbatimSchema {
  readonly kind: "verbatim";
  /** The schema as it was written. */
  readonly json: JsonTree;
}

/** A schema; `kind` tells the alternatives apart. */
export type SchemaModel =
  | AnySchema
  | ScalarSchema
  | EnumSchema
  | ArraySchema
  | ObjectSchema
  | DictionarySchema
  | ReferenceSchema
  | VerbatimSchema;

/** A property of an object. */
export interface PropertyModel {
  /** The name in code. */
  readonly name: string;
  /** The serialized name. */
  readonly jsonName: string;
  /** Whether every value has the property. */
  readonly required: boolean;
  /** Schema of its value. */
  readonly schema: SchemaModel;
}

/** A schema that stands on its own, with the definitions that its references name. */
export interface SchemaDocument {
  /** Schema of the whole value. */
  readonly root: SchemaModel;
  /** Definitions that references name, in the order of the document. */
  readonly definitions: readonly DefinitionModel[];
}

/** A named schema of a document: an entry of `$defs`. */
export interface DefinitionModel {
  /** Name under `$defs`. */
  readonly name: string;
  /** The schema. */
  readonly schema: SchemaModel;
}

/** The value of the keyword `name`, or undefined. */
export function keywordOf(schema: SchemaModel, name: string): JsonTree | undefined {
  if (schema.kind === "verbatim") return undefined;
  return schema.keywords.find((keyword) => keyword.name === name)?.value;
}

/** The value of the keyword `name` if it is a string, or undefined. */
export function textOf(schema: SchemaModel, name: string): string | undefined {
  const value = keywordOf(schema, name);
  return typeof value === "string" ? value : undefined;
}

/** The keywords in their usual order: `format` stands next to the type. */
export function putFormatFirst(keywords: Keywords): Keywords {
  if (keywords.length < 2) return keywords;
  const isFormat = (name: string) => name === "format";
  return [
    ...keywords.filter(({ name }) => isFormat(name)),
    ...keywords.filter(({ name }) => !isFormat(name)),
  ];
}

/** The document of an object without properties. */
export const EMPTY_OBJECT: SchemaDocument = {
  root: { kind: "object", nullable: false, properties: [], keywords: [] },
  definitions: [],
};
