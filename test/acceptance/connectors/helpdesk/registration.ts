/** The connector as a host starts it: its services, its client and its connection test. */
import { clientHelper } from "./client/client-helper.js";
import { connectionTestHandler } from "./connections/connection-test-handler.js";
import { registerConnector } from "./generated/registration.js";
import { appModuleServices } from "./modules/app/services.js";

export const registration = registerConnector(
  { AppModule: appModuleServices },
  { clientHelper, connectionTestHandler },
);
