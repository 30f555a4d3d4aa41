/** Two data objects and their actions. */
import { defineAction, defineDataObject, Nullable, Type } from "connectorcli";

export const Order = defineDataObject(
  "Order",
  {
    id: Type.String({ description: "Identifier.", readOnly: true }),
    placedOn: Type.String({ format: "date-time", jsonPropertyName: "placed_on" }),
    note: Type.Optional(Nullable(Type.String({ writeOnly: true }))),
  },
  { description: "An order.", primaryKey: { name: "id", properties: ["id"] } },
);

export const Invoice = defineDataObject(
  "Invoice",
  { id: Type.Integer() },
  { description: "An invoice.", primaryKey: { name: "id", properties: ["id"] } },
);

/** Omit for the input, Pick for the output; the failure is the standard one. */
export const Create = defineAction(Order, "Create", {
  description: "Places an order.",
  input: Type.Omit(Order.schema, ["id"], { description: "All but the identifier." }),
  output: Type.Pick(Order.schema, ["id"]),
});

/** Partial and Composite; the output is a list of whole records. */
export const UpdateMany = defineAction(Order, "UpdateMany", {
  title: "Update several",
  description: "Changes orders.",
  input: Type.Composite([Type.Partial(Order.schema), Type.Object({ force: Type.Boolean() })]),
  output: Type.Array(Order.schema),
  failure: Type.Object({ reason: Type.String() }),
  createRtap: false,
});

/** Without payloads, both are empty objects. */
export const Cancel = defineAction(Order, "Cancel", { description: "Takes an order back." });

/** An address of its own. */
export const Search = defineAction(Order, "Search", {
  description: "Finds orders.",
  urlPart: "find",
  key: "search-orders",
});

export const Bill = defineAction(Invoice, "Bill", { description: "Sends the invoice." });
