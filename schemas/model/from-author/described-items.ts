/** A described array repeats its description in its items, as the platform's files do. */
import { keywordOf, type SchemaModel } from "../schema-model.js";

/** `schema`; where it is an array, its items have a description if it has one itself. */
export function describeItems(schema: SchemaModel): SchemaModel {
  if (schema.kind !== "array") return schema;
  const { items } = schema;
  const description = keywordOf(schema, "description");
  if (description === undefined || items.kind === "verbatim" || items.kind === "reference") return schema;
  if (keywordOf(items, "description") !== undefined) return schema;
  const keywords = [...items.keywords, { name: "description", value: description }];
  return { ...schema, items: describeItems({ ...items, keywords }) };
}
