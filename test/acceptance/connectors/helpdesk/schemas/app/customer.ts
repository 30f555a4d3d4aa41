/** Customer: a company that asks for help. */
import { defineDataObject, Nullable, StringEnum, Type } from "connectorcli";

export const Customer = defineDataObject("Customer", {
  description: "A company that asks for help.",
  primaryKey: "id",
  alternateKeys: ["number"],
  namingConvention: "snake_case",
  properties: {
    id: Type.String({ format: "uuid", description: "Identifier in the help desk." }),
    number: Type.String({ description: "Number of the customer.", pattern: "^C-\\d{6}$" }),
    title: Type.String({ description: "What the company is called.", maxLength: 100 }),
    plan: StringEnum(["Free", "Team", "Enterprise"], { description: "What the customer pays for." }),
    seats: Nullable(Type.Integer({ description: "Seats that were bought.", minimum: 0 })),
    createdAt: Type.String({ format: "date-time", description: "When the customer came." }),
  },
});
