/** ContractStatuses: schema, keys and actions of the data object. */
import { defineDataObject, Type } from "connectorcli";

export const ContractStatuses = defineDataObject("ContractStatuses", {
  description: "Represents a status for a contract in the bidding system",
  primaryKey: "id",
  properties: {
    id: Type.String({ format: "uuid", description: "Unique identifier for the contract status" }),
    description: Type.Optional(Type.String({ description: "Description of the contract status" })),
    includeInCoToDate: Type.Optional(
      Type.Boolean({
        jsonPropertyName: "IncludeInCOToDate",
        description: "Whether to include in CO to date",
      }),
    ),
    contractId: Type.Optional(Type.String({ description: "ID of the associated contract" })),
  },
});
