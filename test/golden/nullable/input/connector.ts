/** Nullable adds "null" to the type, for every kind of value, and leaves required alone (§2.9 rule 2). */
import { defineConnector, defineDataObject, defineModule, Nullable, StringEnum, Type } from "connectorcli";

const Nothing = defineDataObject("Nothing", {
  description: "Nullable values.",
  primaryKey: "id",
  properties: {
    id: Type.String(),
    text: Nullable(Type.String({ maxLength: 5 })),
    moment: Nullable(Type.String({ format: "date-time" }), {
      description: "Outer options stand behind inner ones.",
    }),
    integer: Nullable(Type.Integer()),
    number: Nullable(Type.Number()),
    boolean: Nullable(Type.Boolean()),
    choice: Nullable(StringEnum(["Draft", "Sent"])),
    described: Nullable(StringEnum(["Draft"], { description: "Inner." }), { description: "Outer wins." }),
    list: Nullable(Type.Array(Nullable(Type.Integer()))),
    object: Nullable(Type.Object({ inner: Nullable(Type.String()) })),
    renamed: Nullable(Type.String({ jsonPropertyName: "inner_name" })),
    optional: Type.Optional(Nullable(Type.String())),
    plain: Type.Union([Type.Null(), Type.String({ description: "A union of a type and null is the same." })]),
  },
});

export const connector = defineConnector("Nullable", {
  key: "nullable",
  description: "Nullable values.",
  connections: [],
  modules: [defineModule("App", { key: "app", version: 1, description: "", dataObjects: [Nothing] })],
});
