/** The connector: everything that it reads and does is declared. */
import { defineConnector } from "connectorcli";
import { OAuth2ClientCredentials } from "./connections/oauth2-client-credentials.js";
import { AppModule } from "./schemas/app/module.js";
import { RegistrationConfiguration } from "./schemas/registration-configuration.js";

export const connector = defineConnector("Helpdesk", {
  key: "helpdesk",
  description: "Tickets of a company's customers, and who works on them.",
  registrationConfiguration: RegistrationConfiguration,
  connections: [OAuth2ClientCredentials],
  modules: [AppModule],
});
