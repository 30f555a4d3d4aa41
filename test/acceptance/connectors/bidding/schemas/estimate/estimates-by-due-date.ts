/** EstimatesByDueDate: schema, keys and actions of the data object. */
import { defineDataObject, Type } from "connectorcli";

export const EstimatesByDueDate = defineDataObject("EstimatesByDueDate", {
  description: "Represents an estimate with due date information",
  primaryKey: { name: "id", properties: ["estimateId"] },
  properties: {
    startDate: Type.Optional(Type.String({ description: "Start date of the date range" })),
    endDate: Type.Optional(Type.String({ description: "End date of the date range" })),
    estimateId: Type.String({ minLength: 1, description: "Estimate id" }),
    estimateName: Type.String({ minLength: 1, description: "Estimate name" }),
    estimateNumber: Type.String({ minLength: 1, description: "Estimate number" }),
    dueDate: Type.String({ format: "date-time", description: "Due date of the estimate" }),
  },
});
