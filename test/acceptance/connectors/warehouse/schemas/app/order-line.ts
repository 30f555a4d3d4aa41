/** OrderLine: one article of an order. */
import { defineDataObject, Type } from "connectorcli";

export const OrderLine = defineDataObject("OrderLine", {
  description: "One article of an order.",
  primaryKey: ["orderId", "line"],
  namingConvention: "snake_case",
  properties: {
    orderId: Type.String({ format: "uuid", description: "The order." }),
    line: Type.Integer({ description: "Its place in the order.", minimum: 1 }),
    articleId: Type.Integer({ description: "The article.", minimum: 1 }),
    quantity: Type.Number({ description: "How much of it.", minimum: 0 }),
  },
});
