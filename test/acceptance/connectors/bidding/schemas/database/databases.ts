/** Databases: schema, keys and actions of the data object. */
import { defineDataObject, Type } from "connectorcli";

export const Databases = defineDataObject("Databases", {
  description: "Represents a database in the bidding system that the user has access to.",
  primaryKey: "token",
  properties: {
    token: Type.String({
      minLength: 1,
      writeOnly: true,
      description:
        "Token for accessing the database. This token does not change and can be saved for future use.",
    }),
    databaseName: Type.String({ minLength: 1, description: "Name of the database" }),
    companyName: Type.String({ minLength: 1, description: "Name of the company" }),
  },
});
