/** `connectorcli/host`: what runs connectors: the connection test, the start, the log. */
export { ConnectionError } from "./connection.js";
export type { ServiceConfigurations } from "./given-services.js";
export {
  createLog,
  type LogDestination,
  type LogLevel,
  type LogOptions,
  type RedactingLog,
} from "./log/create-log.js";
export { type StartOptions, sensitiveTypes, startConnector } from "./start-connector.js";
export { StartError, type StartFinding } from "./start-error.js";
export type {
  StartedAction,
  StartedActionProcessor,
  StartedCacheWriter,
  StartedConnector,
  StartedModule,
  StartedObject,
  StartedObjectFacts,
} from "./started-connector.js";
export { type TestConnectionOptions, testConnection } from "./test-connection.js";
export type { TestConnectionResult } from "./test-result.js";
