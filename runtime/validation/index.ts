/** What generated validators call, and what tells the findings of a value that they refuse. */
export { isSame, isUnique, isUniqueTexts } from "./equal.js";
export { type Finding, HIDDEN } from "./finding.js";
export { type FindingsOptions, findings, type Validator, validate } from "./findings.js";
export { isDate, isDateTime, isTime } from "./formats/dates.js";
export { formatCheck, isInt32 } from "./formats/formats.js";
export { isUuid } from "./formats/uuid.js";
export { isInOrder } from "./keywords/texts.js";
export { isAtLeast, isAtMost, isMultiple } from "./limits.js";
export { hasOnly, isObject, isTextOrNone, type Values } from "./values.js";
