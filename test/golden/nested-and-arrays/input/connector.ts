/** Nested objects are inlined; a described array repeats its description in its items. */
import { defineConnector, defineDataObject, defineModule, Nullable, StringEnum, Type } from "connectorcli";

/** A constant of the code is no reference in the file. */
const Address = Type.Object({ street: Type.String(), no: Type.Optional(Type.Integer()) });

const Customer = defineDataObject("Customer", {
  description: "A customer.",
  primaryKey: "id",
  properties: {
    id: Type.String(),
    home: Address,
    work: Type.Object(Address.properties, { description: "Where the customer works.", writeOnly: true }),
    empty: Type.Object({}),
    tags: Type.Array(Type.String({ maxLength: 5 }), { description: "Free words." }),
    own: Type.Array(Type.String({ description: "One word." }), { description: "Words." }),
    plain: Type.Array(Type.Number()),
    lists: Type.Array(Type.Array(Type.Boolean()), { description: "Lists of lists." }),
    moves: Nullable(Type.Array(Address), { description: "Described from outside." }),
    states: Type.Array(StringEnum(["New", "Old"]), { title: "States", description: "All of them." }),
    anything: Type.Array(Type.Unknown(), { description: "Whatever there is." }),
  },
});

export const connector = defineConnector("Nested", {
  key: "nested",
  description: "Nested objects and arrays.",
  connections: [],
  modules: [defineModule("App", { key: "app", version: 1, description: "", dataObjects: [Customer] })],
});
