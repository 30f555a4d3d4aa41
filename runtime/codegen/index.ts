/**
 * What generated code imports, and nothing else does: `connectorcli/codegen`, version 1. The first line of a generated
 * file says for which version it was made. A change that such files would not survive gets a new version.
 */

export { environmentBaseUrl, requireBaseUrl } from "../base-url.js";
export type { NameMapping, NestedNameMapping } from "../records/name-mapping.js";
export type { RecordKeyType, RecordSource, RecordType } from "../records/record-type.js";
export {
  type Draft,
  type KeyedMethods,
  type RecordMethods,
  type TypedRecordClass,
  type TypedValue,
  typedRecord,
  typedValue,
} from "../records/typed-record.js";
export type { ActionClass } from "../registration/action-class.js";
export type {
  ClientContext,
  ConnectionTestHandler,
  ConnectorClient,
} from "../registration/connection-contracts.js";
export type {
  ActionContext,
  CacheChange,
  Failed,
  ReaderContext,
  RecordChange,
  Succeeded,
} from "../registration/contracts.js";
export type { ConnectorRegistration } from "../registration/registration.js";
export {
  formatCheck,
  hasMaxLength,
  hasMinLength,
  hasOnlyNames,
  isDate,
  isDateTime,
  isEqual,
  isInt32,
  isJsonObject,
  isMultipleOf,
  isStringOrUndefined,
  isTime,
  isUnique,
  isUniqueStrings,
  isUuid,
  isWithinFormatLimit,
} from "../validation/index.js";
