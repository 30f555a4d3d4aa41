/** Validation of JSON values: the findings of a value, and the helpers of generated checks. */
export { isJsonObject } from "../../schemas/json.js";
export { createFinding, depthFinding, displayValue, type Finding, HIDDEN } from "./finding.js";
export {
  childPointer,
  type FindingsOptions,
  findings,
  resolveReference,
  type Validator,
  validate,
} from "./findings.js";
export { formatCheck, isDate, isDateTime, isInt32, isTime, isUuid, isWithinFormatLimit } from "./formats.js";
export {
  hasMaxLength,
  hasMinLength,
  hasOnlyNames,
  isEqual,
  isMultipleOf,
  isStringOrUndefined,
  isUnique,
  isUniqueStrings,
  type Values,
} from "./helpers.js";
