/** The connector as a host starts it: its services, its client and its connection test. */
import { clientHelper } from "./client/client-helper.js";
import { connectionTestHandler } from "./connections/connection-test-handler.js";
import { registerConnector } from "./generated/registration.js";
import { changeOrderModuleServices } from "./modules/changeorder/services.js";
import { closeoutModuleServices } from "./modules/closeout/services.js";
import { databaseModuleServices } from "./modules/database/services.js";
import { estimateModuleServices } from "./modules/estimate/services.js";
import { projectModuleServices } from "./modules/project/services.js";

export const registration = registerConnector(
  {
    ChangeOrderModule: changeOrderModuleServices,
    CloseoutModule: closeoutModuleServices,
    DatabaseModule: databaseModuleServices,
    EstimateModule: estimateModuleServices,
    ProjectModule: projectModuleServices,
  },
  { clientHelper, connectionTestHandler },
);
