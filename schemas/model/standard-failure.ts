/** The standard failure of actions, as all known connectors have it. The vocabulary's `StandardFailure` is the same. */
import { deepFreeze, fromPlain } from "../json.js";
import { readDocument } from "./read-schema.js";
import type { SchemaDocument, SchemaModel } from "./schema-model.js";

const FAILURE = {
  type: "object",
  properties: {
    code: { type: "string" },
    user_defined_code: { type: ["string", "null"] },
    errors: {
      type: "array",
      items: {
        type: "object",
        properties: {
          text: { type: "string" },
          source: { type: ["array", "null"], items: { type: ["string", "null"] } },
          details: true,
        },
      },
    },
  },
};

const DOCUMENT = deepFreeze(readDocument(fromPlain(FAILURE)));

const DOCUMENT_TEXT = JSON.stringify(DOCUMENT);

/** Whether `document` is the standard failure to the letter. */
export function isStandardFailure(document: SchemaDocument): boolean {
  return document === DOCUMENT || JSON.stringify(document) === DOCUMENT_TEXT;
}

/** Whether `document` has the shape of the standard failure, whatever else is said of its values. */
export function resemblesStandardFailure({ root }: SchemaDocument): boolean {
  return haveSameShape(root, DOCUMENT.root);
}

/** The document of the standard failure. */
export function standardFailure(): SchemaDocument {
  return DOCUMENT;
}

/** Whether kinds, names and nullability are the same. */
function haveSameShape(schema: SchemaModel, standard: SchemaModel): boolean {
  if (schema.kind === "object" && standard.kind === "object") {
    return (
      schema.nullable === standard.nullable &&
      schema.properties.length === standard.properties.length &&
      schema.properties.every(({ jsonName, schema: value }, index) => {
        const other = standard.properties[index];
        return other !== undefined && jsonName === other.jsonName && haveSameShape(value, other.schema);
      })
    );
  }
  if (schema.kind === "array" && standard.kind === "array") {
    return schema.nullable === standard.nullable && haveSameShape(schema.items, standard.items);
  }
  if ("nullable" in schema && "nullable" in standard && schema.nullable !== standard.nullable) return false;
  return schema.kind === standard.kind;
}
