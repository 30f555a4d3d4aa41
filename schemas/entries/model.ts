/** The model of a connector, its sources and its checks: for tools that others write. */
export { checkModel } from "../checks/engine.js";
export type { DiagnosticCode } from "../diagnostics/codes.js";
export { type Diagnostic, hasErrors, type Place, sortDiagnostics } from "../diagnostics/diagnostic.js";
export type { Severity } from "../diagnostics/rules/rule.js";
export { connectionProperties, standardMembers } from "../model/connection-members.js";
export type {
  ActionModel,
  AddressModel,
  AttributeModel,
  AuthType,
  BaseUrlModel,
  ConfigurationModel,
  ConnectionModel,
  ConnectionType,
  ConnectorModel,
  DataObjectModel,
  KeyModel,
  ModuleModel,
  OptionModel,
  ReaderType,
  ServiceModel,
  SourceResult,
  UnknownMembers,
} from "../model/connector-model.js";
export { type BuildResult, buildConnectorModel } from "../model/from-author/build-connector.js";
export { type ReadResult, readConnectorJson } from "../model/from-connector-json/read-connector.js";
export { renderDocument, renderSchema } from "../model/render-schema.js";
export type {
  DefinitionModel,
  Keyword,
  Keywords,
  PropertyModel,
  SchemaDocument,
  SchemaModel,
} from "../model/schema-model.js";
