/** How a fake target system answers a list that is declared: the same declaration that it is read by, from the other side. */

import { isJsonObject } from "../../schemas/json.js";
import { variablesIn } from "../../schemas/naming/path-variables.js";
import { isAnswered, isInput } from "../declared/call-action.js";
import { isParentSource, isSettingSource } from "../declared/calls.js";
import type {
  AnyListDeclaration,
  DeletedWhen,
  ParentReader,
  SentAs,
  SinceTime,
} from "../declared/declaration.js";
import { type TimeFormat, timeMs } from "../declared/times.js";
import { isScalar, valueAt, withValueAt } from "../declared/ways.js";
import type { RecordType } from "../records/record-type.js";
import { safeGet } from "../untrusted.js";
import { type HeldObject, type HeldRecord, plainName, timeValues } from "./held-objects.js";

/** What was asked, taken apart. */
export interface AskedList {
  /** Values of the variables of the path. */
  readonly variables: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Undefined without one. */
  readonly body: unknown;
  /** Absolute, as the client knows it. */
  readonly address: string;
}

/** An answer before it is written. */
export interface FakeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Written as JSON; undefined for none. */
  readonly body: unknown;
  /** A file in place of a body. */
  readonly file?: {
    /** Its content type. */
    readonly type: string;
    readonly text: string;
  };
}

/** What a target system holds, and who reads it. */
export interface FakeLists {
  /** Everything that it holds. */
  readonly held: ReadonlyMap<RecordType, HeldObject>;
  readonly typeOfReader: (reader: ParentReader) => RecordType | undefined;
}

/** A list that can be asked for. */
export interface FakeList extends FakeLists {
  readonly declaration: AnyListDeclaration;
  /** Whether it lists what was deleted, and nothing else. */
  readonly isOfDeleted: boolean;
  /** What tells records that were deleted, in a list of all. */
  readonly deletedWhen: DeletedWhen | undefined;
  readonly object: HeldObject;
  /** The most records that a page has, whatever is asked for. */
  readonly maxPageSize: number;
}

/** A page before it is written. */
export interface FakePage {
  readonly items: readonly unknown[];
  /** How many records the whole list has. */
  readonly total: number;
  /** How many pages. */
  readonly pageCount: number;
  /** Tells where the page behind this one begins; undefined for the last one. */
  readonly next: string | undefined;
  /** Tells where this page begins. */
  readonly own: string;
  /** Tells it in other words; undefined where it is the count of records or pages that does. */
  readonly again: string | undefined;
}

/** Where the first page of every list begins. */
export const FIRST_PAGE = cursorAt(-1);

/** The page that is asked for; undefined if the list is of a parent that is not there. */
export function pageOf(list: FakeList, asked: AskedList): FakePage | undefined {
  if (!hasParents(list, asked)) return undefined;
  const records = recordsOf(list, asked);
  const size = sizeOf(list, asked);
  const { pages } = list.declaration;
  const facts = { total: records.length, pageCount: Math.ceil(records.length / size) };
  const isWhole = pages.kind === "one" || pages.kind === "export";
  const start = isWhole ? 0 : startOf(list, asked, { records, size });
  const items = isWhole ? records : records.slice(start, start + size);
  const last = items.at(-1);
  const hasMore = last !== undefined && start + items.length < records.length;
  const begin = records[start - 1]?.ordinal ?? -1;
  return {
    ...facts,
    items: items.map((held) => itemOf(list, held)),
    next: hasMore ? cursorAt(last.ordinal) : undefined,
    own: cursorAt(begin),
    again: tellsNext(pages) ? cursorAt(begin, ":again") : undefined,
  };
}

/** @param page What `pageOf` gave, or what a fault has made of it. */
export function listAnswer(list: FakeList, asked: AskedList, page: FakePage): FakeAnswer {
  const { items: way, pages, record } = list.declaration;
  const { members, headers } = pagingOf(pages, asked, page);
  const items = record === undefined ? page.items : page.items.map((item) => withValueAt({}, record, item));
  if (way === "$") return { status: 200, headers, body: items };
  return { status: 200, headers, body: bodyWith([[way, items], ...members, ...saidByAll(list)]) };
}

/** What every answer of a list says in its body, whatever kind of pages it has. */
export function saidByAll({ declaration: { since, refused }, object }: FakeList): readonly BodyMember[] {
  return [
    ...(refused !== undefined && typeof refused.is === "boolean" ? [[refused.at, !refused.is] as const] : []),
    ...(since !== undefined && "mark" in since ? [[since.mark, String(lastVersion(object))] as const] : []),
  ];
}

/** A way in a body, and what stands there. */
export type BodyMember = readonly [way: string, value: unknown];

/** A body with values at their ways. */
export function bodyWith(members: readonly BodyMember[]): unknown {
  return members.reduce((body, [way, value]) => withValueAt(body, way, value), {} as unknown);
}

/** What an answer says of its pages. */
interface Paging {
  readonly members: BodyMember[];
  readonly headers: Record<string, string>;
}

function pagingOf(pages: AnyListDeclaration["pages"], asked: AskedList, page: FakePage): Paging {
  const { members, headers } = nextOf(pages, asked, page);
  if ("more" in pages && pages.more !== undefined) members.push([pages.more, page.next !== undefined]);
  const total = "total" in pages ? pages.total : undefined;
  if (typeof total === "string") members.push([total, page.total]);
  else if (total !== undefined) headers[total.header] = String(page.total);
  return { members, headers };
}

/** How an answer says where the next page is. */
function nextOf(pages: AnyListDeclaration["pages"], asked: AskedList, { next, pageCount }: FakePage): Paging {
  const none = { members: [], headers: {} };
  switch (pages.kind) {
    case "one":
    case "offset":
    case "export":
      return none;
    case "page": {
      if (pages.last === undefined) return none;
      const isNumber = /page|count|total|number/i.test(pages.last);
      return { ...none, members: [[pages.last, isNumber ? pageCount : next === undefined]] };
    }
    case "cursor":
      if (typeof pages.next === "string") return { ...none, members: [[pages.next, next ?? null]] };
      if ("lastItem" in pages.next || next === undefined) return none;
      return { ...none, headers: { [pages.next.header]: next } };
    case "link":
      return { ...none, members: [[pages.next, next === undefined ? null : linkTo(asked, next)]] };
    case "linkHeader":
      return next === undefined
        ? none
        : { ...none, headers: { link: `<${linkTo(asked, next)}>; rel="next"` } };
    default:
      return pages satisfies never;
  }
}

function lastVersion(object: HeldObject): number {
  return object.all().reduce((latest, { version }) => Math.max(latest, version), 0);
}

/** The parameter that links of this target system have. */
const LINK_PARAMETER = "page_token";

function linkTo({ address }: AskedList, next: string): string {
  const url = new URL(address);
  url.searchParams.set(LINK_PARAMETER, next);
  return url.href;
}

/** A record as it stands in the list; of one that was deleted, also when. */
function itemOf({ declaration, isOfDeleted }: FakeList, { record, changedMs }: HeldRecord): unknown {
  const { since } = declaration;
  const at = isOfDeleted && since !== undefined && !("mark" in since) ? since.property : undefined;
  if (at === undefined) return record;
  return withValueAt(record, at, timeValues(changedMs, since as SinceTime<Record<string, unknown>>)[0]);
}

/** Whether pages name the next one by a text that only the target system understands. */
function tellsNext(pages: AnyListDeclaration["pages"]): boolean {
  if (pages.kind === "link" || pages.kind === "linkHeader") return true;
  return pages.kind === "cursor" && (typeof pages.next === "string" || "header" in pages.next);
}

function cursorAt(ordinal: number, more = ""): string {
  return Buffer.from(`after:${ordinal}${more}`).toString("base64url");
}

/** @throws BadRequestError for a text that was never given. */
function ordinalOf(cursor: string): number {
  const [, digits] =
    /^after:(-?\d+)(?::again)?$/.exec(Buffer.from(cursor, "base64url").toString("utf8")) ?? [];
  if (digits === undefined) throw new BadRequestError("This cursor was never given.");
  return Number(digits);
}

/** A request that a target system answers with 400. */
export class BadRequestError extends Error {
  override readonly name = "BadRequestError";
}

function sizeOf({ declaration: { pages }, maxPageSize }: FakeList, asked: AskedList): number {
  const size = "size" in pages ? pages.size : undefined;
  const wanted = size === undefined ? Number.NaN : Number(sentValue(size.send, asked) ?? Number.NaN);
  return wanted >= 1 ? Math.min(Math.floor(wanted), maxPageSize) : maxPageSize;
}

/** The index of the first record of the page. */
function startOf(
  { declaration: { pages }, object }: FakeList,
  asked: AskedList,
  { records, size }: { readonly records: readonly HeldRecord[]; readonly size: number },
): number {
  const behind = (ordinal: number) => {
    const index = records.findIndex((held) => held.ordinal > ordinal);
    return index === -1 ? records.length : index;
  };
  switch (pages.kind) {
    case "one":
    case "export":
      return 0;
    case "page":
      return (wholeNumber(pages.send, asked, pages.first ?? 1) - (pages.first ?? 1)) * size;
    case "offset":
      return wholeNumber(pages.send, asked, 0);
    case "cursor": {
      const sent = sentValue(pages.send, asked);
      if (sent === undefined || sent === "") return 0;
      if (typeof pages.next === "string" || !("lastItem" in pages.next)) return behind(ordinalOf(sent));
      const { lastItem } = pages.next;
      const last = object.all().findLast(({ record }) => String(valueAt(record, lastItem)) === sent);
      if (last === undefined) throw new BadRequestError(`No record has ${lastItem} ${sent}.`);
      return behind(last.ordinal);
    }
    case "link":
    case "linkHeader": {
      const sent = asked.query.get(LINK_PARAMETER);
      return sent === null ? 0 : behind(ordinalOf(sent));
    }
    default:
      return pages satisfies never;
  }
}

function wholeNumber(send: SentAs, asked: AskedList, fallback: number): number {
  const sent = sentValue(send, asked);
  const number = sent === undefined ? fallback : Number(sent);
  if (Number.isInteger(number) && number >= fallback) return number;
  throw new BadRequestError("The number of the page is none.");
}

/** What was sent there, as text. */
function sentValue(send: SentAs, { query, headers, body }: AskedList): string | undefined {
  if (typeof send === "string") return query.get(send) ?? undefined;
  const value = "header" in send ? headers[send.header.toLowerCase()] : valueAt(body, send.body);
  return isScalar(value) ? String(value) : undefined;
}

/** The records of the list in their order. */
function recordsOf(list: FakeList, asked: AskedList): readonly HeldRecord[] {
  const { declaration, object, deletedWhen, isOfDeleted } = list;
  const { since } = declaration;
  const from = since === undefined ? undefined : sentValue(since.send, asked);
  // Who asks for everything has no use for what is gone.
  const showsDeleted = deletedWhen !== undefined && (since === undefined || from !== undefined);
  const isListed = ({ isDeleted }: HeldRecord) => (isOfDeleted ? isDeleted : !isDeleted || showsDeleted);
  const conditions = [
    ...(from === undefined || since === undefined ? [] : [changedFrom(since, from)]),
    ...parentConditions(list, asked),
    ...memberConditions(list, asked),
    ...undeclaredFilters(list, asked).map(({ fits }) => fits),
  ];
  return object
    .all()
    .filter(isListed)
    .filter((held) => conditions.every((condition) => condition(held)));
}

type Condition = (held: HeldRecord) => boolean;

function changedFrom(since: NonNullable<AnyListDeclaration["since"]>, from: string): Condition {
  if ("mark" in since) return ({ version }) => version > Number(from);
  const { format = "iso" }: SinceTime<Record<string, unknown>> = since;
  const fromMs = TIME_FORMS[format].test(from) ? timeMs(from, format) : undefined;
  if (fromMs === undefined) throw new BadRequestError(`${from} is no time.`);
  return ({ changedMs }) => changedMs >= fromMs;
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]|$)/;

/** What a time that is sent has to look like. */
const TIME_FORMS: Readonly<Record<TimeFormat, RegExp>> = {
  iso: ISO_TIME,
  isoSeconds: ISO_TIME,
  date: ISO_TIME,
  epochSeconds: /^\d+$/,
  epochMs: /^\d+$/,
  httpDate: / GMT$/,
};

/** Each parent that the path names has to be there; a constant in it has to be the one that is declared. */
function hasParents(list: FakeList, { variables }: AskedList): boolean {
  const { declaration } = list;
  return variablesIn(declaration.list).every((name) => {
    const declared = declaration.path?.[name];
    const sent = variables[name];
    if (typeof declared !== "object" || !isParentSource(declared))
      return !isScalar(declared) || String(declared) === sent;
    const parent = heldParent(list, declared.reader);
    return (
      parent === undefined || parent.all().some((held) => !held.isDeleted && isSaid(held, declared.way, sent))
    );
  });
}

function isSaid({ record }: HeldRecord, way: string, sent: string | undefined): boolean {
  return String(valueAt(record, way)) === sent;
}

/** What is held of the records that a reader reads. */
export function heldParent({ typeOfReader, held }: FakeLists, reader: ParentReader): HeldObject | undefined {
  const type = typeOfReader(reader);
  return type === undefined ? undefined : held.get(type);
}

/** What is sent of a parent is held by the parent of each record. */
function parentConditions(list: FakeList, asked: AskedList): readonly Condition[] {
  return placesOf(list.declaration, asked).flatMap(({ declared, sent: [sent] }): Condition[] => {
    if (typeof declared !== "object" || declared === null || !isParentSource(declared) || sent === undefined)
      return [];
    const parent = heldParent(list, declared.reader);
    if (parent === undefined) return [];
    return [
      ({ parents }) => {
        const ordinal = parents.get(parent.type);
        const held = ordinal === undefined ? undefined : parent.all()[ordinal];
        return held === undefined || isSaid(held, declared.way, sent);
      },
    ];
  });
}

/**
 * Whether a record is one of those that were asked for, whatever page it is on, whatever its parents are and whenever it was
 * changed.
 * @param isMeant Whether a filter that the declaration does not name is meant to be there.
 */
export function isAskedFor(
  list: FakeList,
  asked: AskedList,
  { held, isMeant }: { readonly held: HeldRecord; readonly isMeant: (filter: UndeclaredFilter) => boolean },
): boolean {
  const undeclared = undeclaredFilters(list, asked).filter(isMeant);
  return [...memberConditions(list, asked), ...undeclared.map(({ fits }) => fits)].every((fits) =>
    fits(held),
  );
}

/** A parameter that is called as a member of the records and has a value that some of them have leaves out the others. */
function memberConditions({ declaration, object }: FakeList, asked: AskedList): readonly Condition[] {
  return placesOf(declaration, asked).flatMap(({ name, declared, sent, isPath }) => {
    const isParent = typeof declared === "object" && declared !== null && isParentSource(declared);
    return isPath || isParent ? [] : filterBy(object, { name, sent });
  });
}

/** A parameter of the query of which the declaration says nothing, and that leaves out records all the same. */
export interface UndeclaredFilter {
  readonly name: string;
  readonly sent: readonly string[];
  readonly fits: Condition;
}

/** The query of a reader in code may have more parameters than `fake.ts` says. */
export function undeclaredFilters(
  { declaration, object }: FakeList,
  { query }: AskedList,
): readonly UndeclaredFilter[] {
  const { pages, since } = declaration;
  const named = [
    ...Object.keys(declaration.query ?? {}),
    ...[
      since?.send,
      "send" in pages ? pages.send : undefined,
      "size" in pages ? pages.size?.send : undefined,
    ],
    LINK_PARAMETER,
  ];
  return [...new Set(query.keys())]
    .filter((name) => !named.includes(name))
    .flatMap((name) => {
      const sent = query.getAll(name);
      return filterBy(object, { name, sent }).map((fits) => ({ name, sent, fits }));
    });
}

/** At most one condition: none if no record has the value. */
function filterBy(
  object: HeldObject,
  { name, sent }: { readonly name: string; readonly sent: readonly string[] },
): readonly Condition[] {
  const fits = ({ record }: HeldRecord) =>
    Object.entries(record).some(
      ([member, value]) =>
        plainName(member) === plainName(name) && isScalar(value) && sent.includes(String(value)),
    );
  return sent.length > 0 && object.all().some(fits) ? [fits] : [];
}

/** Whether what is sent are the constants of this declaration: several calls may have one address. */
export function hasConstants(declaration: DeclaredParts, asked: AskedList): boolean {
  return placesOf(declaration, asked).every(
    ({ declared, sent, isPath }) => isPath || !isScalar(declared) || sent.includes(String(declared)),
  );
}

/** Where values of a declaration stand. */
interface DeclaredParts {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly headers?: object | undefined;
  readonly body?: unknown;
}

/** A value of a declaration, and what was sent for it. */
interface Place {
  readonly name: string;
  readonly declared: unknown;
  readonly sent: readonly string[];
  readonly isPath: boolean;
}

function placesOf({ path, query, headers, body }: DeclaredParts, asked: AskedList): readonly Place[] {
  const text = (value: unknown) => (isScalar(value) ? [String(value)] : []);
  const places = (
    declared: object | undefined,
    sentAt: (name: string) => readonly string[],
    isPath = false,
  ) =>
    Object.entries(declared ?? {}).map(([name, value]) => ({
      name,
      declared: value,
      sent: sentAt(name),
      isPath,
    }));
  return [
    ...places(path, (name) => text(asked.variables[name]), true),
    ...places(query, (name) => asked.query.getAll(name)),
    ...places(headers, (name) => text(asked.headers[name.toLowerCase()])),
    ...bodyPlaces(body, asked.body),
  ];
}

/** Whether a value stands for another one. */
function isSource(value: object): boolean {
  const isOther = isInput(value) || isAnswered(value) || safeGet(value, "kind") === "actionKey";
  return isOther || isParentSource(value) || isSettingSource(value);
}

function bodyPlaces(declared: unknown, sent: unknown): readonly Place[] {
  if (!isJsonObject(declared) || isSource(declared)) return [];
  return Object.entries(declared).flatMap(([name, value]) => {
    const inner = isJsonObject(sent) ? sent[name] : undefined;
    const own = { name, declared: value, sent: isScalar(inner) ? [String(inner)] : [], isPath: false };
    return [own, ...bodyPlaces(value, inner)];
  });
}
