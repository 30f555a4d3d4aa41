/** Tells the standard failure from one that an author wrote, looking no deeper than the standard goes. */
import type { SchemaModel } from "../model/schema-model.js";

/** Whether `schema` has the shape of `standard`: kinds, names and nullability. */
export function sameSchema(schema: SchemaModel, standard: SchemaModel): boolean {
  if (schema.kind === "object" && standard.kind === "object") {
    return (
      schema.nullable === standard.nullable &&
      schema.properties.length === standard.properties.length &&
      schema.properties.every(({ jsonName, schema: value }, index) => {
        const other = standard.properties[index];
        return other !== undefined && jsonName === other.jsonName && sameSchema(value, other.schema);
      })
    );
  }
  if (schema.kind === "array" && standard.kind === "array") {
    return schema.nullable === standard.nullable && sameSchema(schema.items, standard.items);
  }
  if ("nullable" in schema && "nullable" in standard && schema.nullable !== standard.nullable) return false;
  return schema.kind === standard.kind;
}
