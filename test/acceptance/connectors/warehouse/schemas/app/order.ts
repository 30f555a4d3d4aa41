/** Order: what a customer buys. */
import { defineAction, defineDataObject, StringEnum, Type } from "connectorcli";

export const Order = defineDataObject("Order", {
  description: "What a customer buys.",
  primaryKey: "id",
  readerType: "incremental",
  namingConvention: "snake_case",
  properties: {
    id: Type.String({ format: "uuid", description: "Identifier of the order." }),
    number: Type.String({ description: "Number on the papers.", maxLength: 20 }),
    state: StringEnum(["draft", "placed", "shipped", "deleted"], { description: "How far it is." }),
    total: Type.Number({ description: "Sum in the dealer's currency.", minimum: 0 }),
    dueAt: Type.Optional(Type.String({ format: "date-time", description: "When it is to arrive." })),
    updatedAt: Type.String({ format: "date-time", description: "When it was last changed." }),
  },
});

export const CreateOrder = defineAction("Create", {
  dataObject: Order,
  description: "Places an order.",
  namingConvention: "snake_case",
  input: Type.Pick(Order.schema, ["number", "total"]),
  output: Type.Pick(Order.schema, ["id", "number"]),
});
