/** Agent: who works on tickets. */
import { defineDataObject, StringEnum, Type } from "connectorcli";

export const Agent = defineDataObject("Agent", {
  description: "A person who works on tickets.",
  primaryKey: "id",
  properties: {
    id: Type.Integer({ description: "Identifier in the help desk.", minimum: 1 }),
    name: Type.String({ description: "What the agent is called.", writeOnly: true }),
    email: Type.String({ description: "Work address.", format: "email", writeOnly: true }),
    role: StringEnum(["Agent", "Lead", "Admin"], { description: "What the agent may do." }),
  },
});
