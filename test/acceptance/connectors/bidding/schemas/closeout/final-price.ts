/** FinalPrice: schema, keys and actions of the data object. */
import { defineDataObject, Type } from "connectorcli";

export const FinalPrice = defineDataObject("FinalPrice", {
  description: "Represents a final price record from the bidding system",
  primaryKey: "id",
  properties: {
    id: Type.String({ description: "Unique identifier for the final price record" }),
    idDescription: Type.Optional(Type.String({ description: "What the identifier stands for" })),
    projectId: Type.Optional(Type.String({ description: "Associated project identifier" })),
    bidSummaryId: Type.Optional(Type.String({ description: "Associated bid summary identifier" })),
    operation: Type.Optional(Type.String({ description: "Operation type" })),
    operationUtc: Type.Optional(Type.String({ description: "Operation timestamp in UTC" })),
    calculatedPercentage: Type.Optional(
      Type.Number({
        description: "Calculated percentage for the final price",
      }),
    ),
    calculatedAmount: Type.Optional(
      Type.Number({
        description: "Calculated amount for the final price",
      }),
    ),
    adjustmentPercentage: Type.Optional(
      Type.Number({
        description: "Adjustment percentage applied",
      }),
    ),
    rangeList: Type.Optional(
      Type.Array(
        Type.Object({
          adjPercent: Type.Optional(Type.Number({ description: "Adjustment in percent" })),
          overAmount: Type.Optional(Type.Number({ description: "Lower end of the range" })),
          toAmount: Type.Optional(Type.Number({ description: "Upper end of the range" })),
        }),
        { description: "Ranges of amounts" },
      ),
    ),
  },
});
