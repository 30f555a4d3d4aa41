/** Settings of a workspace; their names are in PascalCase, as in all configurations (§2.3). */
import { defineConfiguration, defineConnector, StringEnum, Type } from "connectorcli";

export const connector = defineConnector({
  name: "Registration",
  key: "registration",
  description: "A registration configuration.",
  // The connector's convention is for objects and actions.
  namingConvention: "snake_case",
  registrationConfiguration: defineConfiguration(
    {
      retryPolicy: Type.Optional(
        Type.Object(
          { maxRetries: Type.Integer({ minimum: 0, maximum: 10, description: "How often." }) },
          { title: "Retry Policy", description: "What happens when a request fails." },
        ),
      ),
      language: StringEnum(["en", "de"], { description: "Language of the texts." }),
    },
    { title: "Settings", description: "Settings of the workspace." },
  ),
  connections: [],
  modules: [],
});
