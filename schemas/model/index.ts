/** The model of a connector, its sources and its checks: for tools that others write. */
export { checkModel } from "../checks/check-model.js";
export type { DiagnosticCode, Severity } from "../diagnostics/catalogue.js";
export { type Diagnostic, hasErrors, type Place, sortDiagnostics } from "../diagnostics/diagnostic.js";
export type {
  ActionModel,
  AttributeModel,
  AuthType,
  BaseUrlModel,
  ConnectionModel,
  ConnectionType,
  ConnectorModel,
  DataObjectModel,
  KeyModel,
  ModuleModel,
  OptionModel,
  ReaderType,
  ServiceModel,
} from "./connector-model.js";
export { type BuildResult, buildConnectorModel } from "./from-author/build-connector.js";
export { type ReadResult, readConnectorJson } from "./from-connector-json/read-connector.js";
export { connectionProperties, standardMembers } from "./oauth2-members.js";
export { renderDocument, renderSchema } from "./render-schema.js";
export type {
  DefinitionModel,
  Keyword,
  Keywords,
  PropertyModel,
  SchemaDocument,
  SchemaModel,
} from "./schema-model.js";
