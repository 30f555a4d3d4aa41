/** Two data objects and their actions. */
import { defineAction, defineDataObject, Nullable, Type } from "connectorcli";

export const Order = defineDataObject("Order", {
  description: "An order.",
  primaryKey: "id",
  properties: {
    id: Type.String({ description: "Identifier.", readOnly: true }),
    placedOn: Type.String({ format: "date-time", jsonPropertyName: "placed_on" }),
    note: Type.Optional(Nullable(Type.String({ writeOnly: true }))),
  },
});

export const Invoice = defineDataObject("Invoice", {
  description: "An invoice.",
  primaryKey: "id",
  properties: { id: Type.Integer() },
});

/** Omit for the input, Pick for the output; the failure is the standard one. */
export const Create = defineAction("Create", {
  dataObject: Order,
  description: "Places an order.",
  input: Type.Omit(Order.schema, ["id"], { description: "All but the identifier." }),
  output: Type.Pick(Order.schema, ["id"]),
});

/** Partial and Composite; the output is a list of whole records. */
export const UpdateMany = defineAction("UpdateMany", {
  dataObject: Order,
  title: "Update several",
  description: "Changes orders.",
  input: Type.Composite([Type.Partial(Order.schema), Type.Object({ force: Type.Boolean() })]),
  output: Type.Array(Order.schema),
  failure: Type.Object({ reason: Type.String() }),
  createRtap: false,
});

/** Without payloads, both are empty objects. */
export const Cancel = defineAction("Cancel", {
  dataObject: Order,
  description: "Takes an order back.",
});

/** An address of its own. */
export const Search = defineAction("Search", {
  dataObject: Order,
  description: "Finds orders.",
  urlPart: "find",
  key: "search-orders",
});

export const Bill = defineAction("Bill", {
  dataObject: Invoice,
  description: "Sends the invoice.",
});
