/** What would be made of a document: each list as a data object, or the reason why not. */

import { deepFreeze } from "../../../schemas/json.js";
import { classIdentifier, unique } from "../../../schemas/naming/identifiers.js";
import { variablesIn } from "../../../schemas/naming/path-variables.js";
import type { ApiDescription, ApiOperation, ApiSchema } from "../reading/api-description.js";
import { decideAddress, decideSigning, type Signing } from "./authentication.js";
import { decideKey } from "./key.js";
import { decidePages, sentByPages } from "./pages.js";
import type { Decision, ImportPlan, LeftOut, PlannedObject } from "./plan.js";
import { findList } from "./selector.js";
import { decideSince } from "./since.js";
import { Survey } from "./survey.js";
import { decideParameters, decideVariables } from "./values.js";
import { isSameNoun, nounOf, patternOf, plainName, segmentsOf, singular } from "./words.js";
import { decideWrites } from "./writes.js";

/** What is to be taken. */
export interface Selection {
  /** Tags, and paths with or without their method; a path takes all below it. Everything if it is left out. */
  readonly select?: readonly string[];
}

/** A list that was found. */
interface Candidate {
  readonly list: ApiOperation;
  readonly record: ApiSchema;
  readonly items: Decision<string>;
}

/** The plan for `description`. Equal documents give equal plans. */
export function makePlan(description: ApiDescription, { select = [] }: Selection = {}): ImportPlan {
  const survey = new Survey(description);
  const selected = description.operations.filter((operation) => isSelected(operation, select));
  const { candidates, leftOut } = findLists(selected, survey);
  const signing = decideSigning(
    description,
    candidates.map(({ list }) => list),
  );
  const callable = candidates.filter(({ list }) => {
    const missing = signing.missing(list);
    if (missing !== undefined)
      leftOut.push({ operation: list, reason: `it is signed by ${missing}, unlike most lists` });
    return missing === undefined;
  });
  const objects = planObjects(groupsOf(callable, survey), signing, survey);
  const doubtful = objects.filter(isDoubtful);
  for (const { list, items } of doubtful)
    leftOut.push({ operation: list, reason: `${items.evidence}, and nothing identifies what is in it` });
  return {
    objects: objects.filter((object) => !doubtful.includes(object)),
    leftOut: deepFreeze(leftOut),
    connections: signing.connections,
    address: decideAddress(description),
  };
}

/** What hardly looks like a list, and has no key, is none. */
function isDoubtful({ items, key, pages }: PlannedObject): boolean {
  return items.state !== "sure" && key.state === "ask" && pages.value.kind === "one";
}

/** Whether `select` names the operation by a tag, its path, its id, or a path above it. */
export function isSelected({ id, path, tags }: ApiOperation, select: readonly string[]): boolean {
  if (select.length === 0) return true;
  return select.some((name) => {
    const plain = name.toLowerCase();
    if (tags.some((tag) => tag.toLowerCase() === plain) || id.toLowerCase() === plain) return true;
    const start = name.replace(/\/+$/, "");
    return name.startsWith("/") && (path === start || path.startsWith(`${start}/`));
  });
}

function findLists(
  operations: readonly ApiOperation[],
  survey: Survey,
): { readonly candidates: readonly Candidate[]; readonly leftOut: LeftOut[] } {
  const candidates: Candidate[] = [];
  const leftOut: LeftOut[] = [];
  for (const operation of operations) {
    const leave = (reason: string) => leftOut.push({ operation, reason });
    if (operation.method === "POST" && isSearch(operation))
      leave("it reads by POST; such a list is only taken when it is named");
    if (operation.method !== "GET") continue;
    const found = findList(operation, survey);
    if (found.kind === "none") {
      if (found.isPlausible) leave(found.reason);
    } else if (operation.servers.length > 0) leave("it is at another address than the document");
    else if (!isPlainPath(operation.path)) leave("its path has more than variables between slashes");
    else candidates.push({ list: operation, record: found.record, items: found.items });
  }
  return { candidates, leftOut };
}

function isSearch({ path }: ApiOperation): boolean {
  return /^(?:list|search|query|filter)$/.test(plainName(segmentsOf(path).at(-1)?.text ?? ""));
}

/** Declared readers fill `{variables}` in, and say what else is sent as parameters. */
function isPlainPath(path: string): boolean {
  return !/[?#\s]/.test(path) && !/[{}]/.test(path.replace(/\{[^{}]+\}/g, "")) && isEveryNameOnce(path);
}

function isEveryNameOnce(path: string): boolean {
  const names = variablesIn(path);
  return new Set(names).size === names.length;
}

/** Lists of one named schema are one object. */
interface Group {
  readonly main: Candidate;
  readonly others: readonly ApiOperation[];
}

function groupsOf(candidates: readonly Candidate[], survey: Survey): readonly Group[] {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const { record, list } = candidate;
    const isNamed = schemaName(record) !== "" && survey.shapes.of(record).properties.size > 0;
    const group = isNamed ? `schema ${record.ref}` : `list ${list.id}`;
    groups.set(group, [...(groups.get(group) ?? []), candidate]);
  }
  return [...groups.values()].flatMap((members) => {
    const patterns = new Set(candidates.map(({ list }) => patternOf(segmentsOf(list.path))));
    const [main, ...others] = [...members].sort(
      (a, b) => rankOf(a, patterns, survey) - rankOf(b, patterns, survey),
    );
    return main === undefined ? [] : [{ main, others: others.map(({ list }) => list) }];
  });
}

/** The smaller, the better a list stands for all records of its schema. */
function rankOf({ list, items }: Candidate, patterns: ReadonlySet<string>, survey: Survey): number {
  const segments = segmentsOf(list.path);
  const variables = segments.flatMap(({ variable }, index) =>
    variable === undefined || survey.isLeading(variable) ? [] : [index],
  );
  const open = variables.filter((index) => !patterns.has(patternOf(segments.slice(0, index))));
  const required = list.parameters.filter(
    (parameter) => parameter.required && parameter.in === "query" && !survey.isNeededByMost(parameter),
  );
  const pages = decidePages(list, { items: items.value, key: [] }, survey);
  const doubts = [
    required.length > 0,
    list.deprecated,
    items.state === "ask",
    /^(?:search|find|query|filter)$/.test(plainName(segments.at(-1)?.text ?? "")),
  ].filter(Boolean).length;
  const paging = pages.state === "ask" ? 2 : pages.state === "middle" ? 1 : 0;
  return doubts * 1000 + variables.length * 100 + open.length * 10 + paging;
}

/** Parents come before their children, whose values they give. */
function planObjects(groups: readonly Group[], signing: Signing, survey: Survey): readonly PlannedObject[] {
  const taken = new Set<string>();
  const planned = new Map<Group, PlannedObject>();
  const byPattern = new Map<string, PlannedObject>();
  const depth = ({ main }: Group) => variablesIn(main.list.path).length;
  for (const group of [...groups].sort((a, b) => depth(a) - depth(b))) {
    const pattern = patternOf(segmentsOf(group.main.list.path));
    const name = objectName(group.main, survey);
    const distinct = taken.has(name) ? nameBesides(group.main, name) : name;
    const object = planObject(unique(distinct, taken), group, { signing, survey, byPattern });
    if (!byPattern.has(pattern)) byPattern.set(pattern, object);
    planned.set(group, object);
  }
  return groups.flatMap((group) => planned.get(group) ?? []);
}

/** `ContactConversation` beside a `Conversation` that is there already; `ContactSearch` beside a `Contact`. */
function nameBesides({ list }: Candidate, name: string): string {
  const words = segmentsOf(list.path).filter(({ variable }) => variable === undefined);
  const [before, last] = words.slice(-2).map(({ text }) => text);
  const isOf = last !== undefined && isSameNoun(last, nounOf(list.path));
  return classIdentifier(isOf ? `${singular(before ?? "")} ${name}` : `${name} ${last ?? ""}`);
}

function planObject(
  name: string,
  { main, others }: Group,
  place: {
    readonly signing: Signing;
    readonly survey: Survey;
    readonly byPattern: ReadonlyMap<string, PlannedObject>;
  },
): PlannedObject {
  const { signing, survey, byPattern } = place;
  const { list, record, items } = main;
  const variables = decideVariables(list, byPattern, survey);
  const key = decideKey(list, record, variables, survey);
  const sure = key.state === "ask" ? [] : key.value;
  const pages = decidePages(list, { items: items.value, key: sure }, survey);
  const since = decideSince(list, record, survey);
  const asking = since.value?.send;
  const sent = [...sentByPages(pages.value), ...(typeof asking === "string" ? [asking] : [])];
  const parameters = decideParameters(list, { sent, signed: signing.parameters }, survey);
  const values = [...variables, ...parameters];
  return {
    name,
    list,
    record,
    items,
    key,
    pages,
    since,
    values,
    others,
    writes: decideWrites({ list, record, key, values }, survey),
  };
}

/** What the name of a schema says of its use, and not of the thing. */
const USE_WORDS =
  /(?<=[a-z\d_.-])_?(?:Response|Resp|Dto|DTO|Model|Entity|Schema|Resource|Json|JSON|Output|Read|Out|Result|response|resp|dto|model|entity|schema|output)$/;

/** The last part of the name of a schema; empty for one that has none, and for a reference to some place in a document. */
function schemaName({ ref = "" }: ApiSchema): string {
  const isPlace = ref.includes("#") && !/#\/(?:components\/schemas|definitions|\$defs)\/[^/]+$/.test(ref);
  return isPlace ? "" : (ref.split(/[/.]/).at(-1) ?? "");
}

/** The name of the record's schema, or what one of the list is called. */
function objectName({ record, list }: Candidate, survey: Survey): string {
  const last = schemaName(record);
  const thing = last.replace(USE_WORDS, "");
  // `CustomObjectSchema` stays what it is where there is a `CustomObject` too, and `canned_response` at `/canned_responses`.
  const noun = singular(nounOf(list.path));
  const isWhole = isSameNoun(last, noun) || survey.description.schemas.has(thing);
  const kept = isWhole ? last : thing;
  return classIdentifier(kept !== "" ? kept : noun === "" ? "Record" : noun);
}
