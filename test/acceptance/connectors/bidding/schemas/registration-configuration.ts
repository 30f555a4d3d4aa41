/** The registration configuration: settings of a workspace. */
import { defineRegistrationConfiguration, Type } from "connectorcli";

export const RegistrationConfiguration = defineRegistrationConfiguration("RegistrationConfiguration", {
  properties: {
    estimatesDueFrom: Type.Optional(
      Type.String({
        jsonPropertyName: "estimatesDueFrom",
        format: "date",
        title: "Estimates due from",
        description: "The first day of the due dates that are read.",
      }),
    ),
  },
});
