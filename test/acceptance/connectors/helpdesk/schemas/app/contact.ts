/** Contact: a person of a customer. */
import { defineAction, defineDataObject, Nullable, Type } from "connectorcli";

export const Contact = defineDataObject("Contact", {
  description: "A person of a customer.",
  primaryKey: "id",
  namingConvention: "snake_case",
  properties: {
    id: Type.Integer({ description: "Identifier in the help desk.", minimum: 1 }),
    customerId: Type.String({ format: "uuid", description: "The customer." }),
    label: Type.String({ description: "What the contact is for.", minLength: 1, maxLength: 100 }),
    phone: Type.Optional(
      Nullable(Type.String({ description: "Number of the telephone.", maxLength: 40, writeOnly: true })),
    ),
    reference: Type.Optional(Nullable(Type.String({ description: "Reference of who made the contact." }))),
  },
});

export const CreateContact = defineAction("Create", {
  dataObject: Contact,
  description: "Adds a contact to a customer.",
  namingConvention: "snake_case",
  input: Type.Pick(Contact.schema, ["customerId", "label", "phone"]),
  output: Type.Pick(Contact.schema, ["id"]),
});

export const DeleteContact = defineAction("Delete", {
  dataObject: Contact,
  description: "Removes a contact from a customer.",
  namingConvention: "snake_case",
  input: Type.Pick(Contact.schema, ["customerId", "id"]),
});
