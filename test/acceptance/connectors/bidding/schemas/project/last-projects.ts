/** LastProjects: schema, keys and actions of the data object. */
import { defineDataObject, Type } from "connectorcli";

export const LastProjects = defineDataObject("LastProjects", {
  description: "Represents a project summary from the bidding system",
  primaryKey: "projectID",
  properties: {
    projectID: Type.String({ description: "Unique identifier for the project", minLength: 1 }),
    projectName: Type.Optional(Type.String({ description: "Project name", minLength: 1 })),
    projectNumber: Type.Optional(Type.String({ description: "Project number", minLength: 1 })),
    type: Type.Optional(Type.String({ description: "Project type", minLength: 1 })),
    startDate: Type.Optional(
      Type.String({
        format: "date-time",
        description: "Project start date",
      }),
    ),
    endDate: Type.Optional(Type.String({ format: "date-time", description: "Project end date" })),
    createdDate: Type.Optional(
      Type.String({
        format: "date-time",
        description: "Date the project was created",
      }),
    ),
    createdBy: Type.Optional(
      Type.String({
        description: "Name of person who created the project",
        minLength: 1,
      }),
    ),
    managingBranchName: Type.Optional(
      Type.String({
        description: "Name of managing branch for the project",
        minLength: 1,
      }),
    ),
  },
});
