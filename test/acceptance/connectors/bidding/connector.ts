/** The connector, as it was imported from a connector.json. */
import { defineConnector } from "connectorcli";
import { OAuth2CodeFlow } from "./connections/oauth2-code-flow.js";
import { ChangeOrderModule } from "./schemas/changeorder/module.js";
import { CloseoutModule } from "./schemas/closeout/module.js";
import { DatabaseModule } from "./schemas/database/module.js";
import { EstimateModule } from "./schemas/estimate/module.js";
import { ProjectModule } from "./schemas/project/module.js";
import { RegistrationConfiguration } from "./schemas/registration-configuration.js";

export const connector = defineConnector("Bidding", {
  key: "bidding",
  description: "Estimates of contractors, and the contracts that come of them.",
  registrationConfiguration: RegistrationConfiguration,
  connections: [OAuth2CodeFlow],
  modules: [DatabaseModule, EstimateModule, ProjectModule, CloseoutModule, ChangeOrderModule],
});
