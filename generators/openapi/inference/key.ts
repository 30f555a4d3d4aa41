/** Which properties identify a record. */
import { variablesIn } from "../../../schemas/naming/path-variables.js";
import { splitWords } from "../../../schemas/naming/words.js";
import type { ApiOperation, ApiSchema, At } from "../reading/api-description.js";
import { isArray, isTextOrNumber, type Shape, type ShapeProperty } from "../reading/shapes.js";
import type { Decision, PlannedValue } from "./plan.js";
import type { Survey } from "./survey.js";
import {
  isIdentifierName,
  nameSet,
  nounOf,
  patternOf,
  plainName,
  quoted,
  segmentsOf,
  singular,
} from "./words.js";

type KeyDecision = Decision<readonly string[]>;

/** What a key is looked for in. */
interface Search {
  readonly shape: Shape;
  /** Scalar properties of a record. */
  readonly scalars: readonly ShapeProperty[];
  /** Words for one record: of the path, of its schema. */
  readonly nouns: readonly string[];
  /** Operations of one item. */
  readonly items: readonly ApiOperation[];
  readonly variable: string | undefined;
}

const WORLDWIDE = nameSet("uuid guid uid gid sid urn");

/** The key of the records that `list` gives. `values` are what the list is asked for with. */
export function decideKey(
  list: ApiOperation,
  record: ApiSchema,
  values: readonly Decision<PlannedValue>[],
  survey: Survey,
): KeyDecision {
  const shape = survey.shapes.of(record);
  const items = survey.itemsOf(list).filter((item) => !answersSeveral(item, record, survey));
  const search: Search = {
    shape,
    scalars: [...shape.properties.values()].filter(({ schema }) => {
      const inner = survey.shapes.of(schema);
      return isTextOrNumber(inner) && inner.types.length === 1;
    }),
    nouns: [nounOf(list.path), ...shape.names],
    items,
    variable: segmentsOf(items[0]?.path ?? "").at(-1)?.variable,
  };
  const scalars = search.scalars.filter(({ name }) => !isOfParent(name, list));
  const own = ownKey({ ...search, scalars }) ?? noKey({ ...search, scalars }, record);
  return own.state === "ask" ? own : withParents(own, { list, search, values }, survey);
}

/** Whether what is at the path of an item lists records, too: `/messages/opens/{messageId}` has all opens of a message. */
function answersSeveral({ method, answer }: ApiOperation, record: ApiSchema, survey: Survey): boolean {
  if (method !== "GET" || answer?.schema === undefined) return false;
  const shape = survey.shapes.of(answer.schema);
  const [name] = survey.shapes.of(record).names;
  if (isArray(shape)) return true;
  const isRecord = name === undefined || shape.names.includes(name);
  return !isRecord && [...shape.properties.values()].some(({ schema }) => holds(schema, name, survey));
}

function holds(list: ApiSchema, name: string, survey: Survey): boolean {
  const { items } = survey.shapes.of(list);
  return items !== undefined && survey.shapes.of(items).names.includes(name);
}

/** Whether a property is the value by which the whole list was asked for: then all its records share it. */
function isOfParent(name: string, { path }: ApiOperation): boolean {
  const plain = plainName(name);
  return !OWN_NAMES.has(plain) && variablesIn(path).some((variable) => plainName(variable) === plain);
}

/** The rules, the surest first. */
function ownKey(search: Search): KeyDecision | undefined {
  const byVariable = propertyOfVariable(search);
  const id = find(search, "id");
  // A name or a number that addresses an item may be unique for its parent only, and may change.
  if (byVariable !== undefined && (id === undefined || isIdentifierName(byVariable.name)))
    return decided("sure", byVariable, `a property, and the variable of ${itemPath(search)}`, search.items);
  if (id !== undefined) return decided("sure", id, reasonOfId(search), search.items);
  return byNoun(search) ?? byWorldwideName(search) ?? byEndOfVariable(search) ?? byDescription(search);
}

function reasonOfId({ variable, items }: Search): string {
  const path = items[0]?.path;
  return variable === undefined || path === undefined ? "a property" : `a property; an item is at ${path}`;
}

function itemPath({ items }: Search): string {
  const [first] = items;
  return first === undefined ? "" : `${first.method} ${first.path}`;
}

function propertyOfVariable({ variable, scalars }: Search): ShapeProperty | undefined {
  if (variable === undefined) return undefined;
  return (
    scalars.find(({ name }) => name === variable) ??
    scalars.find(({ name }) => plainName(name) === plainName(variable))
  );
}

function find({ scalars }: Search, plain: string): ShapeProperty | undefined {
  return scalars.find(({ name }) => name === plain) ?? scalars.find(({ name }) => plainName(name) === plain);
}

/** `project_id` of a project. */
function byNoun(search: Search): KeyDecision | undefined {
  for (const noun of search.nouns)
    for (const end of ["id", "uuid", "guid", "gid", "sid", "key"]) {
      const property = find(search, `${plainName(singular(noun))}${end}`);
      if (property !== undefined)
        return decided("sure", property, `named after ${quoted(noun)}`, search.items);
    }
  return undefined;
}

function byWorldwideName({ scalars, items }: Search): KeyDecision | undefined {
  const [property, another] = scalars.filter(({ name }) => WORLDWIDE.has(plainName(name)));
  // `uid` and `gid` of one account are the numbers of its user and of its group.
  if (property === undefined || another !== undefined) return undefined;
  return decided("sure", property, "a usual name for what identifies a record", items);
}

/** `name`, where an item is at `/buckets/{bucket_name}`. */
function byEndOfVariable(search: Search): KeyDecision | undefined {
  const { variable, nouns } = search;
  if (variable === undefined) return undefined;
  const plain = plainName(variable);
  for (const noun of nouns) {
    const start = plainName(singular(noun));
    const property = plain.startsWith(start) ? find(search, plain.slice(start.length)) : undefined;
    if (property !== undefined)
      return decided("sure", property, `what ${itemPath(search)} names an item by`, search.items);
  }
  const words = /[_-]|(?<=[a-z])(?=[A-Z])/;
  const end = find(search, variable.split(words).at(-1)?.toLowerCase() ?? "");
  return end && decided("middle", end, `what ${itemPath(search)} names an item by`, search.items);
}

/** What describes itself as unique, if it does not speak of another thing. */
function byDescription({ scalars, items, nouns }: Search): KeyDecision | undefined {
  const unique = scalars.filter(
    ({ name, schema }) =>
      /\bunique(?:ly)?\b[^.]{0,20}\b(?:id|ids|identif\w+|key)\b/i.test(schema.description) &&
      isNamedAfter(name, nouns),
  );
  const [property, another] = unique;
  if (property === undefined || another !== undefined) return undefined;
  return decided("middle", property, "its description says that it is unique", items);
}

/**
 * Whether a name speaks of nothing but the thing: an `accountId` of a balance identifies the account, and a `candidate_id`
 * at `/contributions/by_candidate` what contributions are counted by.
 */
function isNamedAfter(name: string, nouns: readonly string[]): boolean {
  const things = nouns.map(splitWords).filter(([first]) => first?.toLowerCase() !== "by");
  const known = new Set(things.flat().map((word) => plainName(singular(word))));
  const words = splitWords(name).map((word) => plainName(singular(word)));
  const stem = isIdentifierName(name) ? words.slice(0, -1) : words;
  return (isIdentifierName(name) || stem.length > 0) && stem.every((word) => known.has(word));
}

function noKey({ scalars, shape }: Search, record: ApiSchema): KeyDecision {
  const at: readonly At[] = [record.at];
  const candidates = scalars.filter(({ name }) => isIdentifierName(name));
  const value = candidates.map(({ name }) => name).slice(0, 1);
  if (shape.properties.size === 0)
    return { state: "ask", value, evidence: "the document does not say what a record holds", at };
  const [only, another] = candidates;
  if (only !== undefined && another === undefined)
    return {
      state: "ask",
      value,
      evidence: `${quoted(only.name)} is the only identifier, and may be another thing's`,
      at: [only.schema.at],
    };
  const names = scalars.map(({ name }) => quoted(name));
  const shown = names.length > 8 ? [...names.slice(0, 8), "…"] : names;
  return { state: "ask", value, evidence: `no property says that it identifies: ${shown.join(", ")}`, at };
}

function decided(
  state: KeyDecision["state"],
  { name, schema }: ShapeProperty,
  evidence: string,
  items: readonly ApiOperation[],
): KeyDecision {
  return { state, value: [name], evidence, at: [schema.at, ...items.slice(0, 1).map(({ at }) => at)] };
}

/** Records of two parents may share an identifier, unless it is one for all the world. */
function withParents(
  own: KeyDecision,
  place: {
    readonly list: ApiOperation;
    readonly search: Search;
    readonly values: readonly Decision<PlannedValue>[];
  },
  survey: Survey,
): KeyDecision {
  const { list, search, values } = place;
  const parents = values.filter(({ value }) => value.source.kind === "parent");
  const [name = ""] = own.value;
  const property = search.shape.properties.get(name);
  if (parents.length === 0 || property === undefined) return own;
  const { format, parts } = survey.shapes.of(property.schema);
  const isWorldwide =
    format === "uuid" ||
    /(?:uuid|guid|urn)$/.test(plainName(name)) ||
    parts.some(({ example }) => typeof example === "string" && UUID.test(example));
  if (isWorldwide || isAtTheTop(list, search.shape, survey)) return own;
  const found = parents.map(({ value }) => parentProperty(value, search));
  if (found.every((parent) => parent !== undefined)) {
    const names = found.map((parent) => parent.name).filter((parent) => parent !== name);
    return {
      ...own,
      value: [...names, name],
      evidence: `${own.evidence}, unique for its parent`,
      at: [...own.at, ...found.map(({ schema }) => schema.at)],
    };
  }
  const evidence = `${own.evidence}; but records do not say whose they are, and two parents may share it`;
  // What lists shows by a tag has the key of a show, once for each of its tags.
  const things = search.shape.names.length === 0 ? search.nouns : search.shape.names;
  const isOwn = isIdentifierName(name) && isNamedAfter(name, things);
  return { ...own, state: isOwn ? "middle" : "ask", evidence };
}

const OWN_NAMES = nameSet("id name key slug code number type uuid");

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Whether one item also has a path of its own without the parent. */
function isAtTheTop(list: ApiOperation, { names }: Shape, survey: Survey): boolean {
  const segments = segmentsOf(list.path);
  const [last] = segments.slice(-1);
  if (last === undefined) return false;
  const fixed = segments.slice(
    0,
    segments.findIndex(({ variable }) => variable !== undefined),
  );
  // What stands before the parents, such as `/api/v1`.
  return fixed
    .map((_, length) => fixed.slice(0, length))
    .some((start) => {
      const pattern = patternOf([...start, last, { text: "{}", variable: "id" }]);
      return survey.at(pattern).some(({ method, answer }) => {
        if (method !== "GET" || answer?.schema === undefined) return false;
        return survey.shapes.of(answer.schema).names.some((name) => names.includes(name));
      });
    });
}

/** The property of a record that holds the value by which its parent was named. */
function parentProperty({ name, source }: PlannedValue, search: Search): ShapeProperty | undefined {
  if (source.kind !== "parent") return undefined;
  const ends = [name, `${source.object}${source.property}`, `${source.object}Id`];
  // A child's own `id` or `name` is not its parent's.
  return ends
    .map(plainName)
    .filter((plain) => !OWN_NAMES.has(plain))
    .map((plain) => find(search, plain))
    .find((property) => property !== undefined);
}
