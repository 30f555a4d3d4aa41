/** What an action takes, as a schema. Unlike records, inputs are held to what the document says of them. */
import { isCheckedStringFormat } from "../../../schemas/keywords.js";
import type { Keyword, PropertyModel, SchemaModel } from "../../../schemas/model/schema-model.js";
import { propertyIdentifier, unique } from "../../../schemas/naming/identifiers.js";
import type { ApiSchema } from "../reading/api-description.js";
import type { Shape, Shapes } from "../reading/shapes.js";
import { ANYTHING, DEEPEST, kindOf, MOST_SCHEMAS, withSecrecy } from "./record-schema.js";

/** The properties of a body, without those that only answers have. */
export function inputProperties(body: ApiSchema, shapes: Shapes): readonly PropertyModel[] {
  return new InputWriter(shapes).properties(shapes.of(body), 0);
}

/** The schema of one value of an input. */
export function inputSchema(schema: ApiSchema, shapes: Shapes): SchemaModel {
  return new InputWriter(shapes).schema(schema, 1);
}

class InputWriter {
  readonly #shapes: Shapes;
  #count = 0;

  constructor(shapes: Shapes) {
    this.#shapes = shapes;
  }

  properties(shape: Shape, depth: number): readonly PropertyModel[] {
    const taken = new Set<string>();
    return [...shape.properties.values()]
      .filter(({ schema }) => !this.#shapes.of(schema).parts.some(({ readOnly }) => readOnly))
      .map(({ name, schema, required }) => ({
        name: unique(propertyIdentifier(name), taken),
        jsonName: name,
        required,
        schema: withSecrecy(name, this.schema(schema, depth + 1)),
      }));
  }

  schema(schema: ApiSchema, depth: number): SchemaModel {
    const shape = this.#shapes.of(schema);
    this.#count++;
    const { nullable, values } = shape;
    const kind = kindOf(shape);
    const keywords = keywordsOf(schema, shape, kind);
    switch (kind) {
      case "any":
        return { kind, keywords };
      case "array": {
        const items = shape.items === undefined ? ANYTHING : this.schema(shape.items, depth);
        return { kind, nullable, items, keywords };
      }
      case "object":
        return this.#object(shape, keywords, depth);
      case "string": {
        const members = values.filter((value) => typeof value === "string");
        const isEnum = members.length > 0 && members.length === values.length;
        return isEnum
          ? { kind: "enum", nullable, members: [...new Set(members)], keywords: described(keywords) }
          : { kind, nullable, keywords };
      }
      default:
        return { kind, nullable, keywords };
    }
  }

  #object(shape: Shape, keywords: readonly Keyword[], depth: number): SchemaModel {
    const { nullable, properties, members } = shape;
    const isCut = depth >= DEEPEST || this.#count > MOST_SCHEMAS;
    if (properties.size > 0 && !isCut)
      return { kind: "object", nullable, keywords, properties: this.properties(shape, depth) };
    const values = members === undefined || isCut ? ANYTHING : this.schema(members, depth + 1);
    return { kind: "dictionary", nullable, values, keywords };
  }
}

/** What stands beside a list of values. */
function described(keywords: readonly Keyword[]): readonly Keyword[] {
  return keywords.filter(({ name }) => name === "description");
}

const LIMITS_OF: Readonly<Record<string, readonly string[]>> = {
  string: ["minLength", "maxLength", "pattern"],
  integer: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  array: ["minItems", "maxItems", "uniqueItems"],
};

/** Format, description and limits. Limits that no value can meet, or that can't be read, are left out. */
function keywordsOf(schema: ApiSchema, shape: Shape, kind: string): readonly Keyword[] {
  const text = (schema.description === "" ? shape.description : schema.description).trim();
  const isText = kind === "string";
  const names = LIMITS_OF[kind] ?? [];
  const limits = new Map(
    shape.parts
      .flatMap((part) => part.limits)
      .filter(([name, value]) => names.includes(name) && isSound(name, value)),
  );
  const isImpossible = PAIRS.some(([low, high]) => Number(limits.get(low)) > Number(limits.get(high)));
  return [
    ...(isText && isCheckedStringFormat(shape.format) ? [{ name: "format", value: shape.format }] : []),
    ...(text === "" ? [] : [{ name: "description", value: text }]),
    ...(isImpossible ? [] : [...limits].map(([name, value]) => ({ name, value }))),
    ...(isText && shape.format === "password" ? [{ name: "writeOnly", value: true }] : []),
  ];
}

const PAIRS = [
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minimum", "maximum"],
  ["exclusiveMinimum", "maximum"],
  ["minimum", "exclusiveMaximum"],
  ["exclusiveMinimum", "exclusiveMaximum"],
] as const;

function isSound(name: string, value: string | number | boolean): boolean {
  if (name === "pattern") return typeof value === "string" && isPattern(value);
  if (name === "uniqueItems") return typeof value === "boolean";
  if (typeof value !== "number" || !Number.isFinite(value)) return false;
  if (name === "multipleOf") return value > 0;
  return /^(?:min|max)(?:Length|Items)$/.test(name) ? Number.isInteger(value) && value >= 0 : true;
}

/** Documents hold patterns of many languages. */
function isPattern(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}
