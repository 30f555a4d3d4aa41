/** What the scaffolding commands would write, as values: nothing here touches a file. */

export type { SampleText } from "../samples/read-sample.js";
export { actionScaffold, type NewAction, unlistedAction } from "./action-scaffold.js";
export { AUTH_TYPE_FACTS } from "./auth-types.js";
export {
  type ClientNames,
  clientScaffold,
  isPlaceholder,
  type NewClient,
  namesOfClient,
} from "./client-scaffold.js";
export { connectorScaffold, type NewConnector } from "./connector-scaffold.js";
export {
  dataObjectScaffold,
  type NewDataObject,
  openVariables,
  unlistedObject,
} from "./data-object-scaffold.js";
export { type OpenVariable, sourceText, type VariableSource, type WantedList } from "./list-request.js";
export { moduleScaffold, type NewModule } from "./module-scaffold.js";
export {
  apiClient,
  byHandOnly,
  changedFiles,
  mustBeNew,
  namesOfModule,
  problemsOf,
  rootModule,
  type Scaffold,
  type ScaffoldSource,
  scaffoldFile,
} from "./scaffold.js";
