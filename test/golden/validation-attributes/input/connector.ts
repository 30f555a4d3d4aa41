/** Constraints and annotations stand in the schema as the author wrote them: behind the type, in the same order. */
import { defineConnector, defineDataObject, defineModule, Type } from "connectorcli";

const Measurement = defineDataObject("Measurement", {
  title: "Measured Value",
  description: "One measurement.",
  additionalProperties: false,
  maxProperties: 8,
  "x-volatile": ["level"],
  primaryKey: "id",
  properties: {
    id: Type.String({
      description: "A text of 1 to 20 letters.",
      minLength: 1,
      maxLength: 20,
      pattern: "^[A-Z]+$",
    }),
    level: Type.Number({ minimum: 0, maximum: 1.5, description: "From nothing to half as much again." }),
    ratio: Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
    steps: Type.Integer({ multipleOf: 5, default: 10, examples: [5, 10] }),
    tags: Type.Array(Type.String({ maxLength: 3 }), { minItems: 1, maxItems: 9, uniqueItems: true }),
    site: Type.String({ description: "Where the format stands does not matter.", format: "uri" }),
    owner: Type.Object(
      { name: Type.String({ readOnly: true }), iban: Type.Optional(Type.String({ writeOnly: true })) },
      { minProperties: 1, maxProperties: 2, additionalProperties: false },
    ),
    old: Type.Optional(
      Type.Boolean({ deprecated: true, title: "Old", "x-origin": { system: "A<B", ids: [1, null] } }),
    ),
  },
});

export const connector = defineConnector("Validation", {
  key: "validation",
  description: "Validation attributes.",
  connections: [],
  modules: [defineModule("App", { key: "app", version: 1, description: "", dataObjects: [Measurement] })],
});
