/** What would be made of a document: each list as a data object, or the reason why not. */

import { deepFreeze } from "../../../schemas/json.js";
import { classIdentifier, unique } from "../../../schemas/naming/identifiers.js";
import { didYouMean } from "../../../schemas/naming/nearest.js";
import { variablesIn } from "../../../schemas/naming/path-variables.js";
import type { ApiDescription, ApiOperation, ApiSchema } from "../reading/api-description.js";
import { isJsonMediaType } from "../reading/read-description.js";
import { decideAddress, decideSigning, type Signing } from "./authentication.js";
import { Decided, type DecidedBefore, type Matter } from "./decided.js";
import { decideKey } from "./key.js";
import { isSentInBody, sentByPages, sentName } from "./list-parameters.js";
import { otherWrites } from "./other-writes.js";
import { decidePages } from "./pages.js";
import type { Decision, ImportPlan, LeftOut, PlannedObject } from "./plan.js";
import { type FoundList, findList, recordAt } from "./selector.js";
import { decideSince } from "./since.js";
import { Survey } from "./survey.js";
import { decideParameters, decideVariables, type PlannedPlace } from "./values.js";
import { isSameNoun, nounOf, patternOf, plainName, segmentsOf, singular } from "./words.js";
import { decideWrites } from "./writes.js";

/** What is to be taken, and what is decided already. */
export interface Selection extends DecidedBefore {
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
export function makePlan(
  description: ApiDescription,
  { select = [], ...before }: Selection = {},
): ImportPlan {
  const survey = new Survey(description);
  const decided = new Decided(before);
  const selected = description.operations.filter((operation) => isSelected(operation, select));
  const { candidates, leftOut } = findLists(selected, select, { survey, decided });
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
  const found = planObjects(groupsOf(callable, { survey, decided }), { signing, survey, decided });
  const doubtful = found.filter((object) => isDoubtful(object) && !decided.isOwnObject(object.list));
  for (const { list, items } of doubtful)
    leftOut.push({ operation: list, reason: `${items.evidence}, and nothing identifies what is in it` });
  const objects = found.filter((object) => !doubtful.includes(object));
  refuseUnusedAnswers(decided, { objects, leftOut, description });
  return {
    objects,
    leftOut: deepFreeze(leftOut),
    otherWrites: deepFreeze(otherWrites(selected, { objects, leftOut })),
    connections: signing.connections,
    address: decideAddress(description),
    notes: decided.notes,
    kept: decided.kept,
  };
}

/** An answer to what is no list that is taken decides nothing. */
function refuseUnusedAnswers(
  decided: Decided,
  plan: Pick<ImportPlan, "objects" | "leftOut"> & { readonly description: ApiDescription },
): void {
  const { objects, leftOut, description } = plan;
  const ids = new Map(description.operations.map((operation) => [operation.id, operation]));
  const lists = new Set(objects.map(({ list }) => list.id));
  const writes = new Set(objects.flatMap((object) => object.writes.map(({ operation }) => operation.id)));
  for (const { id, steps } of decided.answered) {
    const operation = ids.get(id);
    const isSkipped = operation !== undefined && decided.skipOf(operation) !== undefined;
    const isSkippable = operation?.method === "GET" || writes.has(id) || (operation && isSearch(operation));
    if (lists.has(id) || (isSkipped && isSkippable)) continue;
    const left = leftOut.find((one) => one.operation.id === id)?.reason;
    if (operation === undefined)
      decided.refuse(steps, `the document has no operation "${id}"`, didYouMean(id, ids.keys()));
    else if (operation.method === "GET" || (operation.method === "POST" && !isSkipped))
      decided.refuse(steps, left ?? "it is no list that is taken");
    else decided.refuse(steps, "no action is made of it");
  }
  decided.finish();
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
  select: readonly string[],
  { survey, decided }: { readonly survey: Survey; readonly decided: Decided },
): { readonly candidates: readonly Candidate[]; readonly leftOut: LeftOut[] } {
  const candidates: Candidate[] = [];
  const leftOut: LeftOut[] = [];
  for (const operation of operations) {
    const found = readerOf(operation, survey, decided);
    const isWanted = !operation.deprecated || decided.isOwnObject(operation) || isNamed(operation, select);
    if (found.kind === "list" && !isWanted) leftOut.push({ operation, reason: DEPRECATED });
    else if (found.kind === "list")
      candidates.push({ list: operation, record: found.record, items: found.items });
    else if (found.isPlausible) leftOut.push({ operation, reason: found.reason });
  }
  return { candidates, leftOut };
}

const DEPRECATED = "it is deprecated; --select or an answer in openapi.config.ts that names it takes it";

/** Whether `select` names this operation itself, and not only what it is among. */
function isNamed({ id, path }: ApiOperation, select: readonly string[]): boolean {
  return select.some((name) => name.toLowerCase() === id.toLowerCase() || name === path);
}

/** The list that a declared reader can read. */
function readerOf(operation: ApiOperation, survey: Survey, decided: Decided): FoundList {
  const none = (reason: string) => ({ kind: "none", reason, isPlausible: true }) as const;
  const isByPost = isReadByPost(operation, decided);
  if (operation.method !== "GET" && !isByPost)
    return { ...none(decided.skipOf(operation) ?? BY_POST), isPlausible: isSearch(operation) };
  const found = listOf(operation, survey, decided);
  if (found.kind === "none") return isByPost ? { ...found, isPlausible: true } : found;
  if (operation.servers.length > 0) return none("it is at another address than the document");
  return isPlainPath(operation.path) ? found : none("its path has more than variables between slashes");
}

/** The list as it is found, with the answer or the earlier decision on where its records stand. */
function listOf(operation: ApiOperation, survey: Survey, decided: Decided): FoundList {
  const skip = decided.skipOf(operation);
  if (skip !== undefined) return { kind: "none", reason: skip, isPlausible: true };
  const { body } = operation;
  if (body !== undefined && operation.method === "POST" && !isJsonMediaType(body.mediaType))
    return { kind: "none", reason: `it is asked by ${body.mediaType}, no JSON`, isPlausible: true };
  const found = findList(operation, survey);
  const { items: way } = decided.answerTo(operation);
  const nothing: Decision<string> = { state: "ask", value: "", evidence: "", at: [] };
  const items = decided.take(
    { list: operation, about: "items", steps: ["items"], answer: way === undefined ? way : { value: way } },
    found.kind === "list" ? found.items : nothing,
  );
  if (found.kind === "list" && items.value === found.items.value) return { ...found, items };
  if (items === nothing) return found;
  const record = recordAt(operation, items.value, survey);
  if (record !== undefined) return { kind: "list", items, record };
  decided.refuseAnswer(operation, ["items"], `the answer has no list at "${items.value}"`);
  return found;
}

const BY_POST = "it reads by POST; an answer to it in openapi.config.ts, if only {}, makes it a list";

/** What is offered as a list, though it changes nothing and is no GET. */
function isSearch({ method, path }: ApiOperation): boolean {
  const last = plainName(segmentsOf(path).at(-1)?.text ?? "");
  return method === "POST" && /^(?:list|search|query|filter)$/.test(last);
}

/** Nothing but its author says that a POST reads. */
function isReadByPost(operation: ApiOperation, decided: Decided): boolean {
  return (
    operation.method === "POST" && decided.isOwnObject(operation) && decided.skipOf(operation) === undefined
  );
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

function groupsOf(
  candidates: readonly Candidate[],
  { survey, decided }: { readonly survey: Survey; readonly decided: Decided },
): readonly Group[] {
  const isOwn = ({ list }: Candidate) => decided.isOwnObject(list);
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const { record, list } = candidate;
    const isNamed = schemaName(record) !== "" && survey.shapes.of(record).properties.size > 0;
    const group = isNamed ? `schema ${record.ref}` : `list ${list.id}`;
    groups.set(group, [...(groups.get(group) ?? []), candidate]);
  }
  const patterns = new Set(candidates.map(({ list }) => patternOf(segmentsOf(list.path))));
  return [...groups.values()].flatMap((all): readonly Group[] => {
    const [own, members] = [all.filter(isOwn), all.filter((candidate) => !isOwn(candidate))];
    // What was taken once, or is answered, stays a data object of its own.
    const [first, ...rest] = own;
    if (first !== undefined)
      return [
        { main: first, others: members.map(({ list }) => list) },
        ...rest.map((main) => ({ main, others: [] })),
      ];
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
    variable === undefined || survey.isLeading(segments, index) ? [] : [index],
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
function planObjects(
  groups: readonly Group[],
  place: { readonly signing: Signing; readonly survey: Survey; readonly decided: Decided },
): readonly PlannedObject[] {
  const { survey, decided } = place;
  const chosen = chosenNames(groups, decided);
  const taken = new Set(chosen.values());
  const planned = new Map<Group, PlannedObject>();
  const byPattern = new Map<string, PlannedObject>();
  const depth = ({ main }: Group) => variablesIn(main.list.path).length;
  for (const group of [...groups].sort((a, b) => depth(a) - depth(b))) {
    const pattern = patternOf(segmentsOf(group.main.list.path));
    const name = chosen.get(group) ?? newName(group.main, taken, survey);
    const object = planObject(name, group, { ...place, byPattern, planned: [...planned.values()] });
    if (!byPattern.has(pattern)) byPattern.set(pattern, object);
    planned.set(group, object);
  }
  return groups.flatMap((group) => planned.get(group) ?? []);
}

/** The names that groups have already. */
function chosenNames(groups: readonly Group[], decided: Decided): ReadonlyMap<Group, string> {
  const owners = new Map<string, Group>();
  for (const group of groups) {
    const name = decided.nameOf(group.main.list);
    if (name === undefined) continue;
    const owner = owners.get(name);
    if (owner === undefined) owners.set(name, group);
    else decided.refuseAnswer(group.main.list, ["name"], `${owner.main.list.id} is called "${name}" already`);
  }
  return new Map([...owners].map(([name, group]) => [group, name]));
}

/** The name of a data object that nobody has named yet. */
function newName(candidate: Candidate, taken: Set<string>, survey: Survey): string {
  const name = objectName(candidate, survey);
  return unique(taken.has(name) ? nameBesides(candidate, name) : name, taken);
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
  place: PlannedPlace & { readonly signing: Signing },
): PlannedObject {
  const { signing, survey, decided } = place;
  const { list, record, items } = main;
  const answers = decided.answerTo(list);
  const take = <Value>(
    about: "key" | "pages" | "since",
    answer: Matter<Value>["answer"],
    inferred: Decision<Value>,
  ) => decided.take({ list, about, steps: [about], answer }, inferred);
  const variables = decideVariables(list, place);
  const key = take("key", keyAnswer(main, place), decideKey(list, record, variables, survey));
  const sure = key.state === "ask" ? [] : key.value;
  const isAnswered = answers.pages !== undefined && (list.method === "POST" || !isSentInBody(answers.pages));
  if (answers.pages !== undefined && !isAnswered)
    decided.refuseAnswer(list, ["pages"], "a list by GET has no body");
  const pages = take(
    "pages",
    isAnswered && answers.pages ? { value: answers.pages } : undefined,
    decidePages(list, { items: items.value, key: sure }, survey),
  );
  const since = take(
    "since",
    answers.since === undefined ? undefined : { value: answers.since === false ? undefined : answers.since },
    decideSince(list, record, survey),
  );
  const sent = [...sentByPages(pages.value), ...(since.value ? [sentName(since.value.send)] : [])];
  const parameters = decideParameters(list, { sent, signed: signing.parameters }, place);
  const values = [...variables, ...parameters];
  const writes = decideWrites({ list, record, key, values }, survey).map((write) => {
    const reason = decided.skipOf(write.operation);
    return reason === undefined ? write : { ...write, problem: reason };
  });
  return { name, list, record, items, key, pages, since, values, others, writes };
}

/** The key that the author names, if the record has these properties, as far as the document says what it has. */
function keyAnswer(
  { list, record }: Candidate,
  { survey, decided }: PlannedPlace,
): Matter<readonly string[]>["answer"] {
  const { key } = decided.answerTo(list);
  if (key === undefined) return undefined;
  const value = typeof key === "string" ? [key] : key;
  const { properties } = survey.shapes.of(record);
  const missing = properties.size === 0 ? undefined : value.find((name) => !properties.has(name));
  if (missing === undefined) return { value };
  decided.refuseAnswer(list, ["key"], `a record has no property "${missing}"`);
  return undefined;
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
