/** Projects: schema, keys and actions of the data object. */
import { defineDataObject, Type } from "connectorcli";

export const Projects = defineDataObject("Projects", {
  description: "Represents a project summary from the bidding system",
  primaryKey: "projectId",
  properties: {
    projectId: Type.String({ description: "Unique identifier for the project", minLength: 1 }),
    name: Type.Optional(Type.String({ description: "Name of the project", minLength: 1 })),
    number: Type.Optional(Type.String({ description: "Project number", minLength: 1 })),
    type: Type.Optional(Type.String({ description: "Project type", minLength: 1 })),
    status: Type.Optional(
      Type.String({
        description: "Current status of the project",
        minLength: 1,
      }),
    ),
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
    lastModifiedDate: Type.Optional(
      Type.String({
        format: "date-time",
        description: "Date the project was last modified",
      }),
    ),
  },
});
