/**
 * Proves that every value that one schema accepts is accepted by another. `true` is a proof; `false` only says that
 * none was found. Work is bounded: beyond the budget nothing is proven any more.
 *
 * The schemas that hold at once are read as one set of facts. Facts are never stronger than the schemas: what can't
 * be read is left out, so that what follows from the facts is true of every value that the schemas accept. A wanted
 * schema is proven keyword by keyword; if that fails, once for each branch of a choice.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownMember } from "../json.js";
import { FORMATS, isDeciding } from "../keywords.js";
import {
  addLimits,
  type Bound,
  excludesAll,
  integerBound,
  isAsStrict,
  isMultiple,
  type LimitSign,
  type Limits,
  noLimits,
} from "./limits.js";
import { allStringsMatching } from "./patterns.js";
import { groupNameOf, type SchemaInterner } from "./schema-interner.js";
import {
  acceptedTypes,
  constrainedTypes,
  isMatching,
  isSchemaNode,
  isString,
  listedValues,
  objectOrEmpty,
  propertySchema,
  type SchemaNode,
  schemasIn,
  schemasOfOther,
  stringsIn,
  typeOfValue,
  VALUE_TYPES,
  type ValueType,
} from "./schema-node.js";
import type { SidedSchema } from "./schema-side.js";

/** Proofs within each other beyond which nothing is proven, so that the stack does not overflow. */
const MAX_DEPTH = 250;
/** The same for the proof that a schema accepts nothing, which tries every choice. */
const MAX_EMPTINESS_DEPTH = 12;

export interface ProverOptions {
  readonly interner: SchemaInterner;
  /** Whether references with the same text name the same on both sides. */
  readonly referencesAgree: boolean;
  /** How many steps all proofs may take together. */
  readonly maxSteps: number;
}

/** What is known of the values that all schemas of a conjunction accept. */
interface Facts {
  readonly types: Set<ValueType>;
  /** Every value that is possible; undefined if they are not listed. */
  values: readonly JsonValue[] | undefined;
  readonly limits: Limits;
  readonly patterns: Set<string>;
  readonly formats: Set<string>;
  isUnique: boolean;
  readonly required: Set<string>;
  /** The schemas themselves, with references and `allOf` taken apart, for what needs more than one fact. */
  readonly schemas: (SidedSchema & { readonly node: JsonObject })[];
  /** Numbers of what their groups of keywords say. */
  readonly groups: Set<number>;
  /** Of each list, at least one schema holds. */
  readonly choices: (readonly SidedSchema[])[];
}

/** Whether one keyword of the wanted schema follows from what is known. */
interface Question {
  readonly given: readonly SidedSchema[];
  readonly facts: Facts;
  readonly wanted: SidedSchema & { readonly node: JsonObject };
  readonly keyword: string;
  readonly value: JsonValue;
  /** How deep inside the whole value the value in question is. */
  readonly level: number;
}

interface RunningProof {
  readonly level: number;
  readonly index: number;
}

export class SubsetProver {
  readonly #interner: SchemaInterner;
  readonly #referencesAgree: boolean;
  readonly #proven = new WeakMap<object, WeakMap<object, boolean>>();
  readonly #running = new Map<object, Map<object, RunningProof>>();
  #runningCount = 0;
  /** The index of the outermost running proof whose result was taken for granted since it started. */
  #outermostAssumed = Number.POSITIVE_INFINITY;
  #stepsLeft: number;
  #depth = 0;

  constructor({ interner, referencesAgree, maxSteps }: ProverOptions) {
    this.#interner = interner;
    this.#referencesAgree = referencesAgree;
    this.#stepsLeft = maxSteps;
  }

  /** Whether the budget was used up. */
  get isExhausted(): boolean {
    return this.#stepsLeft <= 0;
  }

  /** Whether every value that all of `given` accept is accepted by `wanted`. */
  fits(given: readonly SidedSchema[], wanted: SidedSchema, level = 0): boolean {
    const { node } = wanted;
    if (node === true || this.#isAmong(given, node)) return true;
    const [only] = given;
    const key = given.length === 1 && typeof only?.node === "object" ? only.node : undefined;
    if (--this.#stepsLeft <= 0 || this.#depth >= MAX_DEPTH) return false;
    if (node === false) return this.#isEmpty(given);
    const prove = () => this.#prove(given, { ...wanted, node }, level);
    this.#depth++;
    const result = key === undefined ? prove() : this.#proveOnce(key, node, level, prove);
    this.#depth--;
    return result;
  }

  /** Whether one of `given` is what `node` says, word for word. */
  #isAmong(given: readonly SidedSchema[], node: SchemaNode): boolean {
    const number = this.#interner.schemaNumber(node);
    return given.some(
      (schema) => this.#interner.schemaNumber(schema.node) === number && this.#meansTheSame(schema),
    );
  }

  /** Whether a schema means on the other side what it means on its own. */
  #meansTheSame({ side }: SidedSchema): boolean {
    return this.#referencesAgree || side.references.size === 0;
  }

  /** The result of `prove`, which is not run again for the same two schemas, nor within itself. */
  #proveOnce(given: object, wanted: object, level: number, prove: () => boolean): boolean {
    const known = this.#proven.get(given)?.get(wanted);
    if (known !== undefined) return known;
    const running = this.#running.get(given) ?? new Map<object, RunningProof>();
    this.#running.set(given, running);
    const outer = running.get(wanted);
    if (outer !== undefined) {
      // A recursive schema comes back to the same question further inside: there it may be taken for granted.
      if (outer.level >= level) return false;
      this.#outermostAssumed = Math.min(this.#outermostAssumed, outer.index);
      return true;
    }
    const index = this.#runningCount++;
    running.set(wanted, { level, index });
    const result = prove();
    running.delete(wanted);
    this.#runningCount--;
    // Outside of every proof that was taken for granted, the result stands on its own.
    if (this.#outermostAssumed >= index) this.#outermostAssumed = Number.POSITIVE_INFINITY;
    if (!result || this.#outermostAssumed === Number.POSITIVE_INFINITY) {
      const results = this.#proven.get(given) ?? new WeakMap<object, boolean>();
      this.#proven.set(given, results.set(wanted, result));
    }
    return result;
  }

  #prove(given: readonly SidedSchema[], wanted: Question["wanted"], level: number): boolean {
    const facts = factsOf(given, this.#interner);
    if (facts.types.size === 0) return true;
    const values = possibleValues(facts);
    if (values !== undefined) {
      return values.every((value) => isRefused(given, value) || this.#accepts(wanted, value));
    }
    if (this.#impliesAll({ given, facts, wanted, level })) return true;
    const [choice] = facts.choices;
    if (choice === undefined) return false;
    const rest = withoutFirstChoice(facts);
    return choice.every((branch) => this.fits([...rest, branch], wanted, level));
  }

  /** Whether no value is accepted by all of `given`. */
  #isEmpty(given: readonly SidedSchema[], depth = 0): boolean {
    if (--this.#stepsLeft <= 0 || depth > MAX_EMPTINESS_DEPTH) return false;
    const facts = factsOf(given, this.#interner);
    if (facts.types.size === 0) return true;
    const values = possibleValues(facts);
    if (values !== undefined) return values.every((value) => isRefused(given, value));
    if (facts.types.size === 1 && facts.types.has("object")) {
      for (const name of facts.required) {
        if (this.#isEmpty(memberSchemas(facts, name), depth + 1)) return true;
      }
    }
    if (this.#isContradiction(facts)) return true;
    const [choice] = facts.choices;
    if (choice === undefined) return false;
    return choice.every((branch) => this.#isEmpty([...withoutFirstChoice(facts), branch], depth + 1));
  }

  /** Whether all values are excluded by one `not`. */
  #isContradiction({ schemas }: Facts): boolean {
    return schemas.some(({ node, side }) => {
      const excluded = node["not"];
      if (!isSchemaNode(excluded)) return false;
      const others = schemas.map((other): SidedSchema => {
        if (other.node !== node) return other;
        const rest = Object.entries(node).filter(([name]) => name !== "not");
        return { node: Object.fromEntries(rest), side };
      });
      return this.fits(others, { node: excluded, side }, 0);
    });
  }

  #accepts({ node, side }: Question["wanted"], value: JsonValue): boolean {
    const deciding = Object.keys(node).filter(isDeciding);
    if (!deciding.every((name) => LISTING.has(name))) return side.accepts(node, value) === true;
    const facts = factsOf([{ node, side }], this.#interner);
    const number = this.#interner.valueNumber(value);
    const isListed = facts.values?.some((listed) => this.#interner.valueNumber(listed) === number) ?? true;
    return acceptedTypes(node) !== undefined && facts.types.has(typeOfValue(value)) && isListed;
  }

  #impliesAll(question: Omit<Question, "keyword" | "value">): boolean {
    // A loop, and not `every`, takes less of the stack for each level of the value.
    for (const [keyword, value] of Object.entries(question.wanted.node)) {
      if (isDeciding(keyword) && !this.#implies({ ...question, keyword, value })) return false;
    }
    return true;
  }

  #implies(question: Question): boolean {
    const { facts, keyword, wanted, value, given, level } = question;
    const types = constrainedTypes(keyword);
    if (types !== undefined && !types.some((type) => facts.types.has(type))) return true;
    if (keyword === "$ref") {
      const { side } = wanted;
      const node = side.target(value);
      return node !== undefined && this.fits(given, { node, side }, level);
    }
    return impliesAssertion(question) ?? this.#impliesInner(question) ?? this.#impliesCombination(question);
  }

  /** Of keywords that speak of items and properties. Undefined for other keywords. */
  #impliesInner(question: Question): boolean | undefined {
    switch (question.keyword) {
      case "items":
        return this.#impliesItems(question);
      case "properties":
        return this.#impliesProperties(question);
      case "additionalProperties":
        return this.#impliesAdditionalProperties(question);
      case "patternProperties":
        return this.#saysTheSame(question, "patternProperties") || this.#impliesPatterns(question);
      default:
        return undefined;
    }
  }

  #impliesItems({ facts, value, wanted, level }: Question): boolean {
    if (facts.limits.counts.get("maxItems") === 0) return true;
    if (isJsonArray(value)) {
      const itemsNumber = (items: JsonValue) => this.#interner.schemaNumber({ items });
      return facts.schemas.some((schema) => {
        const { items } = schema.node;
        return this.#meansTheSame(schema) && items !== undefined && itemsNumber(items) === itemsNumber(value);
      });
    }
    if (!isSchemaNode(value)) return false;
    const items = facts.schemas.flatMap(({ node, side }): SidedSchema[] => {
      const { items } = node;
      return isSchemaNode(items) ? [{ node: items, side }] : [];
    });
    return this.fits(items, { node: value, side: wanted.side }, level + 1);
  }

  #impliesProperties(question: Question): boolean {
    if (!isJsonObject(question.value)) return false;
    for (const [name, node] of Object.entries(question.value)) {
      if (!this.#impliesProperty(question, name, node)) return false;
    }
    return true;
  }

  #impliesProperty({ facts, wanted, level }: Question, name: string, node: JsonValue): boolean {
    if (!isSchemaNode(node)) return false;
    if (!(name in Object.prototype)) {
      return this.fits(memberSchemas(facts, name), { node, side: wanted.side }, level + 1);
    }
    // A validator sees what every object inherits as a member that is there: only the very same schema will do.
    const number = this.#interner.schemaNumber(node);
    return facts.schemas.some((schema) => {
      const known = propertySchema(schema.node, name);
      return (
        isSchemaNode(known) && this.#interner.schemaNumber(known) === number && this.#meansTheSame(schema)
      );
    });
  }

  #impliesAdditionalProperties({ facts, wanted, value, level }: Question): boolean {
    if (value === true) return true;
    if (!isSchemaNode(value)) return false;
    const wantedOthers: SidedSchema = { node: value, side: wanted.side };
    const wantedNames = objectOrEmpty(wanted.node["properties"]);
    const declared = facts.schemas.flatMap(({ node }) => Object.keys(objectOrEmpty(node["properties"])));
    for (const name of new Set(declared)) {
      if (Object.hasOwn(wantedNames, name)) continue;
      if (!this.fits(memberSchemas(facts, name), wantedOthers, level + 1)) return false;
    }
    const wantedPatterns = this.#patternsNumber(wanted.node);
    const others = facts.schemas.flatMap(({ node, side }): SidedSchema[] => {
      const additional = node["additionalProperties"];
      const patterns = this.#patternsNumber(node);
      const isComparable = patterns === undefined || patterns === wantedPatterns;
      return isSchemaNode(additional) && isComparable ? [{ node: additional, side }] : [];
    });
    return this.fits(others, wantedOthers, level + 1);
  }

  #impliesPatterns({ facts, wanted, value, level }: Question): boolean {
    if (!isJsonObject(value)) return false;
    const declared = facts.schemas.flatMap(({ node }) => Object.keys(objectOrEmpty(node["properties"])));
    return Object.entries(value).every(([pattern, node]) => {
      if (!isSchemaNode(node)) return false;
      const schema: SidedSchema = { node, side: wanted.side };
      const matching = [...new Set(declared)].filter((name) => isMatching(pattern, name) !== false);
      if (!matching.every((name) => this.fits(memberSchemas(facts, name), schema, level + 1))) return false;
      return this.fits(schemasOfPattern(facts, pattern), schema, level + 1);
    });
  }

  #patternsNumber(node: JsonObject): number | undefined {
    return this.#interner.groupNumbers(node).get("patternProperties");
  }

  /** Of combinations of schemas, and of every keyword that is only proven if both sides say the same. */
  #impliesCombination(question: Question): boolean {
    const { keyword, value, wanted, given, level } = question;
    const branches = schemasIn(value).map((node): SidedSchema => ({ node, side: wanted.side }));
    switch (keyword) {
      case "allOf":
        return branches.every((branch) => this.fits(given, branch, level));
      case "anyOf":
        return (
          branches.length > 0 &&
          this.#holdsByType(question, (part) => branches.some((branch) => this.fits(part, branch, level)))
        );
      case "oneOf":
        return (
          branches.length > 0 &&
          this.#holdsByType(question, (part) => this.#fitsExactlyOne(part, branches, level))
        );
      case "not":
        return isSchemaNode(value) && this.#isApart(given, { node: value, side: wanted.side });
      case "if":
        return this.#impliesCondition(question);
      case "then":
      case "else":
        // They are looked at with the `if` that they belong to; alone they say nothing.
        return true;
      default:
        return this.#saysTheSame(question, groupNameOf(keyword) ?? keyword);
    }
  }

  /** Whether both sides say the same in the group of keywords `name`. */
  #saysTheSame({ facts, wanted }: Question, name: string): boolean {
    const number = this.#interner.groupNumbers(wanted.node).get(name);
    return (
      number !== undefined &&
      facts.groups.has(number) &&
      facts.schemas.every((schema) => this.#meansTheSame(schema))
    );
  }

  /** Whether both sides say the same, or `decide` holds for each type of value on its own. */
  #holdsByType(question: Question, decide: (given: readonly SidedSchema[]) => boolean): boolean {
    return (
      this.#saysTheSame(question, question.keyword) ||
      splitByType(question.given, question.facts).every(decide)
    );
  }

  #fitsExactlyOne(given: readonly SidedSchema[], branches: readonly SidedSchema[], level: number): boolean {
    return branches.some(
      (branch) =>
        branches.every((other) => other === branch || this.#isApart(given, other)) &&
        this.fits(given, branch, level),
    );
  }

  /** Whether no value that all of `given` accept is accepted by `other`. */
  #isApart(given: readonly SidedSchema[], other: SidedSchema): boolean {
    return this.#isEmpty([...given, other]);
  }

  #impliesCondition(question: Question): boolean {
    const { wanted, given, level, value: condition } = question;
    if (!isSchemaNode(condition)) return false;
    if (this.#saysTheSame(question, "if")) return true;
    const { node, side } = wanted;
    const ifMet = node["then"] ?? true;
    const ifNot = node["else"] ?? true;
    if (!isSchemaNode(ifMet) || !isSchemaNode(ifNot)) return false;
    const fits = (inner: SchemaNode) => this.fits(given, { node: inner, side }, level);
    if (this.#isApart(given, { node: condition, side })) return fits(ifNot);
    if (fits(condition)) return fits(ifMet);
    return fits(ifMet) && fits(ifNot);
  }
}

/** Of keywords that speak of the value alone. Undefined for other keywords. */
function impliesAssertion({ facts, keyword, value, wanted }: Question): boolean | undefined {
  switch (keyword) {
    case "type":
    case "nullable": {
      const types = acceptedTypes(wanted.node);
      return types !== undefined && [...facts.types].every((type) => types.includes(type));
    }
    case "minimum":
    case "exclusiveMinimum":
      return impliesBound(facts, value, { sign: 1, exclusive: keyword === "exclusiveMinimum" });
    case "maximum":
    case "exclusiveMaximum":
      return impliesBound(facts, value, { sign: -1, exclusive: keyword === "exclusiveMaximum" });
    case "multipleOf":
      return impliesMultiple(facts, value);
    case "minLength":
    case "minItems":
    case "minProperties":
    case "maxLength":
    case "maxItems":
    case "maxProperties":
      return impliesCount(facts, keyword, value);
    case "pattern":
      return isString(value) && facts.patterns.has(value);
    case "format":
      // A format that no validator checks refuses nothing.
      return isString(value) && (FORMATS.get(value)?.isChecked !== true || facts.formats.has(value));
    case "uniqueItems":
      return value === false || facts.isUnique || (facts.limits.counts.get("maxItems") ?? 2) <= 1;
    case "required":
      return isJsonArray(value) && value.every((name) => isString(name) && facts.required.has(name));
    case "enum":
    case "const":
      // If the values are listed, they have been looked at one by one.
      return false;
    default:
      return undefined;
  }
}

function impliesBound(
  { limits, types }: Facts,
  value: JsonValue,
  { sign, exclusive }: { readonly sign: LimitSign; readonly exclusive: boolean },
): boolean {
  if (typeof value !== "number") return false;
  const known = sign === 1 ? limits.lower : limits.upper;
  const wanted: Bound = { value, exclusive };
  if (isAsStrict(known, wanted, sign)) return true;
  if (types.has("fraction")) return false;
  return isAsStrict(integerBound(known, sign), integerBound(wanted, sign) ?? wanted, sign);
}

function impliesMultiple({ limits, types }: Facts, value: JsonValue): boolean {
  if (typeof value !== "number") return false;
  if (value === 1 && !types.has("fraction")) return true;
  return limits.multiples.some((known) => isMultiple(known, value));
}

function impliesCount({ limits, required }: Facts, keyword: string, value: JsonValue): boolean {
  if (typeof value !== "number") return false;
  const known = limits.counts.get(keyword);
  if (keyword.startsWith("max")) return (known ?? Number.POSITIVE_INFINITY) <= value;
  if (keyword !== "minProperties") return value <= 0 || (known ?? -1) >= value;
  // A validator sees what every object inherits as a member that is there.
  const requiredCount = [...required].filter((name) => !(name in Object.prototype)).length;
  return Math.max(known ?? 0, requiredCount) >= value;
}

/** The facts of the conjunction of `given`. */
function factsOf(given: readonly SidedSchema[], interner: SchemaInterner): Facts {
  const facts: Facts = {
    types: new Set(VALUE_TYPES),
    values: undefined,
    limits: noLimits(),
    patterns: new Set(),
    formats: new Set(),
    isUnique: false,
    required: new Set(),
    schemas: [],
    groups: new Set(),
    choices: [],
  };
  const pending = [...given];
  const seen = new Set<SchemaNode>();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, side } = next;
    if (node === false) facts.types.clear();
    if (typeof node === "boolean" || seen.has(node)) continue;
    seen.add(node);
    const target = side.target(node["$ref"]);
    if (target !== undefined) pending.push({ node: target, side });
    for (const inner of schemasIn(node["allOf"])) pending.push({ node: inner, side });
    for (const name of ["anyOf", "oneOf"]) {
      const branches = schemasIn(node[name]);
      if (branches.length > 0) facts.choices.push(branches.map((branch) => ({ node: branch, side })));
    }
    facts.schemas.push({ node, side });
    addFacts(facts, node, interner);
  }
  removeImpossibleTypes(facts);
  return facts;
}

function addFacts(facts: Facts, node: JsonObject, interner: SchemaInterner): void {
  const types = new Set(acceptedTypes(node) ?? VALUE_TYPES);
  for (const type of VALUE_TYPES) if (!types.has(type)) facts.types.delete(type);
  const listed = listedValues(node);
  if (listed !== undefined) {
    const numbers = new Set(listed.map((value) => interner.valueNumber(value)));
    facts.values = (facts.values ?? listed).filter((value) => numbers.has(interner.valueNumber(value)));
  }
  addLimits(facts.limits, node);
  if (isString(node["pattern"])) facts.patterns.add(node["pattern"]);
  if (isString(node["format"])) facts.formats.add(node["format"]);
  if (node["uniqueItems"] === true) facts.isUnique = true;
  for (const name of stringsIn(node["required"])) facts.required.add(name);
  for (const number of interner.groupNumbers(node).values()) facts.groups.add(number);
}

/** Takes out the types that contradictions leave nothing of. */
function removeImpossibleTypes({ types, limits }: Facts): void {
  const { lower, upper, counts } = limits;
  if (excludesAll(lower, upper)) types.delete("fraction");
  if (excludesAll(integerBound(lower, 1), integerBound(upper, -1))) types.delete("integer");
  for (const [type, most, least] of [
    ["string", "maxLength", "minLength"],
    ["array", "maxItems", "minItems"],
    ["object", "maxProperties", "minProperties"],
  ] as const) {
    if ((counts.get(most) ?? Number.POSITIVE_INFINITY) < (counts.get(least) ?? 0)) types.delete(type);
  }
}

/** More values than this are not looked at one by one. */
const MAX_VALUES = 1_000;

/** Every value that is possible, if they are few; some may still be refused. */
function possibleValues(facts: Facts): readonly JsonValue[] | undefined {
  const { values, types } = facts;
  if (values !== undefined) return values.filter((value) => types.has(typeOfValue(value)));
  const possible: JsonValue[] = [];
  for (const type of types) {
    const ofType = possibleValuesOf(type, facts);
    if (ofType === undefined) return undefined;
    possible.push(...ofType);
  }
  return possible;
}

function possibleValuesOf(type: ValueType, facts: Facts): readonly JsonValue[] | undefined {
  const { lower, upper, counts } = facts.limits;
  switch (type) {
    case "null":
      return [null];
    case "boolean":
      return [true, false];
    case "integer":
      return integersBetween(integerBound(lower, 1)?.value, integerBound(upper, -1)?.value);
    case "fraction":
      return lower !== undefined && lower.value === upper?.value ? [lower.value] : undefined;
    case "string":
      return counts.get("maxLength") === 0 ? [""] : stringsOf(facts.patterns);
    case "array":
      return counts.get("maxItems") === 0 ? [[]] : undefined;
    case "object":
      return counts.get("maxProperties") === 0 ? [{}] : undefined;
    default:
      return type satisfies never;
  }
}

function integersBetween(least: number | undefined, most: number | undefined): readonly number[] | undefined {
  if (least === undefined || most === undefined || most - least >= MAX_VALUES) return undefined;
  if (!Number.isSafeInteger(least) || !Number.isSafeInteger(most)) return undefined;
  return Array.from({ length: Math.max(0, most - least + 1) }, (_, index) => least + index);
}

/** Every string that one of the patterns leaves. */
function stringsOf(patterns: ReadonlySet<string>): readonly string[] | undefined {
  for (const pattern of patterns) {
    const strings = allStringsMatching(pattern);
    if (strings !== undefined) return strings;
  }
  return undefined;
}

function isRefused(given: readonly SidedSchema[], value: JsonValue): boolean {
  return given.some(({ node, side }) => side.accepts(node, value) === false);
}

/** Keywords whose facts say exactly which values they accept, so that nothing need be compiled. */
const LISTING: ReadonlySet<string> = new Set(["type", "enum", "const"]);

/** What is known of the member `name` of an object. Of what every object inherits, nothing is. */
function memberSchemas({ schemas }: Facts, name: string): readonly SidedSchema[] {
  if (name in Object.prototype) return [];
  return schemas.flatMap(({ node, side }): SidedSchema[] => {
    const own = propertySchema(node, name);
    const schemas = own === undefined ? (schemasOfOther(node, name) ?? []) : [own];
    return schemas.flatMap((schema) =>
      isJsonObject(schema) || schema === false ? [{ node: schema, side }] : [],
    );
  });
}

/** What is known of the members that match `pattern` and that no `properties` lists. */
function schemasOfPattern({ schemas }: Facts, pattern: string): readonly SidedSchema[] {
  return schemas.flatMap(({ node, side }): SidedSchema[] => {
    const own = ownMember(objectOrEmpty(node["patternProperties"]), pattern);
    const additional = node["patternProperties"] === undefined ? node["additionalProperties"] : undefined;
    const schema = own === undefined ? additional : own;
    return isSchemaNode(schema) ? [{ node: schema, side }] : [];
  });
}

const REFERENCES_AND_BRANCHES: ReadonlySet<string> = new Set(["$ref", "allOf", "anyOf", "oneOf"]);

/** The conjunction without its first choice. The other choices stay, as schemas of their own. */
function withoutFirstChoice({ schemas, choices }: Facts): readonly SidedSchema[] {
  const rest = schemas.map(({ node, side }): SidedSchema => {
    const members = Object.entries(node).filter(([name]) => !REFERENCES_AND_BRANCHES.has(name));
    return { node: Object.fromEntries(members), side };
  });
  const others = choices.slice(1).flatMap((branches): SidedSchema[] => {
    const [first] = branches;
    return first === undefined
      ? []
      : [{ node: { anyOf: branches.map(({ node }) => node) } as JsonObject, side: first.side }];
  });
  return [...rest.filter(({ node }) => Object.keys(node).length > 0), ...others];
}

const SCHEMAS_OF_TYPES: readonly (readonly [readonly ValueType[], SchemaNode])[] = [
  [["string"], { type: "string" }],
  [["integer", "fraction"], { type: "number" }],
  [["boolean"], { type: "boolean" }],
  [["null"], { type: "null" }],
  [["array"], { type: "array" }],
  [["object"], { type: "object" }],
];

/** The conjunction once for each type of value that it accepts. */
function splitByType(given: readonly SidedSchema[], { types }: Facts): readonly (readonly SidedSchema[])[] {
  const [first] = given;
  const parts = SCHEMAS_OF_TYPES.filter(([names]) => names.some((name) => types.has(name)));
  if (parts.length < 2 || first === undefined) return [given];
  return parts.map(([, node]) => [...given, { node, side: first.side }]);
}
