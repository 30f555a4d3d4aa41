/** What a connector's own code uses at run time: contracts, records and errors. Generated code has `connectorcli/codegen`. */
export {
  type AnswerOf,
  type AnyListDeclaration,
  type AnyReaderDeclaration,
  answer,
  type CallingClient,
  type CursorPages,
  type DataObjectClass,
  type DeclaredContext,
  type DeclaredReader,
  type DeletedWhen,
  from,
  type ItemOf,
  type LinkedPages,
  type LinkHeaderPages,
  type ListDeclaration,
  type NumberedPages,
  type OffsetPages,
  type OnePage,
  type PageSize,
  type Pages,
  type ParentReader,
  type ParentSource,
  type ReaderDeclaration,
  type Refused,
  type SentAs,
  type SettingOptions,
  type SettingSource,
  type Since,
  type SinceMark,
  type SinceTime,
  setting,
  type Total,
  type ValueSource,
  type VariablesOf,
} from "../declared/declaration.js";
export { defineReader } from "../declared/define-reader.js";
export {
  type GraphQLDeclaration,
  type GraphQLPages,
  graphql,
  type RelayPages,
  type VariableValue,
} from "../declared/graphql.js";
export type { TimeFormat } from "../declared/times.js";
export { MorePagesError } from "../declared/trip-wires.js";
export type { Scalar, Way } from "../declared/ways.js";
export {
  outdatedGeneratedCode as environmentUrl,
  outdatedGeneratedCode as formatCheck,
  outdatedGeneratedCode as givenUrl,
  outdatedGeneratedCode as hasOnly,
  outdatedGeneratedCode as isAtLeast,
  outdatedGeneratedCode as isAtMost,
  outdatedGeneratedCode as isDate,
  outdatedGeneratedCode as isDateTime,
  outdatedGeneratedCode as isInOrder,
  outdatedGeneratedCode as isInt32,
  outdatedGeneratedCode as isMultiple,
  outdatedGeneratedCode as isObject,
  outdatedGeneratedCode as isSame,
  outdatedGeneratedCode as isTextOrNone,
  outdatedGeneratedCode as isTime,
  outdatedGeneratedCode as isUnique,
  outdatedGeneratedCode as isUniqueTexts,
  outdatedGeneratedCode as isUuid,
  outdatedGeneratedCode as typedRecord,
  outdatedGeneratedCode as typedValue,
} from "../outdated-generated-code.js";
export type { NameMapping, NestedNameMapping } from "../records/name-mapping.js";
export type { ReadOptions } from "../records/read-options.js";
export { type KeyValue, recordKey } from "../records/record-key.js";
export type { RecordKeyType, RecordSource, RecordType } from "../records/record-type.js";
export { RecordError } from "../records/record-type.js";
export type {
  Draft,
  KeyedMethods,
  RecordMethods,
  TypedRecordClass,
  TypedValue,
} from "../records/typed-record.js";
export type {
  ClientContext,
  ClientHelper,
  ClientHost,
  ClientResponse,
  ClientServices,
  ConnectionContainer,
  ConnectionTestAnswer,
  ConnectionTestContext,
  ConnectionTestHandler,
  ConnectionTestResponse,
  ConnectorClient,
  FetchResponse,
  PropertyLock,
  RegisteredClient,
  TestConnectionResult,
} from "../registration/connection-contracts.js";
export {
  type ActionContext,
  type ActionHandler,
  type CacheChange,
  type Failed,
  type FullReader,
  type FullReads,
  failed,
  type Idempotency,
  type IdempotencyNote,
  type IncrementalReader,
  type Log,
  type ReaderContext,
  type RecordChange,
  type ServiceContext,
  type ServiceTypes,
  type StopSignal,
  type Succeeded,
  succeeded,
  type UntypedService,
} from "../registration/contracts.js";
export type {
  AnyService,
  ConnectorRegistration,
  PayloadClass,
  RegisteredAction,
  RegisteredConnection,
  RegisteredModule,
  RegisteredObject,
} from "../registration/registration.js";
export type { Retry } from "../retry.js";
export {
  type Finding,
  type FindingsOptions,
  findings,
  HIDDEN,
  type Validator,
  validate,
} from "../validation/index.js";
