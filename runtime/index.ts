/** What a running connector needs. */
export { environmentUrl, givenUrl } from "./base-url.js";
export { type KeyValue, recordKey } from "./record-key.js";
export type { Names, NamesBelow } from "./records/names.js";
export type { ReadOptions } from "./records/read-options.js";
export { RecordError } from "./records/record-error.js";
export type { RecordKeyType, RecordSource, RecordType } from "./records/record-type.js";
export {
  type Draft,
  type KeyedMethods,
  type RecordMethods,
  type TypedRecordClass,
  typedRecord,
} from "./records/typed-record.js";
export { type TypedValue, typedValue } from "./records/typed-value.js";
export type {
  ClientHelper,
  ClientHost,
  ClientServices,
  ConnectionContainer,
  ConnectionTestHandler,
  ConnectionTestResponse,
  ConnectorClient,
} from "./registration/connection-contracts.js";
export {
  type ActionContext,
  type ActionHandler,
  type CacheChange,
  type Failed,
  type FullReader,
  failed,
  type Idempotency,
  type IdempotencyNote,
  type IncrementalReader,
  type Log,
  type ReaderContext,
  type RecordChange,
  type ServiceContext,
  type StopSignal,
  type Succeeded,
  succeeded,
} from "./registration/contracts.js";
export type {
  ConnectorRegistration,
  PayloadClass,
  RegisteredAction,
  RegisteredConnection,
  RegisteredModule,
  RegisteredObject,
} from "./registration/registration.js";
export {
  type Finding,
  type FindingsOptions,
  findings,
  formatCheck,
  HIDDEN,
  hasOnly,
  isAtLeast,
  isAtMost,
  isDate,
  isDateTime,
  isInOrder,
  isInt32,
  isMultiple,
  isObject,
  isSame,
  isTextOrNone,
  isTime,
  isUnique,
  isUniqueTexts,
  isUuid,
  type Validator,
  type Values,
  validate,
} from "./validation/index.js";
