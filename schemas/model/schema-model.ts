/** The schema of a value as plain, frozen data: what generators, checks and the extractor read. */
import type { JsonTree } from "../formats/json-tree.js";

/** Keywords that do not shape the value (descriptions, constraints, sensitivity …), in the order of their author. */
export type Keywords = readonly Keyword[];
export interface Keyword {
  readonly name: string;
  readonly value: JsonTree;
}

interface Described {
  readonly keywords: Keywords;
}

interface Typed extends Described {
  /** The value may be null: `type` is written as `["T", "null"]`. */
  readonly nullable: boolean;
}

/** Any value at all: `true`, or only annotations (spec §2.10). */
export interface AnySchema extends Described {
  readonly kind: "any";
}

export interface ScalarSchema extends Typed {
  readonly kind: "string" | "integer" | "number" | "boolean";
}

/** One of these texts. Where it is nullable, null is written among them. */
export interface EnumSchema extends Typed {
  readonly kind: "enum";
  readonly members: readonly string[];
}

export interface ArraySchema extends Typed {
  readonly kind: "array";
  readonly items: SchemaModel;
}

export interface ObjectSchema extends Typed {
  readonly kind: "object";
  readonly properties: readonly PropertyModel[];
}

/** An object with any names, whose values share one schema (spec §2.10). */
export interface DictionarySchema extends Typed {
  readonly kind: "dictionary";
  readonly values: SchemaModel;
}

/** The recursive use of a definition of the same document: `{ "$ref": "#/$defs/name" }`. */
export interface ReferenceSchema extends Described {
  readonly kind: "reference";
  readonly definition: string;
}

/** A schema that none of the others can say, carried as it was written. */
export interface VerbatimSchema {
  readonly kind: "verbatim";
  readonly json: JsonTree;
}

export type SchemaModel =
  | AnySchema
  | ScalarSchema
  | EnumSchema
  | ArraySchema
  | ObjectSchema
  | DictionarySchema
  | ReferenceSchema
  | VerbatimSchema;

export interface PropertyModel {
  /** The name in code. */
  readonly name: string;
  /** The serialized name. */
  readonly jsonName: string;
  readonly required: boolean;
  readonly schema: SchemaModel;
}

/** A schema that stands on its own, with the definitions that its references name. */
export interface SchemaDocument {
  readonly root: SchemaModel;
  readonly definitions: readonly DefinitionModel[];
}

export interface DefinitionModel {
  readonly name: string;
  readonly schema: SchemaModel;
}

/** The value of the keyword `name`, or undefined. */
export function keywordOf(schema: SchemaModel, name: string): JsonTree | undefined {
  if (schema.kind === "verbatim") return undefined;
  return schema.keywords.find((keyword) => keyword.name === name)?.value;
}

/** The text of the keyword `name`, or undefined where it is absent or no text. */
export function textOf(schema: SchemaModel, name: string): string | undefined {
  const value = keywordOf(schema, name);
  return typeof value === "string" ? value : undefined;
}

/** The document of an object without properties. */
export const EMPTY_OBJECT: SchemaDocument = {
  root: { kind: "object", nullable: false, properties: [], keywords: [] },
  definitions: [],
};
