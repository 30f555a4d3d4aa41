/**
 * What differs between two schemas, place by place, before anybody asks whom it breaks. Both are walked side by side;
 * at each place every difference is found that can be named, and what can't be compared is said to be different.
 */
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonPointer,
  ownMember,
} from "../json.js";
import { isDeciding, KEYWORDS } from "../keywords.js";
import type { ChangeCode, ChangeParameters, Step } from "./change-catalogue.js";
import { isMultiple, LOWER_COUNTS, UPPER_COUNTS } from "./limits.js";
import { KEYWORD_GROUPS, type SchemaInterner } from "./schema-interner.js";
import {
  acceptedTypes,
  constrainedTypes,
  isSchemaNode,
  isString,
  listedValues,
  objectOrEmpty,
  type SchemaNode,
  schemasIn,
  schemasOfOther,
  stringsIn,
  typeOfValue,
  VALUE_TYPES,
  type ValueType,
} from "./schema-node.js";
import type { SchemaSide } from "./schema-side.js";

/** `unknown` if neither is proven. */
export type Answer = "yes" | "no" | "unknown";

/** From a value to one inside it. `value` is that of any name of a dictionary. */
export type InstanceStep =
  | { readonly kind: "member"; readonly name: string }
  | { readonly kind: "item" }
  | { readonly kind: "value" };

/** Two schemas at the same place. */
export interface SchemaPair {
  readonly old: SchemaNode;
  readonly new: SchemaNode;
  readonly oldSide: SchemaSide;
  readonly newSide: SchemaSide;
  /** Pointers into the two files. */
  readonly oldPointer: string;
  readonly newPointer: string;
  readonly path: readonly InstanceStep[];
}

/** One difference at one place. */
export interface Difference {
  readonly code: ChangeCode;
  readonly parameters: Readonly<Record<string, string | number>>;
  /** Whether values are refused that were accepted. */
  readonly narrows: Answer;
  /** Whether values are accepted that were refused. */
  readonly widens: Answer;
  /** Keywords by which a value that shows it is refused. Empty if any will do. */
  readonly keywords: readonly string[];
  /** Values that may show it, beside those that are tried for every difference. */
  readonly candidates?: readonly JsonValue[];
  /** The severity, if it does not depend on the values. */
  readonly severity?: Step;
  /** It is about more than the accepted values, so that no value can show it. */
  readonly isAnnotation?: boolean;
  /** Where it stands inside the pair, as pointer steps. */
  readonly steps?: readonly string[];
  /** The side that has it, if only one has. */
  readonly onlyOn?: "old" | "new";
  /** The property that the difference is about, if any. */
  readonly property?: string;
  /** It is reported even if the accepted values stay the same. */
  readonly isAlwaysReported?: boolean;
  /** Under the name of the property every value was accepted, because no schema spoke of it. */
  readonly wasUndescribed?: boolean;
  /** The schemas whose relation decides `narrows` and `widens`, if they are not those of the pair: all of each side hold. */
  readonly decidedBy?: { readonly old: readonly SchemaNode[]; readonly new: readonly SchemaNode[] };
}

type Details = Omit<Difference, "code" | "parameters">;

/** `{what}` in the sentence of `code` is filled in when the difference is reported. */
function difference<Code extends ChangeCode>(
  code: Code,
  parameters: Omit<ChangeParameters<Code>, "what">,
  details: Details,
): Difference {
  return { code, parameters: parameters as Difference["parameters"], ...details };
}

const NARROWS = { narrows: "yes", widens: "no" } as const;
const WIDENS = { narrows: "no", widens: "yes" } as const;
const CHANGES_BOTH = { narrows: "yes", widens: "yes" } as const;
const UNKNOWN = { narrows: "unknown", widens: "unknown" } as const;
const CHANGES_NOTHING = { narrows: "no", widens: "no" } as const;
const ANNOTATION = { ...CHANGES_NOTHING, keywords: [], isAnnotation: true } as const;

export interface WalkOptions {
  readonly interner: SchemaInterner;
  /** Where the two documents stand in their files. */
  readonly oldBase: string;
  readonly newBase: string;
  /** Whether references with the same text lead to the same text. */
  readonly referencesAgree: boolean;
  /** Called for each place that differs; outer places first. */
  readonly onDifferences: (pair: SchemaPair, differences: readonly Difference[]) => void;
}

/** Finds every difference at the place of `start` and below. */
export function walkSchemas(start: SchemaPair, options: WalkOptions): void {
  const visited = new Map<SchemaNode, Set<SchemaNode>>();
  const pending = [start];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const pair = behindReferences(next, options);
    if (hasSameText(pair, options) || !addTo(visited, pair)) continue;
    const { differences, inner } = differencesAt(pair, options);
    if (differences.length > 0) options.onDifferences(pair, differences);
    pending.push(...inner.toReversed());
  }
}

function hasSameText(
  { old, new: next, oldSide }: SchemaPair,
  { interner, referencesAgree }: WalkOptions,
): boolean {
  if (old === next) return true;
  const isComparable = referencesAgree || oldSide.references.size === 0;
  return isComparable && interner.textNumber(old) === interner.textNumber(next);
}

/** Whether the pair was not there yet. Pairs with a boolean never recur. */
function addTo(visited: Map<SchemaNode, Set<SchemaNode>>, { old, new: next }: SchemaPair): boolean {
  if (typeof old === "boolean" || typeof next === "boolean") return true;
  const partners = visited.get(old) ?? new Set<SchemaNode>();
  visited.set(old, partners);
  if (partners.has(next)) return false;
  partners.add(next);
  return true;
}

/** Both sides behind their plain references. What is written beside a reference stays where it is. */
function behindReferences(pair: SchemaPair, { oldBase, newBase }: WalkOptions): SchemaPair {
  const old = resolvePlainReference(pair.old, pair.oldSide);
  const next = resolvePlainReference(pair.new, pair.newSide);
  if (old === pair.old && next === pair.new) return pair;
  const pointer = (side: SchemaSide, base: string, node: SchemaNode, otherwise: string): string => {
    const inside = side.pointerOf(node);
    return inside === undefined ? otherwise : base + inside;
  };
  return {
    ...pair,
    old,
    new: next,
    oldPointer: pointer(pair.oldSide, oldBase, old, pair.oldPointer),
    newPointer: pointer(pair.newSide, newBase, next, pair.newPointer),
  };
}

function resolvePlainReference(node: SchemaNode, side: SchemaSide): SchemaNode {
  let current = node;
  for (const seen = new Set<SchemaNode>(); typeof current === "object" && !seen.has(current); ) {
    seen.add(current);
    const isPlain = Object.keys(current).every((name) => name === "$ref" || !isDeciding(name));
    const target = isPlain ? side.target(current["$ref"]) : undefined;
    if (target === undefined) return current;
    current = target;
  }
  return current;
}

interface PlaceDifferences {
  readonly differences: readonly Difference[];
  /** The pairs of schemas inside both. */
  readonly inner: readonly SchemaPair[];
}

function differencesAt(pair: SchemaPair, { interner }: WalkOptions): PlaceDifferences {
  if (pair.old === false || pair.new === false) {
    const direction = pair.new === false ? NARROWS : WIDENS;
    return { differences: [difference("schema-replaced", {}, { ...direction, keywords: [] })], inner: [] };
  }
  const old = objectOf(pair.old);
  const next = objectOf(pair.new);
  const combinations = combinationDifferences(old, next, interner);
  return {
    differences: [
      ...valueDifferences(old, next, interner),
      ...constraintDifferences(old, next),
      ...(isComparable("properties", old, next) ? propertyDifferences(pair, old, next) : []),
      ...(isComparable("items", old, next) ? itemDifferences(old["items"], next["items"], interner) : []),
      ...referenceDifferences(pair, old, next),
      ...combinations.differences,
      ...annotationDifferences(old, next, interner),
    ],
    inner: [
      ...innerPairs(pair, old, next),
      ...combinations.branches.map(({ keyword, oldIndex, newIndex, ...nodes }) =>
        innerPair(pair, nodes, {
          oldSteps: [keyword, String(oldIndex)],
          newSteps: [keyword, String(newIndex)],
        }),
      ),
    ],
  };
}

function objectOf(node: JsonObject | true): JsonObject {
  return node === true ? {} : node;
}

/**
 * Whether both sides accept the types that `keyword` constrains, or neither does. Otherwise the difference in types
 * says it all.
 */
function isComparable(keyword: string, old: JsonObject, next: JsonObject): boolean {
  const types = constrainedTypes(keyword);
  if (types === undefined) return true;
  const accepts = (node: JsonObject) =>
    types.some((type) => (acceptedTypes(node) ?? VALUE_TYPES).includes(type));
  return accepts(old) === accepts(next);
}

function innerPairs(pair: SchemaPair, old: JsonObject, next: JsonObject): readonly SchemaPair[] {
  const pairs: SchemaPair[] = [];
  const add = (
    before: JsonValue | undefined,
    after: JsonValue | undefined,
    steps: readonly string[],
    step: InstanceStep,
  ) => {
    if (!isSchemaNode(before) || !isSchemaNode(after)) return;
    pairs.push(innerPair(pair, { old: before, new: after }, { oldSteps: steps, newSteps: steps, step }));
  };
  const after = objectOrEmpty(next["properties"]);
  for (const [name, node] of Object.entries(objectOrEmpty(old["properties"]))) {
    add(node, ownMember(after, name), ["properties", name], { kind: "member", name });
  }
  const others = [old["additionalProperties"], next["additionalProperties"]] as const;
  if (others.every(isJsonObject)) add(others[0], others[1], ["additionalProperties"], { kind: "value" });
  const items = [old["items"] ?? true, next["items"] ?? true] as const;
  if (isJsonObject(items[0]) === isJsonObject(items[1]) || items.includes(false)) {
    add(items[0], items[1], ["items"], { kind: "item" });
  }
  const targets = [pair.oldSide.target(old["$ref"]), pair.newSide.target(next["$ref"])] as const;
  if (targets[0] !== undefined && targets[1] !== undefined) {
    pairs.push({ ...pair, old: targets[0], new: targets[1] });
  }
  return pairs;
}

function innerPair(
  pair: SchemaPair,
  nodes: { readonly old: SchemaNode; readonly new: SchemaNode },
  {
    oldSteps,
    newSteps,
    step,
  }: {
    readonly oldSteps: readonly string[];
    readonly newSteps: readonly string[];
    /** Absent if the schemas describe the value of `pair` itself. */
    readonly step?: InstanceStep;
  },
): SchemaPair {
  return {
    ...pair,
    ...nodes,
    oldPointer: pair.oldPointer + jsonPointer(oldSteps),
    newPointer: pair.newPointer + jsonPointer(newSteps),
    path: step === undefined ? pair.path : [...pair.path, step],
  };
}

// Types, null and listed values.

function valueDifferences(
  old: JsonObject,
  next: JsonObject,
  interner: SchemaInterner,
): readonly Difference[] {
  const before = acceptedValues(old, interner);
  const after = acceptedValues(next, interner);
  const areStated = statesValues(old) && statesValues(next);
  const nulls = areStated ? nullDifferences(before, after) : [];
  if (before.listed !== undefined && after.listed !== undefined) {
    return [...nulls, ...enumDifferences(before.listed, after.listed, interner)];
  }
  const types = typeDifferences(old, next, areStated ? "null" : undefined);
  if (before.listed === undefined && after.listed === undefined) return [...nulls, ...types];
  const keywords = ["enum", "const"];
  const listed =
    before.listed === undefined
      ? difference("enum-introduced", {}, { ...NARROWS, keywords })
      : difference("enum-dropped", {}, { ...WIDENS, keywords });
  return [...nulls, ...types, listed];
}

interface AcceptedValues {
  /** Each once; undefined if the schema lists none. */
  readonly listed: readonly JsonValue[] | undefined;
  readonly hasNull: boolean;
}

function acceptedValues(node: JsonObject, interner: SchemaInterner): AcceptedValues {
  const types = acceptedTypes(node) ?? VALUE_TYPES;
  const listed = listedValues(node)?.filter((value) => types.includes(typeOfValue(value)));
  const distinct = listed && [
    ...new Map(listed.map((value) => [interner.valueNumber(value), value])).values(),
  ];
  return { listed: distinct, hasNull: types.includes("null") && (distinct?.includes(null) ?? true) };
}

/** Whether the schema says which types or values it accepts. */
function statesValues(node: JsonObject): boolean {
  return node["type"] !== undefined || listedValues(node) !== undefined;
}

function nullDifferences(before: AcceptedValues, after: AcceptedValues): readonly Difference[] {
  if (before.hasNull === after.hasNull) return [];
  const details = { keywords: ["type", "enum", "const"], candidates: [null] };
  return after.hasNull
    ? [difference("null-accepted", {}, { ...WIDENS, ...details })]
    : [difference("null-refused", {}, { ...NARROWS, ...details })];
}

function enumDifferences(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  interner: SchemaInterner,
): readonly Difference[] {
  const keywords = ["enum", "const", "type"];
  const missingFrom = (list: readonly JsonValue[]) => {
    const numbers = new Set(list.map((value) => interner.valueNumber(value)));
    // Whether null is accepted is a difference of its own.
    return (value: JsonValue) => value !== null && !numbers.has(interner.valueNumber(value));
  };
  return [
    ...before.filter(missingFrom(after)).map((value) => {
      const details = { ...NARROWS, keywords, candidates: [value] };
      return difference("enum-member-removed", { member: JSON.stringify(value) }, details);
    }),
    ...after.filter(missingFrom(before)).map((value) => {
      const details = { ...WIDENS, keywords, candidates: [value] };
      return difference("enum-member-added", { member: JSON.stringify(value) }, details);
    }),
  ];
}

function typeDifferences(
  old: JsonObject,
  next: JsonObject,
  ignored: ValueType | undefined,
): readonly Difference[] {
  const typesIn = (node: JsonObject) =>
    (acceptedTypes(node) ?? VALUE_TYPES).filter((type) => type !== ignored);
  const [before, after] = [typesIn(old), typesIn(next)];
  const narrows = before.some((type) => !after.includes(type));
  const widens = after.some((type) => !before.includes(type));
  if (!narrows && !widens) return [];
  const direction = narrows && widens ? CHANGES_BOTH : narrows ? NARROWS : WIDENS;
  const parameters = { before: typeText(old), after: typeText(next) };
  return [difference("type-changed", parameters, { ...direction, keywords: ["type"] })];
}

function typeText(node: JsonObject): string {
  const type = node["type"];
  if (type === undefined) return "of any type";
  const names = (isJsonArray(type) ? type : [type]).filter(isString).filter((name) => name !== "null");
  return names.length === 0 ? "null" : names.join(" or ");
}

// Limits, patterns and formats, each keyword on its own.

const HIGHER_IS_STRICTER = ["minimum", "exclusiveMinimum", ...LOWER_COUNTS];
const LOWER_IS_STRICTER = ["maximum", "exclusiveMaximum", ...UPPER_COUNTS];

type KeywordDifference = (
  keyword: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
) => Difference | undefined;

const CONSTRAINTS: readonly (readonly [keyword: string, compare: KeywordDifference])[] = [
  ...HIGHER_IS_STRICTER.map((keyword) => [keyword, limitDifference(1)] as const),
  ...LOWER_IS_STRICTER.map((keyword) => [keyword, limitDifference(-1)] as const),
  ["multipleOf", multipleDifference],
  ["uniqueItems", uniqueDifference],
  ["pattern", wholeDifference],
  ["format", wholeDifference],
];

function constraintDifferences(old: JsonObject, next: JsonObject): readonly Difference[] {
  return CONSTRAINTS.flatMap(([keyword, compare]) => {
    const [before, after] = [old[keyword], next[keyword]];
    if (before === after || !isComparable(keyword, old, next)) return [];
    const found = compare(keyword, before, after);
    return found === undefined ? [] : [found];
  });
}

function limitDifference(sign: 1 | -1): KeywordDifference {
  return (keyword, before, after) => {
    const parameters = { keyword, before: valueText(before), after: valueText(after) };
    const keywords = [keyword];
    const areNumbers = typeof before === "number" && typeof after === "number";
    if (before !== undefined && after !== undefined && !areNumbers) {
      return difference("constraint-changed", parameters, { ...UNKNOWN, keywords });
    }
    const strictness = (value: JsonValue | undefined) =>
      typeof value === "number" ? sign * value : Number.NEGATIVE_INFINITY;
    return before === undefined || strictness(after) > strictness(before)
      ? difference("limit-tightened", parameters, { ...NARROWS, keywords })
      : difference("limit-loosened", parameters, { ...WIDENS, keywords });
  };
}

function multipleDifference(
  keyword: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Difference {
  const parameters = { keyword, before: valueText(before), after: valueText(after) };
  const keywords = [keyword];
  const [had, has] = [before, after].map((value) => (typeof value === "number" ? value : undefined));
  if (had === undefined || (has !== undefined && isMultiple(has, had))) {
    return difference("limit-tightened", parameters, { ...NARROWS, keywords });
  }
  if (has === undefined || isMultiple(had, has)) {
    return difference("limit-loosened", parameters, { ...WIDENS, keywords });
  }
  return difference("constraint-changed", parameters, { ...CHANGES_BOTH, keywords });
}

function uniqueDifference(
  keyword: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Difference | undefined {
  const [had, has] = [before === true, after === true];
  if (had === has) return undefined;
  const parameters = { keyword, before: String(had), after: String(has) };
  return has
    ? difference("limit-tightened", parameters, { ...NARROWS, keywords: [keyword] })
    : difference("limit-loosened", parameters, { ...WIDENS, keywords: [keyword] });
}

/** How two patterns, or two formats, relate is not decided; a value may show it all the same. */
function wholeDifference(
  keyword: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Difference {
  const keywords = [keyword];
  if (before === undefined) {
    return difference("constraint-added", { keyword, after: valueText(after) }, { ...NARROWS, keywords });
  }
  if (after === undefined) {
    return difference("constraint-removed", { keyword, before: valueText(before) }, { ...WIDENS, keywords });
  }
  const parameters = { keyword, before: valueText(before), after: valueText(after) };
  return difference("constraint-changed", parameters, { ...UNKNOWN, keywords });
}

function valueText(value: JsonValue | undefined): string {
  return value === undefined ? "not set" : JSON.stringify(value);
}

// Properties, and what an object says of all others; items.

/** But for the schemas of properties that both sides have. */
function propertyDifferences(pair: SchemaPair, old: JsonObject, next: JsonObject): readonly Difference[] {
  const before = objectOrEmpty(old["properties"]);
  const after = objectOrEmpty(next["properties"]);
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const added = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
  const wasRequired = new Set(stringsIn(old["required"]));
  const isRequired = new Set(stringsIn(next["required"]));
  const elsewhere = {
    old: added.length === 0 ? NO_NAMES : namesInBranches(old, pair.oldSide),
    new: removed.length === 0 ? NO_NAMES : namesInBranches(next, pair.newSide),
  };
  const isMoved = [...removed, ...added].some((name) => elsewhere.old.has(name) || elsewhere.new.has(name));
  const moved = difference("combination-changed", { keyword: "properties" }, { ...UNKNOWN, keywords: [] });
  return [
    ...(isMoved ? [moved] : []),
    ...removed.filter((name) => !elsewhere.new.has(name)).map((name) => removedProperty(name, old, next)),
    ...added
      .filter((name) => !elsewhere.old.has(name))
      .map((name) =>
        isRequired.has(name) && !wasRequired.has(name)
          ? addedRequiredProperty(name, old, next)
          : addedProperty(name, old, next),
      ),
    ...[...wasRequired]
      .filter((name) => !isRequired.has(name) && !removed.includes(name))
      .map((name) => difference("property-optional", {}, { ...WIDENS, ...requiredDetails(name, before) })),
    ...[...isRequired]
      .filter((name) => !wasRequired.has(name) && (!added.includes(name) || elsewhere.old.has(name)))
      .map((name) => difference("property-required", {}, { ...NARROWS, ...requiredDetails(name, after) })),
    ...additionalDifferences(old["additionalProperties"] ?? true, next["additionalProperties"] ?? true),
  ];
}

const NO_NAMES: ReadonlySet<string> = new Set();
const MAX_BRANCHES_SEARCHED = 200;

/** The properties that the combinations of `node` speak of, and what it refers to. */
function namesInBranches(node: JsonObject, side: SchemaSide): ReadonlySet<string> {
  const names = new Set<string>();
  const pending: (JsonValue | undefined)[] = branchesOf(node, side);
  const seen = new Set<JsonValue>();
  for (let next = pending.pop(); pending.length > 0 || next !== undefined; next = pending.pop()) {
    if (!isJsonObject(next) || seen.has(next)) continue;
    if (seen.size >= MAX_BRANCHES_SEARCHED) break;
    seen.add(next);
    for (const name of Object.keys(objectOrEmpty(next["properties"]))) names.add(name);
    pending.push(...branchesOf(next, side));
  }
  return names;
}

function branchesOf(node: JsonObject, side: SchemaSide): (JsonValue | undefined)[] {
  const conditions = ["if", "then", "else"].map((keyword) => node[keyword]);
  return [side.target(node["$ref"]), ...BRANCHING.flatMap((name) => schemasIn(node[name])), ...conditions];
}

function removedProperty(name: string, old: JsonObject, next: JsonObject): Difference {
  const schema = objectOrEmpty(old["properties"])[name];
  const others = othersOf(next, name);
  const direction = {
    narrows: others === "none" ? "yes" : others === "any" ? "no" : "unknown",
    widens:
      isClosed(old) || others === "none" || acceptsAnything(schema)
        ? "no"
        : others === "any"
          ? "yes"
          : "unknown",
  } as const;
  const decidedBy =
    isSchemaNode(schema) && typeof others === "object" ? { old: [schema], new: others } : undefined;
  return difference(
    "property-removed",
    {},
    {
      ...direction,
      keywords: [],
      ...propertyDetails(name, "old"),
      severity: "major",
      ...(decidedBy && { decidedBy }),
    },
  );
}

function addedProperty(name: string, old: JsonObject, next: JsonObject): Difference {
  const schema = objectOrEmpty(next["properties"])[name];
  const others = othersOf(old, name);
  const direction =
    others === "none"
      ? WIDENS
      : others === "any"
        ? acceptsAnything(schema)
          ? CHANGES_NOTHING
          : NARROWS
        : UNKNOWN;
  const decidedBy =
    isSchemaNode(schema) && typeof others === "object" ? { old: others, new: [schema] } : undefined;
  return difference(
    "property-added",
    {},
    {
      ...direction,
      keywords: [],
      ...propertyDetails(name, "new"),
      ...(others === "any" && { wasUndescribed: true }),
      ...(decidedBy && { decidedBy }),
    },
  );
}

function addedRequiredProperty(name: string, old: JsonObject, next: JsonObject): Difference {
  const schema = objectOrEmpty(next["properties"])[name];
  const others = othersOf(old, name);
  const widens = others === "none" ? "yes" : others === "any" ? "no" : "unknown";
  const details = { keywords: [`required ${name}`], ...propertyDetails(name, "new") };
  const decidedBy =
    isSchemaNode(schema) && typeof others === "object" ? { old: others, new: [schema] } : undefined;
  return difference(
    "property-added-required",
    {},
    { narrows: "yes", widens, ...details, ...(decidedBy && { decidedBy }) },
  );
}

/**
 * What `node` says of values under a name that its properties do not list: it accepts none, or any, or those that all
 * of some schemas accept. Undefined if a pattern can't be read.
 */
function othersOf(node: JsonObject, name: string): "none" | "any" | readonly SchemaNode[] | undefined {
  const schemas = schemasOfOther(node, name);
  if (schemas?.includes(false)) return "none";
  return schemas?.every(acceptsAnything) ? "any" : schemas;
}

function propertyDetails(name: string, onlyOn: "old" | "new") {
  return { property: name, steps: ["properties", name], onlyOn, isAlwaysReported: true };
}

function requiredDetails(name: string, properties: JsonObject) {
  return {
    keywords: [`required ${name}`],
    property: name,
    ...(Object.hasOwn(properties, name) && { steps: ["properties", name] }),
  };
}

/** `before` and `after` are what `additionalProperties` says; true if it says nothing. */
function additionalDifferences(before: JsonValue, after: JsonValue): readonly Difference[] {
  const keywords = ["additionalProperties", "false schema"];
  if (before === after) return [];
  if (after === false) return [difference("object-closed", {}, { ...NARROWS, keywords })];
  if (before === false) return [difference("object-opened", {}, { ...WIDENS, keywords })];
  return describedDifferences("other properties", ["additionalProperties"], before === true, after === true);
}

/** A schema where `part` could be anything, or the other way round. */
function describedDifferences(
  part: string,
  steps: readonly string[],
  wasAnything: boolean,
  isAnything: boolean,
): readonly Difference[] {
  if (wasAnything === isAnything) return [];
  return wasAnything
    ? [difference("values-described", { part }, { ...NARROWS, keywords: [], steps, onlyOn: "new" })]
    : [difference("values-undescribed", { part }, { ...WIDENS, keywords: [], steps, onlyOn: "old" })];
}

function isClosed(node: JsonObject): boolean {
  return node["additionalProperties"] === false;
}

function acceptsAnything(schema: JsonValue | undefined): boolean {
  return schema === true || (isJsonObject(schema) && Object.keys(schema).length === 0);
}

function itemDifferences(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  interner: SchemaInterner,
): readonly Difference[] {
  if (isJsonArray(before) || isJsonArray(after)) {
    const number = (items: JsonValue | undefined) => interner.schemaNumber({ items: items ?? true });
    if (number(before) === number(after)) return [];
    return [difference("combination-changed", { keyword: "items" }, { ...UNKNOWN, keywords: [] })];
  }
  if (before === false || after === false) return [];
  return describedDifferences("items", ["items"], !isJsonObject(before), !isJsonObject(after));
}

// References and combinations.

/** References that were not followed: they lead nowhere, or stand beside other keywords. */
function referenceDifferences(pair: SchemaPair, old: JsonObject, next: JsonObject): readonly Difference[] {
  const [before, after] = [old["$ref"], next["$ref"]];
  if (before === undefined && after === undefined) return [];
  const [oldTarget, newTarget] = [pair.oldSide.target(before), pair.newSide.target(after)];
  const areFollowed = oldTarget !== undefined && newTarget !== undefined;
  if (areFollowed || (before === after && oldTarget === newTarget)) return [];
  return [difference("combination-changed", { keyword: "$ref" }, { ...UNKNOWN, keywords: [] })];
}

const BRANCHING = ["allOf", "anyOf", "oneOf"];

/** Schemas that take the same place in two combinations. */
interface BranchPair {
  readonly keyword: string;
  readonly oldIndex: number;
  readonly newIndex: number;
  readonly old: SchemaNode;
  readonly new: SchemaNode;
}

interface CombinationDifferences {
  readonly differences: readonly Difference[];
  readonly branches: readonly BranchPair[];
}

/** Branches that are said alike are set aside; what is left is compared one by one, or reported as a whole. */
function combinationDifferences(
  old: JsonObject,
  next: JsonObject,
  interner: SchemaInterner,
): CombinationDifferences {
  const differences: Difference[] = [];
  const branches: BranchPair[] = [];
  const [before, after] = [interner.groupNumbers(old), interner.groupNumbers(next)];
  for (const { name, keywords } of KEYWORD_GROUPS) {
    const matched = BRANCHING.includes(name)
      ? matchBranches(name, schemasIn(old[name]), schemasIn(next[name]), interner)
      : { branches: [], isComplete: false };
    branches.push(...matched.branches);
    if (before.get(name) !== after.get(name) && !matched.isComplete) {
      const present = keywords.filter(
        (keyword) => Object.hasOwn(old, keyword) || Object.hasOwn(next, keyword),
      );
      const parameters = { keyword: present.join(", ") };
      differences.push(difference("combination-changed", parameters, { ...UNKNOWN, keywords: [] }));
    }
    if (matched.branches.length === 0) {
      differences.push(...sensitivityDifferences(keywords, old, next, interner));
    }
  }
  return { differences, branches };
}

/**
 * Pairs branches that accept the same, and the last one on each side if it is the only one left. `isComplete` if the
 * differences of the pairs are then all that differs: not for `oneOf`, whose branches exclude each other.
 */
function matchBranches(
  keyword: string,
  before: readonly SchemaNode[],
  after: readonly SchemaNode[],
  interner: SchemaInterner,
): { readonly branches: readonly BranchPair[]; readonly isComplete: boolean } {
  const branches: BranchPair[] = [];
  const unmatchedNew = new Map(after.entries());
  const unmatchedOld: [number, SchemaNode][] = [];
  for (const [oldIndex, old] of before.entries()) {
    const number = interner.schemaNumber(old);
    const found = [...unmatchedNew].find(([, node]) => interner.schemaNumber(node) === number);
    if (found === undefined) unmatchedOld.push([oldIndex, old]);
    else {
      unmatchedNew.delete(found[0]);
      branches.push({ keyword, oldIndex, newIndex: found[0], old, new: found[1] });
    }
  }
  const [lastOld] = unmatchedOld;
  const [lastNew] = unmatchedNew;
  const isComplete = keyword !== "oneOf" && unmatchedOld.length === 1 && unmatchedNew.size === 1;
  if (isComplete && lastOld !== undefined && lastNew !== undefined) {
    branches.push({ keyword, oldIndex: lastOld[0], newIndex: lastNew[0], old: lastOld[1], new: lastNew[1] });
  }
  return { branches, isComplete };
}

/** By the number of `writeOnly`s in combinations that are not looked into branch by branch. */
function sensitivityDifferences(
  keywords: readonly string[],
  old: JsonObject,
  next: JsonObject,
  interner: SchemaInterner,
): readonly Difference[] {
  const valuesOf = (node: JsonObject): JsonValue => keywords.map((keyword) => node[keyword] ?? null);
  const [before, after] = [valuesOf(old), valuesOf(next)];
  if (interner.valueNumber(before) === interner.valueNumber(after)) return [];
  const [had, has] = [countWriteOnly(before), countWriteOnly(after)];
  if (has < had) return [difference("sensitivity-lowered", {}, ANNOTATION)];
  if (has > had) return [difference("sensitivity-raised", {}, ANNOTATION)];
  return [];
}

function countWriteOnly(value: JsonValue): number {
  let count = 0;
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (isJsonObject(next) && next["writeOnly"] === true) count++;
    if (isJsonArray(next) || isJsonObject(next)) pending.push(...Object.values(next));
  }
  return count;
}

// What a schema says beside the values that it accepts: sensitivity, defaults, words for people.

function annotationDifferences(
  old: JsonObject,
  next: JsonObject,
  interner: SchemaInterner,
): readonly Difference[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])].sort();
  return (
    names
      // Definitions are looked at where they are used.
      .filter((name) => !isDeciding(name) && KEYWORDS.get(name)?.role !== "define")
      .flatMap((name) => {
        const [before, after] = [ownMember(old, name), ownMember(next, name)];
        const number = (value: JsonValue | undefined) =>
          value === undefined ? undefined : interner.valueNumber(value);
        return number(before) === number(after) ? [] : annotationDifference(name, before, after);
      })
  );
}

function annotationDifference(
  keyword: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): readonly Difference[] {
  switch (keyword) {
    case "writeOnly":
      if ((before === true) === (after === true)) {
        return [difference("annotation-changed", { keyword }, ANNOTATION)];
      }
      return after === true
        ? [difference("sensitivity-raised", {}, ANNOTATION)]
        : [difference("sensitivity-lowered", {}, ANNOTATION)];
    case "readOnly":
      return [difference("read-only-changed", {}, ANNOTATION)];
    case "default":
      if (before === undefined) return [difference("default-added", {}, ANNOTATION)];
      return after === undefined
        ? [difference("default-removed", {}, ANNOTATION)]
        : [difference("default-changed", {}, ANNOTATION)];
    default:
      return [difference("annotation-changed", { keyword }, ANNOTATION)];
  }
}
