/**
 * A record as a connector's schema. It is read leniently, because target systems send what their documents do not promise:
 * only keys are required, and enums are open.
 */
import { isCheckedStringFormat } from "../../../schemas/keywords.js";
import type {
  Keyword,
  ObjectSchema,
  PropertyModel,
  SchemaModel,
} from "../../../schemas/model/schema-model.js";
import { propertyIdentifier, unique } from "../../../schemas/naming/identifiers.js";
import { matchedPhrase, PERSONAL_NAMES } from "../../../schemas/naming/secret-names.js";
import type { ApiSchema } from "../reading/api-description.js";
import { isArray, type Shape, type Shapes } from "../reading/shapes.js";

/** Schemas in a record. What comes after them is kept as any object; real records have 8 to 31. */
export const MOST_SCHEMAS = 300;
/** Levels of objects in a record. */
export const DEEPEST = 4;

const CUT = "Cut here: the document goes deeper than a record of a connector should.";

/** What a record is made with. */
export interface RecordOptions {
  /** Serialized names of the key. */
  readonly key: readonly string[];
  readonly shapes: Shapes;
  /** The keys of other data objects, by the name of their schema: a record inside another is cut to its key. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
}

/** The schema of a record. */
export function recordSchema(record: ApiSchema, options: RecordOptions): ObjectSchema {
  const writer = new RecordWriter(options);
  const properties = writer.properties(options.shapes.of(record), 0);
  return { kind: "object", nullable: false, keywords: [], properties };
}

class RecordWriter {
  readonly #options: RecordOptions;
  #count = 0;

  constructor(options: RecordOptions) {
    this.#options = options;
  }

  /** The properties of an object at `depth`; with `only`, no others. */
  properties(shape: Shape, depth: number, only?: readonly string[]): readonly PropertyModel[] {
    const { key, shapes } = this.#options;
    const taken = new Set<string>();
    return [...shape.properties.values()]
      .filter(({ name, schema }) => only?.includes(name) ?? !isOnlySent(schema, shapes))
      .map(({ name, schema }) => {
        const required = depth === 0 && key.includes(name);
        const model = this.#schema(schema, depth + 1);
        return {
          name: unique(propertyIdentifier(name), taken),
          jsonName: name,
          required,
          schema: required ? neverNull(model) : withSecrecy(name, model),
        };
      });
  }

  #schema(schema: ApiSchema, depth: number): SchemaModel {
    const shape = this.#options.shapes.of(schema);
    this.#count++;
    const { nullable } = shape;
    const keywords = keywordsOf(schema, shape);
    const kind = kindOf(shape);
    switch (kind) {
      case "any":
        return { kind, keywords };
      case "array": {
        const items = shape.items === undefined ? ANYTHING : this.#schema(shape.items, depth);
        return { kind, nullable, items, keywords };
      }
      case "object":
        return this.#object(shape, keywords, depth);
      default:
        return { kind, nullable, keywords };
    }
  }

  #object(shape: Shape, keywords: readonly Keyword[], depth: number): SchemaModel {
    const { nullable, properties, members } = shape;
    const isCut = depth >= DEEPEST || this.#count > MOST_SCHEMAS;
    if (properties.size === 0) {
      const values = members === undefined || isCut ? ANYTHING : this.#schema(members, depth + 1);
      return { kind: "dictionary", nullable, values, keywords };
    }
    const key = keyOf(shape, this.#options.keys);
    if (key === undefined && isCut)
      return { kind: "dictionary", nullable, values: ANYTHING, keywords: [described(CUT)] };
    return { kind: "object", nullable, keywords, properties: this.properties(shape, depth, key) };
  }
}

/** What a key holds. */
function neverNull(schema: SchemaModel): SchemaModel {
  return "nullable" in schema ? { ...schema, nullable: false } : schema;
}

/** Any value. */
export const ANYTHING: SchemaModel = { kind: "any", keywords: [] };

/** The key of the data object whose record this is, if the record has those properties. */
function keyOf({ names, properties }: Shape, keys: RecordOptions["keys"]): readonly string[] | undefined {
  const key = names.map((name) => keys.get(name)).find((found) => found !== undefined);
  return key?.every((name) => properties.has(name)) === true ? key : undefined;
}

type Kind = "any" | "array" | "object" | "string" | "integer" | "number" | "boolean";

/** Values of several types are any value: what the document allows is more than a type can say. So is a number with members. */
export function kindOf(shape: Shape): Kind {
  if (shape.properties.size > 0 && shape.types.length > 0 && !shape.types.includes("object")) return "any";
  if (isArray(shape)) return shape.types.length > 1 ? "any" : "array";
  const [only, another] = shape.types;
  if (another !== undefined) return "any";
  if (only !== undefined) return only;
  return shape.properties.size > 0 ? "object" : "any";
}

/** The description, and the format of a text that validators know. Limits and enums hold for inputs only. */
function keywordsOf({ description }: ApiSchema, shape: Shape): readonly Keyword[] {
  const isText = shape.types.length === 1 && shape.types[0] === "string";
  const isKnown = isText && isCheckedStringFormat(shape.format);
  const text = description === "" ? shape.description : description;
  const values = shape.values
    .filter((value) => typeof value === "string")
    .map((value) => JSON.stringify(value));
  const listed =
    values.length === 0 || values.length > 20 ? "" : `One of ${values.join(", ")}, and what may come later.`;
  const whole = [text.trim(), listed].filter((part) => part !== "").join(" ");
  return [
    ...(isKnown ? [{ name: "format", value: shape.format }] : []),
    ...(whole === "" ? [] : [described(whole)]),
    ...(isText && shape.format === "password" ? [{ name: "writeOnly", value: true }] : []),
  ];
}

function described(text: string): Keyword {
  return { name: "description", value: text };
}

/** What its name calls personal or secret is hidden in logs and tables. */
export function withSecrecy(name: string, schema: SchemaModel): SchemaModel {
  if (schema.kind === "verbatim" || schema.kind === "object" || schema.kind === "reference") return schema;
  const isMarked = schema.keywords.some((keyword) => keyword.name === "writeOnly");
  if (isMarked || matchedPhrase(name, PERSONAL_NAMES) === undefined) return schema;
  return { ...schema, keywords: [...schema.keywords, { name: "writeOnly", value: true }] };
}

/** What is sent and never answered is no part of a record. */
function isOnlySent(schema: ApiSchema, shapes: Shapes): boolean {
  return shapes.of(schema).parts.some(({ writeOnly }) => writeOnly);
}
