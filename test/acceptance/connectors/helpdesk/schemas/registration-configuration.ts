/** The registration configuration: which part of the help desk a workspace is for. */
import { defineRegistrationConfiguration, StringEnum, Type } from "connectorcli";

export const RegistrationConfiguration = defineRegistrationConfiguration("RegistrationConfiguration", {
  title: "Help desk",
  description: "What is read from the help desk.",
  properties: {
    brand: Type.String({ title: "Brand", description: "Whose articles are read.", minLength: 1 }),
    department: Type.Optional(
      StringEnum(["All", "Sales", "Support"], {
        title: "Department",
        description: "Whose tickets are read.",
      }),
    ),
  },
});
