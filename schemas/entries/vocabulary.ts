/** The authoring vocabulary: what a connector's schema modules are written with. */

export type { Static, TSchema } from "@sinclair/typebox";
export { Type } from "@sinclair/typebox";
export { type ActionDefinition, type ActionOptions, defineAction } from "../authoring/action.js";
export type { RootOptions } from "../authoring/annotations.js";
export {
  CacheWriterObjectConfig,
  DefaultActionHandlerConfig,
  defineConfiguration,
  defineRegistrationConfiguration,
  defineServiceConfiguration,
  IncrementalObjectConfig,
  type RegistrationConfigurationDefinition,
  type RegistrationConfigurationOptions,
  type ServiceConfigurationDefinition,
  type ServiceConfigurationOptions,
} from "../authoring/configuration.js";
export {
  type BaseUrl,
  type ConnectionAddress,
  type ConnectionDefinition,
  type ConnectionOptions,
  defineConnection,
} from "../authoring/connection.js";
export { type ConnectorDefinition, type ConnectorOptions, defineConnector } from "../authoring/connector.js";
export {
  type DataObjectDefinition,
  type DataObjectOptions,
  defineDataObject,
  type Key,
  type KeyOptions,
  type KeyPropertyName,
} from "../authoring/data-object.js";
export { defineModule, type ModuleDefinition, type ModuleOptions } from "../authoring/module.js";
export {
  defineOpenApiImport,
  type ListAnswer,
  type ListPages,
  type ListSince,
  type ListValue,
  type OpenApiImportDefinition,
  type OpenApiImportOptions,
  type OperationAnswer,
  type SentJson,
  type SharedAnswer,
  type SharedListAnswer,
  type SharedSkipAnswer,
  type SkipAnswer,
} from "../authoring/openapi-import.js";
export { StandardFailure } from "../authoring/standard-failure.js";
export {
  ConnectionEnvironment,
  ExactJson,
  Nullable,
  OptionSet,
  StringEnum,
  type TNullable,
  type TOptionSet,
  type TStringEnum,
} from "../authoring/types.js";
export type { Silence } from "../diagnostics/silences.js";
export type { SchemaForm } from "../formats/schema-form.js";
export { NAMING_CONVENTIONS, type NamingConvention } from "../naming/conventions.js";
