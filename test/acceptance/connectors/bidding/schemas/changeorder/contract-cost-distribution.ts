/** ContractCostDistribution: schema, keys and actions of the data object. */
import { defineDataObject, Type } from "connectorcli";

export const ContractCostDistribution = defineDataObject("ContractCostDistribution", {
  description: "Represents a cost distribution for a contract in the bidding system",
  primaryKey: "id",
  properties: {
    id: Type.String({ format: "uuid", description: "Unique identifier for the cost distribution" }),
    estimateID: Type.Optional(Type.String({ description: "ID of the associated estimate" })),
    estimateName: Type.Optional(Type.String({ description: "Name of the associated estimate" })),
    estimateNumber: Type.Optional(
      Type.String({
        description: "Number of the associated estimate",
      }),
    ),
    bidSummaryID: Type.Optional(Type.String({ description: "ID of the associated bid summary" })),
    bidSummaryName: Type.Optional(
      Type.String({
        description: "Name of the associated bid summary",
      }),
    ),
    type: Type.Optional(Type.String({ description: "Type of the cost distribution" })),
    description: Type.Optional(
      Type.String({
        description: "Description of the cost distribution",
      }),
    ),
    vendor: Type.Optional(
      Type.String({
        description: "Vendor associated with the cost distribution",
      }),
    ),
    contractId: Type.Optional(Type.String({ description: "ID of the associated contract" })),
  },
});
