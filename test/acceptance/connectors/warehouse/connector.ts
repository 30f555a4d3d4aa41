/** The connector: its readers and handlers are code. */
import { defineConnector } from "connectorcli";
import { ApiKeyAuth } from "./connections/api-key-auth.js";
import { AppModule } from "./schemas/app/module.js";
import { RegistrationConfiguration } from "./schemas/registration-configuration.js";

export const connector = defineConnector("Warehouse", {
  key: "warehouse",
  description: "Articles of a dealer, who supplies them, and who orders them.",
  registrationConfiguration: RegistrationConfiguration,
  connections: [ApiKeyAuth],
  modules: [AppModule],
});
