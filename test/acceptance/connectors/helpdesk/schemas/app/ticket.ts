/** Ticket: what a customer asks for. */
import { defineAction, defineDataObject, Nullable, StringEnum, Type } from "connectorcli";

export const Ticket = defineDataObject("Ticket", {
  description: "What a customer asks for.",
  primaryKey: "id",
  readerType: "incremental",
  namingConvention: "snake_case",
  properties: {
    id: Type.String({ format: "uuid", description: "Identifier in the help desk." }),
    customerId: Type.String({ format: "uuid", description: "Who asks." }),
    subject: Type.String({ description: "What is asked, in a line.", minLength: 1, maxLength: 200 }),
    description: Type.String({ description: "What is asked.", maxLength: 2000 }),
    department: StringEnum(["Sales", "Support"], { description: "Who works on it." }),
    state: StringEnum(["New", "Open", "Solved"], { description: "How far it is." }),
    minutes: Nullable(Type.Integer({ description: "Time that was spent.", minimum: 0 })),
    updatedAt: Type.String({ format: "date-time", description: "When it was last changed." }),
  },
});

export const CreateTicket = defineAction("Create", {
  dataObject: Ticket,
  description: "Opens a ticket.",
  namingConvention: "snake_case",
  input: Type.Pick(Ticket.schema, ["customerId", "subject", "description", "department"]),
  output: Type.Pick(Ticket.schema, ["id", "state"]),
});

export const ChangeTicket = defineAction("Change", {
  dataObject: Ticket,
  description: "Changes a ticket.",
  namingConvention: "snake_case",
  input: Type.Pick(Ticket.schema, ["id", "subject", "state", "minutes"]),
  output: Type.Pick(Ticket.schema, ["id", "state"]),
});
