/** What the scaffolding commands would write, as values: nothing here touches a file. */
export { actionScaffold, type NewAction } from "./action-scaffold.js";
export { AUTH_TYPE_FACTS } from "./auth-types.js";
export { CLIENT_HELPER_FILE, CONNECTION_TEST_FILE, REGISTRATION_FILE } from "./client-files.js";
export { type ClientNames, clientScaffold, type NewClient, namesOfClient } from "./client-scaffold.js";
export { connectorScaffold, type NewConnector } from "./connector-scaffold.js";
export { dataObjectScaffold, type NewDataObject } from "./data-object-scaffold.js";
export { moduleScaffold, type NewModule, servicesFile, servicesName } from "./module-scaffold.js";
export { namesOfModule } from "./planned-names.js";
export {
  apiClient,
  byHandOnly,
  changedFiles,
  mustBeNew,
  problemsOf,
  rootModule,
  type Scaffold,
  type ScaffoldSource,
  scaffoldFile,
} from "./scaffold.js";
