/** What becomes of members that the schema does not know is between the connector and its cache: `connector.json` is silent. */
import { defineConnector, defineDataObject, defineModule, Type } from "connectorcli";

const Contact = defineDataObject("Contact", {
  description: "A person, of whom the target system sends more than this.",
  primaryKey: "id",
  unknownMembers: "drop",
  properties: {
    id: Type.String({ description: "Identifier in the target system." }),
    address: Type.Object({ city: Type.String({ description: "City." }) }, { description: "Address." }),
  },
});

export const connector = defineConnector("UnknownMembers", {
  key: "unknown-members",
  description: "Members that the schema does not know.",
  connections: [],
  modules: [defineModule("App", { key: "app", version: 1, description: "", dataObjects: [Contact] })],
});
