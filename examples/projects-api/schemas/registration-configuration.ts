/** The registration configuration: settings of a workspace, never credentials or addresses. */
import { defineRegistrationConfiguration, StringEnum, Type } from "connectorcli";

export const RegistrationConfiguration = defineRegistrationConfiguration("RegistrationConfiguration", {
  title: "Projects Configuration",
  description: "What is read from the company.",
  properties: {
    projectStatus: Type.Optional(
      StringEnum(["All", "Active"], {
        title: "Projects to read",
        description: "Whether finished projects are read as well.",
      }),
    ),
  },
});
