/** How a list comes in pages. A reader that stops too early deletes what it did not read: what is not said is asked. */

import type { PageSize } from "../../../schemas/authoring/openapi-import.js";
import { splitWords } from "../../../schemas/naming/words.js";
import type { ApiOperation, ApiSchema, At } from "../reading/api-description.js";
import { isArray, isTextOrNumber, type Shape } from "../reading/shapes.js";
import {
  askingParameters,
  type ListParameter,
  listParameters,
  sentAs,
  sentByPages,
} from "./list-parameters.js";
import type { Decision, PlannedPages } from "./plan.js";
import type { Survey } from "./survey.js";
import { type VendorPaging, vendorPages } from "./vendor-pages.js";
import { isIdentifierName, nameSet, plainName, quoted } from "./words.js";

type PagesDecision = Decision<PlannedPages>;

const PAGE = nameSet("page pagenumber pageno pagenum pageindex pageidx currentpage pagenr pagecounter");
const OFFSET = nameSet(
  "offset skip start startat startindex startposition firstresult pageoffset recordoffset resultoffset startfrom startrow startrecord",
);
const SIZE = nameSet(
  `limit pagesize perpage size pagelimit maxresults count top take rows itemsperpage resultsperpage recordsperpage
  maxitems maxrecords numresults numitems pagelength batchsize pageitems maxpagesize max maxentries resultlimit
  maxnumber numberofresults resultsize entriesperpage maxkeys nbresults`,
);
const CURSOR = nameSet(
  `cursor after pagetoken nexttoken marker continuation continuationtoken startingafter startafter bookmark pagecursor
  nextcursor pageafter scrollid nextpagetoken paginationtoken pagestate exclusivestartkey startkey startcursor aftercursor
  cursorafter pagekey nextkey nextmarker paginationcursor offsettoken startingtoken afterid lastid nextid iterator
  pagemarker scrolltoken nextpagekey skiptoken`,
);
/** Cursors that are the key of a record. */
const LAST_KEY = nameSet("startingafter startafter afterid lastid after");

const NEXT_LINK = nameSet(
  "next nextlink nexturl nexturi nextpage nextpageurl nextpageuri nextpagelink odatanextlink nexthref nextpath nextresultsurl nexturlpath",
);
const TOKEN = nameSet(
  `nextcursor nextpagetoken nexttoken nextmarker nextoffset continuationtoken continuation nextpagecursor nextkey
  nextbookmark nextpagekey nextpageid endcursor aftercursor cursornext nextafter nextid nextstart nextstartingafter
  nextpagestart scrollid lastevaluatedkey nextpagemarker nextscrollid nextbatch nextpaginationtoken newcursor`,
);
/** Names that say a cursor among others of the paging only. */
const TOKEN_INSIDE = nameSet("next after cursor bookmark token end marker");
const PAGING = nameSet(
  "paging pagination pageinfo cursors cursor next meta metadata responsemetadata page pager links paginationinfo responsemeta",
);
const TOTAL = nameSet(
  "total totalcount totalitems totalresults totalrecords totalentries totalrows totalsize totalhits totalelements odatacount recordstotal totalobjects resultcount totalnumber totalnumberofresults totalitemcount totalrecordcount numfound totalfound recordsfound",
);
const TOTAL_PAGES = nameSet(
  "totalpages pagecount pages numpages lastpage pagetotal totalpagecount numberofpages maxpages",
);
const LAST = nameSet("islast islastpage last lastpage");
const MORE = nameSet(
  "hasmore hasnext hasnextpage more moreitems hasmoreitems hasmoreresults hasmorepages morerecords istruncated moreavailable hasmoredata",
);

const PAGE_NAMES = [NEXT_LINK, TOKEN, TOTAL, TOTAL_PAGES, LAST, MORE];

/** A member of the answer beside the records. */
interface Member {
  readonly way: string;
  readonly plain: string;
  readonly parents: readonly string[];
  readonly shape: Shape;
  readonly schema: ApiSchema;
}

/** What rules look at. */
interface Search {
  readonly operation: ApiOperation;
  readonly survey: Survey;
  readonly isRootList: boolean;
  readonly members: readonly Member[];
  /** Whether the answer has a total only if it is asked for; without that it may be 0. */
  readonly isTotalAsked: boolean;
  readonly page: ListParameter | undefined;
  readonly offset: ListParameter | undefined;
  readonly cursor: ListParameter | undefined;
  /** How many records a page is to have, as the document calls it for pages of each kind. */
  readonly sizeParameter: ListParameter | undefined;
  readonly size: PageSize | undefined;
  readonly sizeOfPage: PageSize | undefined;
  readonly sizeOfOffset: PageSize | undefined;
  readonly key: readonly string[];
}

type Rule = (search: Search) => PagesDecision | undefined;

/** How the pages of `list` are asked for, whose records stand at `items` and have the key `key`. */
export function decidePages(
  list: ApiOperation,
  { items, key }: { readonly items: string; readonly key: readonly string[] },
  survey: Survey,
): PagesDecision {
  const search = searchOf(list, { items, key }, survey);
  for (const rule of RULES) {
    const found = rule(search);
    if (found !== undefined) return found.state === "ask" ? found : { ...found, at: allCited(found, search) };
  }
  return { state: "sure", value: { kind: "one" }, evidence: "nothing speaks of pages", at: [list.at] };
}

/** A decision stays as long as all is there that it names: what it sends, and the members that it reads. */
function allCited({ value, at }: PagesDecision, search: Search): readonly At[] {
  const { operation, survey } = search;
  const sent = new Set(sentByPages(value));
  const parameters = askingParameters(operation, survey.shapes).filter(({ name }) => sent.has(name));
  const ways = Object.entries(value).flatMap(([name, way]) =>
    ["next", "last", "total", "more"].includes(name) && typeof way === "string" ? [way] : [],
  );
  const members = ways.flatMap((way) => memberAt(way, search)?.schema.at ?? []);
  return [...new Set([...at, ...parameters.map((parameter) => parameter.at), ...members])];
}

/**
 * What of a list speaks of pages, as one text: lists with the same one leave the same open. Its words are those of the
 * list itself.
 */
export function pagesForm(
  list: ApiOperation,
  place: { readonly items: string; readonly key: readonly string[] },
  survey: Survey,
): string {
  const { members, isRootList } = searchOf(list, place, survey);
  const speaks = (plain: string) => PAGE_NAMES.some((names) => names.has(plain));
  const asking = askingParameters(list, survey.shapes).filter(({ name }) =>
    [PAGE, OFFSET, SIZE, CURSOR].some((names) => names.has(pagingName(name))),
  );
  const others = listParameters(list, survey.shapes).filter((one) => speaksOfPages(one, survey));
  const parameters = new Set([...asking, ...others].map(({ in: where, name }) => `${where} ${name}`));
  const told = members.filter(({ plain, way }) => speaks(plain) || speaksOfNext(way));
  const headers = (list.answer?.headers ?? []).filter(({ name }) => SPEAKING_HEADER.test(name));
  const [said = ""] = PAGES_DESCRIBED.exec(describedBy(list)) ?? [];
  return JSON.stringify([
    isRootList,
    [...parameters].sort(),
    told.map(({ way }) => way).sort(),
    headers.map(({ name }) => name.toLowerCase()).sort(),
    said.toLowerCase(),
  ]);
}

function searchOf(
  operation: ApiOperation,
  { items, key }: { readonly items: string; readonly key: readonly string[] },
  survey: Survey,
): Search {
  const query = askingParameters(operation, survey.shapes);
  const isCounted = (parameter: ListParameter) =>
    isScalar(parameter, survey) && !isCursorText(parameter, survey);
  const named = (names: ReadonlySet<string>, isWanted: (parameter: ListParameter) => boolean = () => true) =>
    query.find((parameter) => names.has(pagingName(parameter.name)) && isWanted(parameter));
  const sizes = query.filter(
    (parameter) => SIZE.has(pagingName(parameter.name)) && isNumber(parameter, survey),
  );
  const [sizeParameter] = sizes;
  // `page` with `page_size` beside `offset` with `limit`: one of each pair does not go with the other.
  const sizeCalled = (isOfPages: boolean) => {
    const found = sizes.find(({ name }) => plainName(name).includes("page") === isOfPages) ?? sizeParameter;
    return found && pageSize(found, survey);
  };
  const cursor =
    named(CURSOR, (parameter) => isCursor(parameter, survey)) ??
    named(PAGE, (parameter) => isCursorText(parameter, survey)) ??
    named(OFFSET, (parameter) => isCursorText(parameter, survey));
  const { answer } = operation;
  const root = answer?.schema === undefined ? undefined : survey.shapes.of(answer.schema);
  return {
    operation,
    survey,
    isRootList: items === "$",
    members: root === undefined ? [] : membersBeside(root, items, survey),
    isTotalAsked: query.some((parameter) => asksForTotal(parameter, survey)),
    page: named(PAGE, isCounted),
    offset: named(OFFSET, isCounted),
    cursor,
    sizeParameter,
    size: sizeParameter && pageSize(sizeParameter, survey),
    sizeOfPage: sizeCalled(true),
    sizeOfOffset: sizeCalled(false),
    key,
  };
}

function isScalar({ schema }: ListParameter, survey: Survey): boolean {
  const { types, properties } = survey.shapes.of(schema);
  return properties.size === 0 && !(types.length === 1 && (types[0] === "object" || types[0] === "array"));
}

function asksForTotal({ name, schema }: ListParameter, survey: Survey): boolean {
  const { types, parts } = survey.shapes.of(schema);
  const isOn = parts.some(({ defaultValue }) => defaultValue === true);
  return types.includes("boolean") && !isOn && /(?:total|count)s?$/.test(plainName(name));
}

/** `page[size]` is a size: what stands in brackets may be called by its last word alone. */
function pagingName(name: string): string {
  // A way into a body is called by its last word.
  const plain = plainName(name.split(".").at(-1) ?? "");
  const [, inner = ""] = /^(?:page\[(\w+)\])$/i.exec(name) ?? /^page\.(number)$/i.exec(name) ?? [];
  const word = plainName(inner);
  if (word === "number") return "page";
  return word !== "" && (SIZE.has(word) || OFFSET.has(word) || CURSOR.has(word)) ? word : plain;
}

function isNumber(parameter: ListParameter, survey: Survey): boolean {
  const { types } = survey.shapes.of(parameter.schema);
  if (!isScalar(parameter, survey)) return false;
  return types.length === 0 || !types.includes("string") || hasNumber(parameter, survey);
}

/** `after` may be a date, too. */
function isCursor({ schema, description }: ListParameter, survey: Survey): boolean {
  const shape = survey.shapes.of(schema);
  if (!isTextOrNumber(shape) || shape.format.startsWith("date")) return false;
  return (
    !/\b(?:dates?|times?|timestamps?|days?|iso ?8601|created|updated)\b/i.test(description) ||
    /\b(?:cursor|page|token)\b/i.test(description)
  );
}

/** A page or an offset that is a text, and no text of a number, is a cursor. */
function isCursorText(parameter: ListParameter, survey: Survey): boolean {
  const { types } = survey.shapes.of(parameter.schema);
  return types.length === 1 && types[0] === "string" && !hasNumber(parameter, survey);
}

function hasNumber({ schema, description }: ListParameter, survey: Survey): boolean {
  const { parts, format } = survey.shapes.of(schema);
  return (
    /^u?int/.test(format) ||
    parts.some(({ defaultValue, example }) => [defaultValue, example].some(isNumeric)) ||
    /\bpage (?:number|index)\b|\bnumber of (?:items|results|records|entries)\b/i.test(description)
  );
}

function isNumeric(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && /^\d+$/.test(value));
}

/** Records ask for no more than this at once, however large a page may be. */
const LARGEST_PAGE = 1000;
const SAID_MAXIMUM =
  /(?:\bmax(?:imum)?\b[^.\d]{0,40}|\bup to\b\s*|\bat most\b\s*|\bno more than\b\s*|\bcannot exceed\b\s*|<=\s*|\bbetween\b[^.]{0,20}\band\b\s*)(\d[\d,]*)/i;

/** The largest page that the document allows; undefined if it does not say. */
function pageSize(
  { name, schema, description, required, in: where }: ListParameter,
  survey: Survey,
): PageSize | undefined {
  const { parts, values } = survey.shapes.of(schema);
  const limits = parts.flatMap((part) => part.limits);
  const stated = limits.find(([keyword]) => keyword === "maximum")?.[1];
  const listed = values.filter((value) => typeof value === "number");
  const [, said = ""] = SAID_MAXIMUM.exec(description) ?? SAID_MAXIMUM.exec(schema.description) ?? [];
  const fallback = parts.map(({ defaultValue }) => defaultValue).find(isNumeric);
  const value = [
    listed.length === 0 ? undefined : Math.max(...listed),
    stated,
    said === "" ? undefined : Number(said.replaceAll(",", "")),
    required ? (fallback ?? 100) : undefined,
  ]
    .map(Number)
    .find((number) => Number.isInteger(number) && number > 1);
  return value === undefined
    ? undefined
    : { send: sentAs({ in: where, name }), value: Math.min(value, LARGEST_PAGE) };
}

/** How deep a cursor may stand. */
const DEEPEST = 4;

function membersBeside(root: Shape, items: string, survey: Survey): readonly Member[] {
  const members: Member[] = [];
  const visit = (shape: Shape, way: readonly string[]): void => {
    for (const { name, schema } of shape.properties.values()) {
      const inner = survey.shapes.of(schema);
      const steps = [...way, name];
      if (steps.join(".") === items || isArray(inner)) continue;
      const parents = way.map(plainName);
      members.push({ way: steps.join("."), plain: plainName(name), parents, shape: inner, schema });
      const isInside =
        parents.length === 0 ||
        parents.some((parent) => PAGING.has(parent)) ||
        items.startsWith(`${steps.join(".")}.`);
      if (steps.length < DEEPEST && isInside && inner.properties.size > 0) visit(inner, steps);
    }
  };
  if (!isArray(root)) visit(root, []);
  return members;
}

/** What an extension says goes before what the operation looks like, if the operation has what it names. */
const byVendor: Rule = (search) => {
  const { operation } = search;
  const vendor = vendorPages(operation, search.survey.shapes);
  if (vendor?.pages === undefined) return undefined;
  const found = fromVendor(vendor.pages, search);
  return (
    found && { ...found, evidence: `${vendor.name}: ${found.evidence}`, at: [operation.at, ...found.at] }
  );
};

function fromVendor(said: VendorPaging, search: Search): PagesDecision | undefined {
  const { members, size, survey } = search;
  const asking = askingParameters(search.operation, survey.shapes);
  const parameter = (name: string) => asking.find((one) => one.name === name);
  const member = (way: string) => members.find((one) => one.way === way) ?? memberAt(way, search);
  switch (said.kind) {
    case "one":
      return { state: "sure", value: { kind: "one" }, evidence: "there is one page", at: [] };
    case "link": {
      const next = member(said.next);
      const value: PlannedPages = { kind: "link", next: said.next, ...sized(size) };
      return next && { state: "sure", value, evidence: `the next page is at ${quoted(next.way)}`, at: [] };
    }
    case "page": {
      const page = parameter(said.send);
      const end = said.pages === undefined ? undefined : member(said.pages);
      return (
        page &&
        byPage({ ...search, page, members: end === undefined ? members : [{ ...end, plain: "pages" }] })
      );
    }
    case "offset": {
      const offset = parameter(said.send);
      const step = said.size === undefined ? undefined : parameter(said.size);
      const sizeOfOffset = step === undefined ? search.sizeOfOffset : pageSize(step, survey);
      const sizeParameter = step ?? search.sizeParameter;
      const total = said.total === undefined ? undefined : member(said.total);
      const told = total === undefined ? members : [{ ...total, plain: "total" }];
      return offset && byOffset({ ...search, offset, sizeParameter, sizeOfOffset, members: told });
    }
    case "cursor":
      return vendorCursor(said, { ...search, cursor: parameter(said.send) });
    default:
      return said satisfies never;
  }
}

/** The member of the answer at `way`. */
function memberAt(way: string, { operation, survey }: Search): Member | undefined {
  const { answer } = operation;
  const steps = way.split(".");
  let schema = answer?.schema;
  for (const step of steps) schema = schema && survey.shapes.of(schema).properties.get(step)?.schema;
  if (schema === undefined) return undefined;
  const [plain = "", ...parents] = steps.map(plainName).reverse();
  return { way, plain, parents: parents.reverse(), shape: survey.shapes.of(schema), schema };
}

function vendorCursor(
  said: Extract<VendorPaging, { readonly kind: "cursor" }>,
  search: Search,
): PagesDecision | undefined {
  const { cursor, members, key, size } = search;
  const next = said.next ?? tokenIn(members)?.way;
  if (cursor === undefined || next === undefined) return undefined;
  const isThere =
    typeof next === "string"
      ? memberAt(next, search) !== undefined
      : "header" in next || key[0] === next.lastItem;
  const told = said.more === undefined ? members.find(isMore)?.way : said.more;
  const isLast = typeof next !== "string" && "lastItem" in next;
  if (!isThere || (isLast && told === undefined)) return undefined;
  const value: PlannedPages = {
    kind: "cursor",
    send: sentAs(cursor),
    next,
    ...(told !== undefined && { more: told }),
    ...sized(size),
  };
  return {
    state: "sure",
    value,
    evidence: `parameter ${quoted(cursor.name)} takes ${nextWords(next)}`,
    at: [cursor.at],
  };
}

function nextWords(next: Extract<PlannedPages, { readonly kind: "cursor" }>["next"]): string {
  if (typeof next === "string") return quoted(next);
  return "header" in next ? `the header ${next.header}` : `the last record's ${quoted(next.lastItem)}`;
}

const byCursor: Rule = (search) => {
  const { cursor, members, size } = search;
  if (cursor === undefined) return undefined;
  const token = tokenIn(members);
  if (token === undefined || isAddress(token)) return undefined;
  const more = members.find(isMore);
  const value: PlannedPages = {
    kind: "cursor",
    send: sentAs(cursor),
    next: token.way,
    ...(more !== undefined && { more: more.way }),
    ...sized(size),
  };
  const evidence = `parameter ${quoted(cursor.name)}, and ${quoted(token.way)} in the answer`;
  return { state: "sure", value, evidence, at: [cursor.at, token.schema.at] };
};

/**
 * The member that a next page is asked for with. A name that says so by itself goes first. What is only called `next` may
 * be an address, a number or a token, and is one of those where the document says which.
 */
function tokenIn(members: readonly Member[]): Member | undefined {
  const usable = members.filter(({ shape }) => isTextOrNumber(shape));
  return (
    usable.find(({ plain }) => TOKEN.has(plain)) ??
    usable.find(
      ({ plain, parents }) => TOKEN_INSIDE.has(plain) && plain !== "next" && PAGING.has(parents.at(-1) ?? ""),
    ) ??
    usable.find(({ plain, parents }) => plain === "next" && /^cursors?$/.test(parents.at(-1) ?? "")) ??
    usable.find(
      ({ plain, shape }) =>
        /^next(?:page)?$/.test(plain) && /\b(?:cursor|token|bookmark|marker)\b/i.test(shape.description),
    ) ??
    usable.find(({ plain, parents }) => parents.length === 0 && /^(?:cursor|bookmark|marker)$/.test(plain))
  );
}

const byLink: Rule = ({ members, size }) => {
  const link = members.find((member) => isNextLink(member));
  if (link === undefined) return undefined;
  const value: PlannedPages = { kind: "link", next: link.way, ...sized(size) };
  const around = members.find(
    ({ way, shape }) => link.way === `${way}.href` && shape.types.includes("string"),
  );
  if (around !== undefined) {
    const evidence = `${quoted(around.way)} in the answer may be the address of the next page, or hold it`;
    return { state: "ask", value, evidence, at: [around.schema.at] };
  }
  const evidence = `${quoted(link.way)} in the answer is the address of the next page`;
  return { state: "sure", value, evidence, at: [link.schema.at] };
};

function isNextLink(member: Member): boolean {
  const { plain, parents, shape } = member;
  if (plain === "href" && parents.at(-1) === "next") return true;
  const isText = shape.types.length === 0 || shape.types.includes("string");
  return NEXT_LINK.has(plain) && isText && shape.properties.size === 0 && isAddress(member);
}

function isAddress({ plain, parents, shape }: Member): boolean {
  if (/(?:url|uri|link|href)$/.test(plain) || /^links?$/.test(parents.at(-1) ?? "")) return true;
  if (/^ur[il]/.test(shape.format)) return true;
  return (
    /\b(?:url|uri|link|href)\b/i.test(shape.description) ||
    shape.parts.some(({ example }) => typeof example === "string" && /^(?:https?:\/\/|\/\w)/.test(example))
  );
}

const byLinkHeader: Rule = ({ operation, page, offset, cursor, size, sizeParameter }) => {
  const header = operation.answer?.headers.find(({ name }) => plainName(name) === "link");
  if (header === undefined) return undefined;
  const speaks = /next|pag/i.test(header.description);
  const isPaged = [page, offset, cursor, sizeParameter].some((parameter) => parameter !== undefined);
  const value: PlannedPages = { kind: "linkHeader", ...sized(size) };
  return {
    state: speaks || isPaged ? "sure" : "middle",
    value,
    evidence: `the answer has the header ${header.name}`,
    at: [header.at],
  };
};

const byOffset: Rule = ({ offset, members, isTotalAsked, sizeOfOffset: size, sizeParameter, survey }) => {
  if (offset === undefined || sizeParameter === undefined) return undefined;
  const first = firstOf(offset, survey);
  if (first === undefined ? isIndexFromOne(offset) : first > 0) {
    const evidence = `${quoted(offset.name)} does not begin at 0, and declared pages count from there`;
    return {
      state: "ask",
      value: { kind: "offset", send: sentAs(offset), ...sized(size) },
      evidence,
      at: [offset.at],
    };
  }
  const total = isTotalAsked
    ? undefined
    : members.find(({ plain, shape }) => TOTAL.has(plain) && isTextOrNumber(shape));
  const more = members.find(isMore);
  const last = members.find(({ plain }) => LAST.has(plain));
  const value: PlannedPages = {
    kind: "offset",
    send: sentAs(offset),
    ...(total !== undefined && { total: total.way }),
    ...(total === undefined && more !== undefined && { more: more.way }),
    ...sized(size),
  };
  return withEnd({ value, parameter: offset, end: total ?? more ?? last });
};

function isIndexFromOne({ name, description }: ListParameter): boolean {
  return plainName(name) === "startindex" || /\b1-based\b|\bstarts? (?:at|from|with) 1\b/i.test(description);
}

const byPage: Rule = ({ page, members, sizeOfPage: size, survey }) => {
  if (page === undefined) return undefined;
  const first = firstPage(page, survey);
  if (first === undefined) {
    const evidence = `${quoted(page.name)} may begin at 0 or at 1`;
    return {
      state: "ask",
      value: { kind: "page", send: sentAs(page), first: 0, ...sized(size) },
      evidence,
      at: [page.at],
    };
  }
  const pages = members.find(({ plain, shape }) => TOTAL_PAGES.has(plain) && isCount(shape));
  const last = members.find(({ plain, shape }) => LAST.has(plain) && shape.types.includes("boolean"));
  const told =
    members.find(({ plain, shape }) => TOTAL.has(plain) && isTextOrNumber(shape)) ?? members.find(isMore);
  // Pages that count from 0 end one number before their count.
  const end = last ?? (first === 1 ? pages : undefined);
  const value: PlannedPages = {
    kind: "page",
    send: sentAs(page),
    first,
    ...(end !== undefined && { last: end.way }),
    ...sized(size),
  };
  return withEnd({ value, parameter: page, end: end ?? pages ?? told });
};

/** Pages that end by what the answer says are sure; those that end with an empty one are confirmed by the first answer. */
function withEnd(found: {
  readonly value: PlannedPages;
  readonly parameter: ListParameter;
  readonly end: Member | undefined;
}): PagesDecision {
  const { value, parameter, end } = found;
  const name = quoted(parameter.name);
  return end === undefined
    ? {
        state: "middle",
        value,
        evidence: `parameter ${name}; the answer does not tell the last page, so an empty one ends it`,
        at: [parameter.at],
      }
    : {
        state: "sure",
        value,
        evidence: `parameter ${name}, and ${quoted(end.way)} in the answer`,
        at: [parameter.at, end.schema.at],
      };
}

/** A cursor and a list without anything round it: the cursor comes in a header, or is the key of the last record. */
const byRootList: Rule = ({ operation, cursor, isRootList, size }) => {
  if (cursor === undefined || !isRootList || !CURSOR.has(pagingName(cursor.name))) return undefined;
  const isLink = [cursor.description, operation.description].some((text) => LINK_HEADER.test(text));
  const name = quoted(cursor.name);
  return {
    state: isLink ? "middle" : "ask",
    value: { kind: "linkHeader", ...sized(size) },
    evidence: isLink
      ? `parameter ${name}, and a description that speaks of the header Link`
      : `there is parameter ${name}, but nothing says whether its value comes in a header or from the last record`,
    at: [cursor.at],
  };
};

const LINK_HEADER = /\blink\b[^.]{0,20}\bheaders?\b|\bheaders?\b[^.]{0,20}\blink\b/i;

const byLastItem: Rule = ({ cursor, members, key, size }) => {
  const more = members.find(isMore);
  const [property, another] = key;
  if (cursor === undefined || more === undefined || property === undefined || another !== undefined)
    return undefined;
  if (!LAST_KEY.has(plainName(cursor.name))) return undefined;
  return {
    state: "sure",
    value: {
      kind: "cursor",
      send: sentAs(cursor),
      next: { lastItem: property },
      more: more.way,
      ...sized(size),
    },
    evidence: `parameter ${quoted(cursor.name)}, and ${quoted(more.way)} in the answer: the cursor is the last record's ${quoted(property)}`,
    at: [cursor.at, more.schema.at],
  };
};

/** A part of a paging without its counterpart. */
const byRemains: Rule = ({ cursor, offset, sizeParameter, members, size }) => {
  const member =
    members.find(isMore) ??
    members.find(({ plain, shape }) => (TOKEN.has(plain) || NEXT_LINK.has(plain)) && isTextOrNumber(shape)) ??
    members.find(({ plain, shape }) => TOTAL.has(plain) && isCount(shape)) ??
    members.find(({ plain, shape }) => TOTAL_PAGES.has(plain) && isCount(shape));
  const parameter = cursor ?? offset ?? sizeParameter;
  if (parameter === undefined && member === undefined) return undefined;
  const parts = [
    ...(parameter === undefined ? [] : [`parameter ${quoted(parameter.name)}`]),
    ...(member === undefined ? [] : [`${quoted(member.way)} in the answer`]),
  ];
  const at: readonly At[] = [
    ...(parameter === undefined ? [] : [parameter.at]),
    ...(member === undefined ? [] : [member.schema.at]),
  ];
  const evidence = `there is ${parts.join(" and ")}, but nothing says how the next page is asked for`;
  return { state: "ask", value: proposalFor({ cursor, offset, size }), evidence, at };
};

/** Words of a name that speak of pages, though not the way in which they come. */
const SPEAKS_OF_PAGES = nameSet("paging paginate paginated pagination cursor offset");
/** These do, too, if it is a number. */
const MAY_SPEAK_OF_PAGES = nameSet("page pages limit");
/** And these, if it is one that is taken where nothing is sent. */
const MAY_COUNT = nameSet("count rows results take");
/** Words of a member that speak of another page. */
const SPEAKS_OF_NEXT = nameSet("next more previous prev page pages paging pagination cursor");
const PAGES_DESCRIBED =
  /\bpaginat(?:e|ed|es|ing|ion)\b|\b(?:next|previous|each|given) page\b|\bpage (?:number|index|size|token)\b|\bper page\b|\b(?:results|items|records|entries|objects|rows) to (?:return|skip|retrieve|fetch)\b|\b(?:max(?:imum)?|number) (?:number )?of (?:results|items|records|entries|objects|rows)\b|\bthis many\b|\blimits? the (?:number|amount)\b/i;
const NO_PAGES_DESCRIBED = /\b(?:not|no|un|without|isn't|never)[ -]?(?:be |yet |support(?:ed)? )?paginat/i;

/** What speaks of pages in words that no rule knows: such a list is never taken for one page. */
const bySuspicion: Rule = ({ operation, members, survey }) => {
  const parameter = listParameters(operation, survey.shapes).find((one) => speaksOfPages(one, survey));
  const header = operation.answer?.headers.find(({ name }) => SPEAKING_HEADER.test(name));
  const member = members.find(({ way }) => speaksOfNext(way));
  const ask = (what: string, at: At): PagesDecision => {
    const evidence = `${what} may be of pages, but nothing says how the next one is asked for`;
    return { state: "ask", value: { kind: "one" }, evidence, at: [at] };
  };
  if (parameter !== undefined) return ask(`parameter ${quoted(parameter.name)}`, parameter.at);
  if (member !== undefined) return ask(`${quoted(member.way)} in the answer`, member.schema.at);
  if (header !== undefined) return ask(`the header ${header.name} of the answer`, header.at);
  const words = describedBy(operation);
  return PAGES_DESCRIBED.test(words) && !NO_PAGES_DESCRIBED.test(words)
    ? ask("the description of the operation", operation.at)
    : undefined;
};

function speaksOfNext(way: string): boolean {
  return splitWords(way).some((word) => SPEAKS_OF_NEXT.has(plainName(word)));
}

function describedBy({ summary, description }: ApiOperation): string {
  return `${summary}\n${description}`;
}

const SPEAKING_HEADER = /(?:^|-)(?:next|pages?|paging|pagination|cursor|continuation|total(?!-time))(?:-|$)/i;

function speaksOfPages({ name, in: place, description, schema }: ListParameter, survey: Survey): boolean {
  if (place === "header") return SPEAKING_HEADER.test(name);
  if (place !== "query" && place !== "body") return false;
  const words = splitWords(name).map(plainName);
  if (words.some((word) => SPEAKS_OF_PAGES.has(word)) || PAGES_DESCRIBED.test(description)) return true;
  const { types, parts } = survey.shapes.of(schema);
  const mayCount = ["integer", "number", "object"] as const;
  if (isIdentifierName(name) || !mayCount.some((type) => types.includes(type))) return false;
  const hasDefault = parts.some(({ defaultValue }) => isNumeric(defaultValue));
  return words.some((word) => MAY_SPEAK_OF_PAGES.has(word) || (hasDefault && MAY_COUNT.has(word)));
}

function proposalFor({ cursor, offset, size }: Pick<Search, "cursor" | "offset" | "size">): PlannedPages {
  if (cursor !== undefined) return { kind: "cursor", send: sentAs(cursor), next: "", ...sized(size) };
  if (offset !== undefined) return { kind: "offset", send: sentAs(offset), ...sized(size) };
  return { kind: "one" };
}

/** In the order in which they decide. */
const RULES: readonly Rule[] = [
  byVendor,
  byCursor,
  byLink,
  byLinkHeader,
  byOffset,
  byPage,
  byLastItem,
  byRootList,
  byRemains,
  bySuspicion,
];

function sized(size: PageSize | undefined): { readonly size?: PageSize } {
  return size === undefined ? {} : { size };
}

function isMore({ plain, shape }: Member): boolean {
  return MORE.has(plain) && (shape.types.length === 0 || shape.types.includes("boolean"));
}

function isCount({ types }: Shape): boolean {
  return types.includes("integer") || types.includes("number");
}

/** What the document says that the first page or record is called. */
function firstOf({ schema, description }: ListParameter, survey: Survey): number | undefined {
  const { parts } = survey.shapes.of(schema);
  const stated = parts.map(({ defaultValue }) => defaultValue).find(isNumeric);
  if (stated !== undefined) return Number(stated);
  if (FROM_ZERO.test(description) || FROM_ZERO.test(schema.description)) return 0;
  const least = parts.flatMap(({ limits }) => limits).find(([keyword]) => keyword === "minimum")?.[1];
  return typeof least === "number" ? least : undefined;
}

const FROM_ZERO =
  /\b(?:0|zero)[- ](?:based|indexed)\b|\bdefaults?(?: value)?(?: to| is| of|:| =)? ?[`'"]?0\b|\b(?:starts?|starting|begins?|beginning|counting) (?:at|from|with) (?:0|zero)\b|\bfirst page (?:is|=) ?(?:0|zero)\b/i;

const FROM_ONE =
  /\b(?:1|one)[- ](?:based|indexed)\b|\b(?:starts?|starting|begins?|beginning|counting) (?:at|from|with) (?:1|one)\b|\bgreater than (?:0|zero)\b|\b(?:defaults? to|set to) ?[`'"]?1\b/i;

/** Undefined if nothing tells whether pages count from 0 or from 1. */
function firstPage(page: ListParameter, survey: Survey): number | undefined {
  const first = firstOf(page, survey);
  if (first === 0 || first === 1) return first;
  const { parts } = survey.shapes.of(page.schema);
  if (parts.some(({ example }) => example === 0 || example === "0")) return 0;
  if (FROM_ONE.test(page.description)) return 1;
  // A description that names 0 speaks of it for a reason.
  const isOpen = /(?:index|idx)$/.test(plainName(page.name)) || /\b(?:0|zero)\b/i.test(page.description);
  return isOpen ? undefined : 1;
}
