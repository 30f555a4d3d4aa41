/** The connector: start reading here. */
import { defineConnector } from "connectorcli";
import { CustomAuth } from "./connections/custom-auth.js";
import { AppModule } from "./schemas/app/module.js";
import { RegistrationConfiguration } from "./schemas/registration-configuration.js";

export const connector = defineConnector("Projects", {
  key: "projects-api",
  description: "Projects of a construction company, with the hours that were worked on them.",
  registrationConfiguration: RegistrationConfiguration,
  connections: [CustomAuth],
  modules: [AppModule],
});
