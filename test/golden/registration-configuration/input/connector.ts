/** Settings of a workspace; their names are in PascalCase, as in all configurations (§2.3). */
import { defineConnector, defineRegistrationConfiguration, StringEnum, Type } from "connectorcli";

export const connector = defineConnector("Registration", {
  key: "registration",
  description: "A registration configuration.",
  // The connector's convention is for objects and actions.
  namingConvention: "snake_case",
  registrationConfiguration: defineRegistrationConfiguration("RegistrationConfiguration", {
    title: "Settings",
    description: "Settings of the workspace.",
    properties: {
      retryPolicy: Type.Optional(
        Type.Object(
          { maxRetries: Type.Integer({ minimum: 0, maximum: 10, description: "How often." }) },
          { title: "Retry Policy", description: "What happens when a request fails." },
        ),
      ),
      language: StringEnum(["en", "de"], { description: "Language of the texts." }),
    },
  }),
  connections: [],
  modules: [],
});
