/** Estimates: schema, keys and actions of the data object. */
import { defineDataObject, Type } from "connectorcli";

export const Estimates = defineDataObject("Estimates", {
  description: "Represents an estimate from the system",
  primaryKey: { name: "id", properties: ["estimateId"] },
  properties: {
    projectId: Type.Optional(
      Type.String({
        description: "The project ID this estimate belongs to",
      }),
    ),
    estimateId: Type.String({
      minLength: 1,
      description:
        "Estimate id. This ID can be used with the estimate api to get information for the estimate.",
    }),
    estimateName: Type.String({ minLength: 1, description: "Estimate name" }),
    estimateNumber: Type.String({ minLength: 1, description: "Estimate number" }),
    status: Type.String({
      minLength: 1,
      description: 'Estimate status. Can be "Pending", "First", "Second", "Third", "Other"',
    }),
    startDate: Type.String({
      format: "date-time",
      description: "Estimate start date (can be null)",
    }),
    endDate: Type.String({ format: "date-time", description: "Estimate end date (can be null)" }),
    createdDate: Type.String({ format: "date-time", description: "Date the estimate was created" }),
    dueDate: Type.Optional(
      Type.String({
        format: "date-time",
        description: "Date the estimate is due",
      }),
    ),
    isDeleted: Type.Optional(
      Type.Boolean({
        description: "Flag to indicate the estimate has been deleted",
      }),
    ),
  },
});
