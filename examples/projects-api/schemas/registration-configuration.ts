/** The registration configuration: settings of a workspace, never credentials or addresses. */
import { defineConfiguration, StringEnum, Type } from "connectorcli";

export const RegistrationConfiguration = defineConfiguration(
  {
    projectStatus: Type.Optional(
      StringEnum(["All", "Active"], {
        title: "Projects to read",
        description: "Whether finished projects are read as well.",
      }),
    ),
  },
  { title: "Projects Configuration", description: "What is read from the company." },
);
