/**
 * Everything in which a value does not fit its schema. Generated checks give the verdict; this module runs for values
 * that failed, so it favours words over speed. Verdicts and the order of findings are those of ajv with `allErrors`.
 */
import { fragmentSteps, isJsonObject, jsonPointer } from "../../schemas/json.js";
import {
  countOf,
  createFinding,
  depthFinding,
  displaySchemaValue,
  displayValue,
  type Finding,
  HIDDEN,
} from "./finding.js";
import { FORMAT_LIMITS, formatOrder, hasFormat } from "./formats.js";
import {
  findDuplicate,
  hasMaxLength,
  hasMinLength,
  isEqual,
  isMultipleOf,
  isOfType,
  type Values,
} from "./helpers.js";

/** Options of `findings` and `validate`. */
export interface FindingsOptions {
  /**
   * JSON pointers of values that are sensitive although the schema does not say so, with everything below them.
   * @default none
   */
  readonly hidden?: readonly string[];
  /**
   * Hides secrets in a text of the value that a finding displays; called before a long one is cut.
   * @default texts are displayed as they are
   */
  readonly redact?: ((text: string) => string) | undefined;
}

/** A generated check, and the schema that it was generated from. */
export interface Validator {
  /** Whether a value in serialized form fits. */
  readonly check: (value: unknown) => boolean;
  /** The JSON Schema, which is read if the check says no. */
  readonly schema: unknown;
}

const NONE: readonly Finding[] = Object.freeze([]);

/** The findings of a value by its generated check; empty if it passes. The schema is only read if the check fails. */
export function validate(
  validator: Validator,
  value: unknown,
  options?: FindingsOptions,
): readonly Finding[] {
  if (validator.check(value)) return NONE;
  const found = findings(validator.schema, value, options);
  // A check refuses what nests deeper than it counts, also where the schema alone finds nothing wrong.
  return found.length > 0 ? found : [depthFinding()];
}

/**
 * All findings of `value` under the JSON Schema `schema` (draft-07); empty if it fits. Values under a schema with
 * `writeOnly: true` are displayed as `--hidden value--`.
 */
export function findings(schema: unknown, value: unknown, options: FindingsOptions = {}): readonly Finding[] {
  const run: Run = {
    root: schema,
    reports: [],
    hidden: new Set(options.hidden),
    patterns: new Map(),
    redact: options.redact,
  };
  try {
    evaluate({ schema, value, path: "", followed: [schema], run });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [depthFinding()];
  }
  return run.reports.map(({ path, keyword, expected, actual }) =>
    createFinding({
      instancePath: path,
      keyword,
      expected,
      actual: isAtOrBelow(path, run.hidden) ? HIDDEN : actual,
    }),
  );
}

/** The JSON pointer of a member or item of what `path` points to. */
export function childPointer(path: string, step: string | number): string {
  return path + jsonPointer([step]);
}

/** The part of the schema `root` that a `$ref` such as `#/$defs/name` refers to; undefined if there is none. */
export function resolveReference(root: unknown, reference: string): unknown {
  const steps = fragmentSteps(reference);
  if (steps === undefined) return undefined;
  let part = root;
  for (const step of steps) {
    if (Array.isArray(part)) part = part[Number(step)];
    else part = isJsonObject(part) && Object.hasOwn(part, step) ? part[step] : undefined;
  }
  return part;
}

/** One call of `findings`. */
interface Run {
  readonly root: unknown;
  readonly reports: Report[];
  /** Paths whose values are sensitive, with everything below them. */
  readonly hidden: Set<string>;
  /** Regular expressions by their source; undefined if it is not a valid one. */
  readonly patterns: Map<string, RegExp | undefined>;
  readonly redact: FindingsOptions["redact"];
}

/** A finding before sensitive values are hidden: a schema met later may say that this one is. */
interface Report {
  readonly path: string;
  readonly keyword: string;
  readonly expected: string;
  readonly actual: string;
}

/** A schema, the value that is held against it, and the path of that value. */
interface Evaluation {
  readonly schema: unknown;
  readonly value: unknown;
  readonly path: string;
  /** The references that were followed for this very value. */
  readonly followed: readonly unknown[];
  readonly run: Run;
}

/** An evaluation whose schema is an object, the only kind that has keywords. */
interface KeywordEvaluation extends Evaluation {
  readonly schema: Values;
}

/** Whether the value fits. Reports every reason why it does not. */
function evaluate(at: Evaluation): boolean {
  const { schema, run } = at;
  if (schema === false) report(at, "false schema", "no value");
  if (!isJsonObject(schema)) return schema !== false;
  if (schema["writeOnly"] === true) run.hidden.add(at.path);
  const before = run.reports.length;
  evaluateKeywords({ ...at, schema });
  return run.reports.length === before;
}

/** Evaluates another schema for the same value. */
function evaluateSame(at: Evaluation, schema: unknown): boolean {
  return evaluate({ ...at, schema });
}

/** Evaluates a member or item of the value. */
function evaluateChild(at: Evaluation, schema: unknown, value: unknown, step: string | number): boolean {
  return evaluate({ ...at, schema, value, path: childPointer(at.path, step), followed: [] });
}

/** Whether the value fits `schema`, without reports. */
function fitsQuietly(at: Evaluation, schema: unknown): boolean {
  const before = at.run.reports.length;
  const fits = evaluateSame(at, schema);
  at.run.reports.length = before;
  return fits;
}

function report(
  at: Evaluation,
  keyword: string,
  expected: string,
  actual = displayValue(at.value, at.run.redact),
): void {
  at.run.reports.push({ path: at.path, keyword, expected, actual });
}

/** The order of keywords is ajv's. */
function evaluateKeywords(at: KeywordEvaluation): void {
  evaluateReference(at);
  evaluateType(at);
  evaluateEnum(at);
  evaluateCombinations(at);
  const { value } = at;
  if (typeof value === "string") evaluateString(at, value);
  else if (typeof value === "number" && Number.isFinite(value)) evaluateNumber(at, value);
  else if (Array.isArray(value)) evaluateArray(at, value);
  else if (isJsonObject(value)) evaluateObject(at, value);
}

/** `$ref` to a part of the same document. Other keywords beside it count too, as in ajv. */
function evaluateReference(at: KeywordEvaluation): void {
  const reference = at.schema["$ref"];
  if (typeof reference !== "string") return;
  const schema = resolveReference(at.run.root, reference);
  if (schema === undefined) report(at, "$ref", `a schema at ${reference}`, "none there");
  else if (at.followed.includes(schema)) {
    report(at, "$ref", "a schema that ends", `${reference}, which leads to itself`);
  } else evaluate({ ...at, schema, followed: [...at.followed, schema] });
}

/** `type`, with OpenAPI's `nullable` as ajv reads it. */
function evaluateType(at: KeywordEvaluation): void {
  const { type, nullable } = at.schema;
  if (typeof type !== "string" && !Array.isArray(type)) return;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.some((name) => isOfType(at.value, String(name)))) return;
  if (nullable === true && at.value === null) return;
  report(at, "type", types.join(" or "));
}

/** `enum` and `const`. */
function evaluateEnum(at: KeywordEvaluation): void {
  const { enum: members, const: only } = at.schema;
  if (Array.isArray(members) && !members.some((member) => isEqual(member, at.value))) {
    report(at, "enum", `one of ${displaySchemaValue(members)}`);
  }
  if (only !== undefined && !isEqual(only, at.value)) report(at, "const", displaySchemaValue(only));
}

/** Keywords that combine schemas of one value. As in ajv, the findings of the branches stand before the keyword's own. */
function evaluateCombinations(at: KeywordEvaluation): void {
  const { allOf, anyOf, oneOf, not } = at.schema;
  if (not !== undefined && fitsQuietly(at, not)) report(at, "not", "a value that does not fit the schema");
  if (Array.isArray(anyOf)) evaluateAnyOf(at, anyOf);
  if (Array.isArray(oneOf)) evaluateOneOf(at, oneOf);
  if (Array.isArray(allOf)) for (const schema of allOf) evaluateSame(at, schema);
  evaluateCondition(at);
}

/** All branches are evaluated although one is enough, because any may say that a value is sensitive. */
function evaluateAnyOf(at: KeywordEvaluation, schemas: readonly unknown[]): void {
  const { reports } = at.run;
  const before = reports.length;
  if (schemas.map((schema) => evaluateSame(at, schema)).includes(true)) reports.length = before;
  else report(at, "anyOf", "a value that fits one of the schemas");
}

/** As ajv, keeps the findings of the branches up to the second that fits. */
function evaluateOneOf(at: KeywordEvaluation, schemas: readonly unknown[]): void {
  const { reports } = at.run;
  const before = reports.length;
  let fitting = 0;
  for (const schema of schemas) {
    if (fitting > 1) fitsQuietly(at, schema);
    else if (evaluateSame(at, schema)) fitting++;
  }
  if (fitting === 1) reports.length = before;
  else {
    const actual = fitting === 0 ? "one that fits none" : "one that fits several";
    report(at, "oneOf", "a value that fits exactly one of the schemas", actual);
  }
}

/** `if`, `then` and `else`. */
function evaluateCondition(at: KeywordEvaluation): void {
  const { if: condition, then: yes, else: no } = at.schema;
  if (condition === undefined || (yes === undefined && no === undefined)) return;
  const applies = fitsQuietly(at, condition);
  const branch = applies ? yes : no;
  if (branch !== undefined && !evaluateSame(at, branch)) {
    report(at, "if", `a value that fits the schema "${applies ? "then" : "else"}"`);
  }
}

const LONG_TEXT = 5_000;

function evaluateString(at: KeywordEvaluation, text: string): void {
  const { minLength, maxLength, pattern, format } = at.schema;
  const isTooLong = typeof maxLength === "number" && !hasMaxLength(text, maxLength);
  if (isTooLong) report(at, "maxLength", `at most ${countOf(maxLength, "character")}`);
  // It is refused anyway, and a pattern may take the square of its length.
  if (isTooLong && text.length > LONG_TEXT) return;
  if (typeof minLength === "number" && !hasMinLength(text, minLength)) {
    report(at, "minLength", `at least ${countOf(minLength, "character")}`);
  }
  if (typeof pattern === "string" && compilePattern(at, pattern)?.test(text) !== true) {
    report(at, "pattern", `a string that matches ${pattern}`);
  }
  if (typeof format === "string") evaluateFormat(at, text, format);
}

function evaluateFormat(at: KeywordEvaluation, text: string, format: string): void {
  if (!hasFormat(text, format)) report(at, "format", `the format ${format}`);
  for (const { keyword, words, accepts } of FORMAT_LIMITS) {
    const limit = at.schema[keyword];
    if (typeof limit !== "string") continue;
    const order = formatOrder(format)?.(text, limit);
    if (order !== undefined && !accepts(order)) report(at, keyword, `${words} ${limit}`);
  }
}

const NUMBER_LIMITS: readonly (readonly [
  keyword: string,
  words: string,
  accepts: (value: number, limit: number) => boolean,
])[] = [
  ["maximum", "at most", (value, limit) => value <= limit],
  ["minimum", "at least", (value, limit) => value >= limit],
  ["exclusiveMaximum", "less than", (value, limit) => value < limit],
  ["exclusiveMinimum", "more than", (value, limit) => value > limit],
  ["multipleOf", "a multiple of", isMultipleOf],
];

function evaluateNumber(at: KeywordEvaluation, value: number): void {
  for (const [keyword, words, accepts] of NUMBER_LIMITS) {
    const limit = at.schema[keyword];
    if (typeof limit === "number" && !accepts(value, limit)) report(at, keyword, `${words} ${limit}`);
  }
  const { format } = at.schema;
  if (typeof format === "string" && !hasFormat(value, format)) report(at, "format", `the format ${format}`);
}

/** Keywords of arrays. `minContains` and `maxContains` are no keywords of draft-07 and count for nothing. */
function evaluateArray(at: KeywordEvaluation, list: readonly unknown[]): void {
  const { minItems, maxItems, uniqueItems } = at.schema;
  if (typeof maxItems === "number" && list.length > maxItems) {
    report(at, "maxItems", `at most ${countOf(maxItems, "item")}`);
  }
  if (typeof minItems === "number" && list.length < minItems) {
    report(at, "minItems", `at least ${countOf(minItems, "item")}`);
  }
  evaluateItems(at, list);
  evaluateContains(at, list);
  if (uniqueItems === true) evaluateUniqueItems(at, list);
}

function evaluateItems(at: KeywordEvaluation, list: readonly unknown[]): void {
  const { items, additionalItems } = at.schema;
  if (!Array.isArray(items)) {
    if (items !== undefined) evaluateItemsFrom(at, list, items, 0);
    return;
  }
  for (const [index, schema] of items.slice(0, list.length).entries()) {
    evaluateChild(at, schema, list[index], index);
  }
  if (additionalItems !== false) evaluateItemsFrom(at, list, additionalItems, items.length);
  else if (list.length > items.length) {
    report(at, "additionalItems", `at most ${countOf(items.length, "item")}`);
  }
}

function evaluateItemsFrom(
  at: KeywordEvaluation,
  list: readonly unknown[],
  schema: unknown,
  start: number,
): void {
  for (let index = start; index < list.length; index++) evaluateChild(at, schema, list[index], index);
}

function evaluateContains(at: KeywordEvaluation, list: readonly unknown[]): void {
  const { contains } = at.schema;
  if (contains === undefined) return;
  const { reports } = at.run;
  const before = reports.length;
  // All items are evaluated, because a schema may say of any of them that it is sensitive.
  const fits = list.map((item, index) => evaluateChild(at, contains, item, index));
  if (fits.includes(true)) reports.length = before;
  else report(at, "contains", "an item that fits the schema");
}

/** If items are scalars by their schema, ajv compares only those of the right type, and never the string `__proto__`. */
function evaluateUniqueItems(at: KeywordEvaluation, list: readonly unknown[]): void {
  const types = scalarTypes(at.schema["items"]);
  const compared =
    types === undefined
      ? list
      : list.filter(
          (item) => types.some((type) => isOfType(item, type)) && (types.length > 1 || item !== "__proto__"),
        );
  const duplicate = findDuplicate(compared);
  if (duplicate === undefined) return;
  const [first, second] = duplicate;
  const actual = `${displayValue(list)}, two of them the same (${first}, ${second})`;
  report(at, "uniqueItems", "items that all differ", actual);
}

/** The types of the items if the schema allows scalars only; undefined otherwise. */
function scalarTypes(items: unknown): readonly string[] | undefined {
  if (!isJsonObject(items)) return undefined;
  const { type, nullable } = items;
  if (type === undefined) return undefined;
  const types = (Array.isArray(type) ? type : [type]).map(String);
  if (types.length === 0 || types.includes("object") || types.includes("array")) return undefined;
  return nullable === true && !types.includes("null") ? [...types, "null"] : types;
}

/**
 * Keywords of objects. A member counts as present as in ajv, if reading it gives a value: names that every object
 * inherits (`toString`) are always present, and `__proto__` is never a property of a schema.
 */
function evaluateObject(at: KeywordEvaluation, object: Values): void {
  const { minProperties, maxProperties, required } = at.schema;
  const count = Object.keys(object).length;
  if (typeof maxProperties === "number" && count > maxProperties) {
    report(at, "maxProperties", `at most ${countOf(maxProperties, "member")}`);
  }
  if (typeof minProperties === "number" && count < minProperties) {
    report(at, "minProperties", `at least ${countOf(minProperties, "member")}`);
  }
  if (Array.isArray(required)) reportMissing(at, object, required, { keyword: "required", beside: "" });
  evaluatePropertyNames(at, object);
  evaluateDependencies(at, object);
  evaluateProperties(at, object);
}

function reportMissing(
  at: KeywordEvaluation,
  object: Values,
  names: readonly unknown[],
  { keyword, beside }: { readonly keyword: string; readonly beside: string },
): void {
  const missing = names.map(String).filter((name) => object[name] === undefined);
  if (missing.length === 0) return;
  const written = new Map(Object.keys(object).map((name) => [lettersOf(name), name]));
  for (const name of missing) {
    // A name in the style of the code, or of another system, is the usual reason.
    const alike = written.get(lettersOf(name));
    const actual = alike === undefined ? "nothing" : `${displayValue(alike)} in its place`;
    report(at, keyword, `the member ${displayValue(name)}${beside}`, actual);
  }
}

/** What two names have in common that differ in style only: `createdOn` and `created_on`. */
function lettersOf(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}

function evaluatePropertyNames(at: KeywordEvaluation, object: Values): void {
  const { propertyNames } = at.schema;
  if (propertyNames === undefined) return;
  for (const name in object) {
    if (evaluate({ ...at, schema: propertyNames, value: name, followed: [] })) continue;
    report(at, "propertyNames", "names that fit the schema", displayValue(name));
  }
}

function evaluateDependencies(at: KeywordEvaluation, object: Values): void {
  for (const [name, dependency] of schemasIn(at.schema["dependencies"])) {
    if (object[name] === undefined) continue;
    if (Array.isArray(dependency)) {
      const words = { keyword: "dependencies", beside: ` beside ${displayValue(name)}` };
      reportMissing(at, object, dependency, words);
    } else evaluateSame(at, dependency);
  }
}

function evaluateProperties(at: KeywordEvaluation, object: Values): void {
  const properties = schemasIn(at.schema["properties"]);
  const patterns = schemasIn(at.schema["patternProperties"]);
  for (const [name, schema] of properties) {
    if (object[name] !== undefined) evaluateChild(at, schema, object[name], name);
  }
  for (const [source, schema] of patterns) {
    const pattern = compilePattern(at, source);
    if (pattern === undefined) report(at, "patternProperties", `a pattern that can be read, not ${source}`);
    for (const name in object) {
      if (pattern?.test(name)) evaluateChild(at, schema, object[name], name);
    }
  }
  evaluateAdditional(at, object, properties, patterns);
}

/** ajv finds `__proto__` among more than eight properties, and not among fewer. */
const PROTO_FOUND_ABOVE = 8;

function evaluateAdditional(
  at: KeywordEvaluation,
  object: Values,
  properties: readonly NamedSchema[],
  patterns: readonly NamedSchema[],
): void {
  const { additionalProperties, properties: declared } = at.schema;
  if (additionalProperties === undefined) return;
  const names = new Set(properties.map(([name]) => name));
  const declaresProto = isJsonObject(declared) && Object.hasOwn(declared, "__proto__");
  if (names.size > PROTO_FOUND_ABOVE && declaresProto) names.add("__proto__");
  for (const name in object) {
    if (names.has(name) || patterns.some(([source]) => compilePattern(at, source)?.test(name))) continue;
    if (additionalProperties === false) {
      report(at, "additionalProperties", "no other members", displayValue(name));
    } else evaluateChild(at, additionalProperties, object[name], name);
  }
}

type NamedSchema = readonly [name: string, schema: unknown];

/** The members of a keyword that holds schemas by name. */
function schemasIn(schemas: unknown): readonly NamedSchema[] {
  return isJsonObject(schemas) ? Object.entries(schemas).filter(([name]) => name !== "__proto__") : [];
}

/** The regular expression of a schema, compiled once a run; undefined if it is not valid. */
function compilePattern({ run }: Evaluation, source: string): RegExp | undefined {
  if (run.patterns.has(source)) return run.patterns.get(source);
  let pattern: RegExp | undefined;
  try {
    pattern = new RegExp(source, "u");
  } catch {
    pattern = undefined;
  }
  run.patterns.set(source, pattern);
  return pattern;
}

/** Whether `path` is one of `paths` or lies below one. */
function isAtOrBelow(path: string, paths: ReadonlySet<string>): boolean {
  if (paths.size === 0) return false;
  for (let end = path.length; end >= 0; end = end === 0 ? -1 : path.lastIndexOf("/", end - 1)) {
    if (paths.has(path.slice(0, end))) return true;
  }
  return false;
}
