/** ContractQuoteLabels: schema, keys and actions of the data object. */
import { defineDataObject, Type } from "connectorcli";

export const ContractQuoteLabels = defineDataObject("ContractQuoteLabels", {
  description: "Represents a contract quote label",
  primaryKey: ["contractId", "index"],
  properties: {
    contractId: Type.String({ description: "The associated contract ID" }),
    index: Type.Integer({ description: "The index of the quote label" }),
    description: Type.Optional(Type.String({ description: "The description of the quote label" })),
    enumVName: Type.Optional(Type.String({ description: "The enum value name" })),
  },
});
