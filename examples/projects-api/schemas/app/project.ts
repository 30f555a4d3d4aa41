/** Project: schema, keys and actions of the data object. */
import { defineAction, defineDataObject, Nullable, StringEnum, Type } from "connectorcli";

export const Project = defineDataObject("Project", {
  description: "A project of the company.",
  primaryKey: "id",
  alternateKeys: ["number"],
  properties: {
    id: Type.String({ format: "uuid", description: "Identifier in the target system." }),
    number: Type.String({
      description: "Number that the company gives the project.",
      minLength: 1,
      maxLength: 20,
    }),
    title: Type.String({ description: "What the project is called.", maxLength: 200 }),
    status: StringEnum(["Planned", "Active", "Finished"], { description: "How far the project is." }),
    budget: Nullable(
      Type.Number({ description: "Money that was granted, in the company's currency.", minimum: 0 }),
    ),
    managerEmail: Type.Optional(
      Nullable(
        Type.String({
          format: "email",
          description: "Work address of the project manager.",
          writeOnly: true,
        }),
      ),
    ),
    site: Type.Optional(
      Type.Object(
        {
          city: Type.String({ description: "City of the site." }),
          country: Type.String({
            description: "Country of the site, in two letters.",
            pattern: "^[A-Z]{2}$",
          }),
        },
        { description: "Where the project is built." },
      ),
    ),
    tags: Type.Optional(
      Type.Array(Type.String(), { description: "Words that the company sorts projects by." }),
    ),
    customFields: Type.Optional(
      Nullable(
        Type.Record(Type.String(), Type.String(), { description: "Fields of the company's own, by name." }),
      ),
    ),
    createdOn: Type.String({
      format: "date-time",
      description: "When the project was created.",
      jsonPropertyName: "created_on",
      readOnly: true,
    }),
  },
});

export const CreateProject = defineAction("Create", {
  dataObject: Project,
  description: "Creates a project.",
  input: Type.Omit(Project.schema, ["id", "createdOn"]),
  output: Type.Pick(Project.schema, ["id", "number"]),
});
