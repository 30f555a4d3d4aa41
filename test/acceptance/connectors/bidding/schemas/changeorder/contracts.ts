/** Contracts: schema, keys and actions of the data object. */
import { defineDataObject, Type } from "connectorcli";

export const Contracts = defineDataObject("Contracts", {
  description: "Represents a contract in the bidding system",
  primaryKey: "id",
  properties: {
    id: Type.String({ format: "uuid", description: "Unique identifier for the contract" }),
    contractID: Type.Optional(Type.Integer({ description: "Contract ID number" })),
    contractId: Type.Optional(
      Type.String({
        jsonPropertyName: "ContractID",
        description: "Contract ID string",
      }),
    ),
    name: Type.Optional(Type.String({ description: "Name of the contract" })),
    number: Type.Optional(Type.String({ description: "Contract number" })),
    date: Type.Optional(Type.String({ format: "date-time", description: "Contract date" })),
    estimates: Type.Optional(
      Type.Array(
        Type.Object({
          contractID: Type.Optional(
            Type.Integer({
              description: "Contract ID number for the estimate",
            }),
          ),
          jobID: Type.Optional(Type.Integer({ description: "Job ID for the estimate" })),
          estimateID: Type.Optional(Type.String({ description: "Estimate ID" })),
          name: Type.Optional(Type.String({ description: "Name of the estimate" })),
          baseContractAmount: Type.Optional(Type.Number({ description: "Base contract amount" })),
          changeOrderAmount: Type.Optional(Type.Number({ description: "Change order amount" })),
          totalAmount: Type.Optional(Type.Number({ description: "Total contract amount" })),
          coLaborHours: Type.Optional(Type.Number({ description: "Change order labor hours" })),
          bcLaborHours: Type.Optional(Type.Number({ description: "Base contract labor hours" })),
          totalLaborHours: Type.Optional(Type.Number({ description: "Total labor hours" })),
        }),
        { description: "List of estimates associated with the contract" },
      ),
    ),
    projectId: Type.Optional(Type.String({ description: "ID of the associated project" })),
  },
});
