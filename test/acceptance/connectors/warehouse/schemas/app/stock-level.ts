/** StockLevel: how many pieces of an article are in a warehouse. */
import { defineDataObject, Type } from "connectorcli";

export const StockLevel = defineDataObject("StockLevel", {
  description: "How many pieces of an article are in a warehouse.",
  primaryKey: ["warehouseId", "articleId"],
  namingConvention: "snake_case",
  properties: {
    warehouseId: Type.Integer({ description: "The warehouse.", minimum: 1 }),
    articleId: Type.Integer({ description: "The article.", minimum: 1 }),
    pieces: Type.Number({ description: "Pieces on the shelf; parts of one are weighed.", minimum: 0 }),
    countedAt: Type.String({ format: "date-time", description: "When somebody counted them." }),
  },
});
