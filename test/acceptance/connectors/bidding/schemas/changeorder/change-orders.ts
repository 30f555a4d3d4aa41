/** ChangeOrders: schema, keys and actions of the data object. */
import { defineDataObject, Type } from "connectorcli";

export const ChangeOrders = defineDataObject("ChangeOrders", {
  description: "Represents a proposed change order in the bidding system",
  primaryKey: "id",
  properties: Type.Object(
    {
      id: Type.String({ format: "uuid", description: "Unique identifier for the ChangeOrder" }),
      totalRows: Type.Optional(Type.Integer({ description: "Total number of rows" })),
      jobID: Type.Optional(Type.Integer({ description: "Job ID" })),
      changeOrderID: Type.Optional(Type.String({ description: "ChangeOrder ID" })),
      name: Type.Optional(Type.String({ description: "Name of the ChangeOrder" })),
      number: Type.Optional(Type.String({ description: "ChangeOrder number" })),
      isDeleted: Type.Optional(Type.Boolean({ description: "Whether the ChangeOrder is deleted" })),
      bidDueDate: Type.Optional(Type.String({ format: "date-time", description: "Bid due date" })),
      dateCreated: Type.Optional(
        Type.String({
          format: "date-time",
          description: "Date the ChangeOrder was created",
        }),
      ),
      totalAmount: Type.Optional(Type.Number({ description: "Total amount" })),
      subs: Type.Optional(
        Type.Array(
          Type.Object({
            index: Type.Optional(Type.Integer({ description: "Index number" })),
            value: Type.Optional(Type.Number({ description: "Value amount" })),
          }),
          { description: "Subcontract amounts by index" },
        ),
      ),
    },
    {
      description: "Represents a proposed change order in the bidding system",
    },
  ),
});
