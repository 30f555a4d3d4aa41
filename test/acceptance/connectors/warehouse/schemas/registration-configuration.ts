/** The registration configuration: what is read from the warehouse. */
import { defineRegistrationConfiguration, StringEnum, Type } from "connectorcli";

export const RegistrationConfiguration = defineRegistrationConfiguration("RegistrationConfiguration", {
  title: "Warehouse",
  description: "What is read from the warehouse.",
  properties: {
    articleStatus: Type.Optional(
      StringEnum(["All", "Active", "Retired"], {
        title: "Articles to read",
        description: "Whether all articles are read, or those of one status.",
      }),
    ),
  },
});
