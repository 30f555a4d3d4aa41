/** Pages of a list, one request at a time: the next page is asked for when the last was taken. */
import { hash } from "node:crypto";
import { noteReadByPosition } from "../read-by-position.js";
import { type ApiResponse, answerOf, resultOrThrow } from "./api-response.js";
import { EndlessPagesError, ResponseError } from "./errors.js";
import type { CallOptions, HttpClient } from "./http-client.js";
import { sentenceOfSuccess } from "./target-words.js";

/**
 * Pages in their order. Reading throws ResponseError if a page fails or has no content, so that a list never ends early
 * in silence.
 */
export type PageIterator<Page> = AsyncGenerator<Page, void, undefined>;

/** A bound against lists that never end. */
export interface PageLimit {
  /**
   * Reading more pages than that throws EndlessPagesError.
   * @default 100_000
   */
  readonly maxPages?: number | undefined;
}

/** How `pageNumbers` reads a list. */
export interface PageNumberOptions<Page> extends PageLimit {
  /** Reads the page with this number. */
  read(page: number): Promise<ApiResponse<Page>>;
  /** The items of a page. A page without items is the end of the list, and is not given. */
  itemsOf(page: Page): readonly unknown[];
  /** Whether the page says that it is the last one. */
  isLast?(page: Page): boolean;
  /**
   * Number of the first page.
   * @default 1
   */
  readonly first?: number | undefined;
}

/**
 * Pages by their number. If a record goes while the list is read, the records behind it move, and one of them may be on no
 * page: before a full read of several pages deletes anything, the cache writer reads the list again. {@link cursors} and
 * {@link linkHeaders} have no such gap where the target system continues after a record, not after a count.
 * @throws ResponseError if a page fails or `itemsOf` gives no list; EndlessPagesError if a page comes again or `maxPages`
 * were read.
 * @example
 * const pages = pageNumbers({
 *   read: (page) => http.get<{ items: Project[] }>("projects", { query: { page } }),
 *   itemsOf: ({ items }) => items,
 * });
 * for await (const { items } of pages) yield* items;
 */
export async function* pageNumbers<Page>(options: PageNumberOptions<Page>): PageIterator<Page> {
  const { read, itemsOf, isLast, first = 1, maxPages } = options;
  const checkRepeated = createRepeatCheck();
  for (const step of countPages(maxPages)) {
    if (step > 0 || first > 1) noteReadByPosition();
    const response = await read(first + step);
    const page = resultOrThrow(response);
    const items = listOf(page, { itemsOf, response });
    if (items.length === 0) return;
    checkRepeated(items);
    yield page;
    if (isLast?.(page) === true) return;
  }
}

/** How `offsets` reads a list. */
export interface OffsetOptions<Page> extends PageLimit {
  /** Reads the page behind so many items. */
  read(offset: number): Promise<ApiResponse<Page>>;
  /**
   * The items of a page. A page without items is the end of the list, and is not given. A page that is shorter than asked
   * for is not the end: servers have limits of their own.
   */
  itemsOf(page: Page): readonly unknown[];
  /** The count of all items, if the page has it; saves the request for an empty page. */
  totalOf?(page: Page): number | null | undefined;
}

/**
 * Pages by the count of items before them. What is said of {@link pageNumbers} holds: a list that shrinks is read again
 * before anything is deleted.
 * @throws ResponseError if a page fails or `itemsOf` gives no list; EndlessPagesError if a page comes again or `maxPages`
 * were read.
 * @example
 * const pages = offsets({
 *   read: (skip) => http.get<{ items: Project[]; total: number }>("projects", { query: { skip, top: 100 } }),
 *   itemsOf: ({ items }) => items,
 *   totalOf: ({ total }) => total,
 * });
 */
export async function* offsets<Page>(options: OffsetOptions<Page>): PageIterator<Page> {
  const { read, itemsOf, totalOf, maxPages } = options;
  const checkRepeated = createRepeatCheck();
  let offset = 0;
  for (const _ of countPages(maxPages)) {
    if (offset > 0) noteReadByPosition();
    const response = await read(offset);
    const page = resultOrThrow(response);
    const items = listOf(page, { itemsOf, response });
    if (items.length === 0) return;
    checkRepeated(items);
    yield page;
    offset += items.length;
    if (offset >= (totalOf?.(page) ?? Number.POSITIVE_INFINITY)) return;
  }
}

/** How `cursors` reads a list. */
export interface CursorOptions<Page> extends PageLimit {
  /** Reads the page at a cursor; undefined is the first page. A cursor that is an address can be given to `http.get`. */
  read(cursor: string | undefined): Promise<ApiResponse<Page>>;
  /** The cursor of the next page; null, undefined or an empty text is the end of the list. */
  cursorOf(page: Page): string | null | undefined;
}

/**
 * Pages of which each names the next one.
 * @throws ResponseError if a page fails; EndlessPagesError if a cursor comes again or `maxPages` were read.
 * @example
 * const pages = cursors({
 *   read: (after) => http.get<{ items: Project[]; next: string | null }>("projects", { query: { after } }),
 *   cursorOf: ({ next }) => next,
 * });
 */
export async function* cursors<Page>({ read, cursorOf, maxPages }: CursorOptions<Page>): PageIterator<Page> {
  const checkRepeated = createRepeatCheck();
  let cursor: string | undefined;
  for (const _ of countPages(maxPages)) {
    const page = resultOrThrow(await read(cursor));
    yield page;
    cursor = cursorOf(page) ?? "";
    if (cursor === "") return;
    checkRepeated(cursor);
  }
}

/**
 * Pages whose answers link to the next one by the header `Link` (RFC 8288).
 * @throws ResponseError if a page fails; EndlessPagesError if a link comes again or `maxPages` were read;
 * RequestRefusedError for a link to another origin.
 * @example
 * for await (const projects of linkHeaders<Project[]>(http, "projects", { query: { per_page: 100 } })) {
 *   yield* projects;
 * }
 */
export async function* linkHeaders<Page>(
  http: HttpClient,
  path: string,
  options: CallOptions & PageLimit = {},
): PageIterator<Page> {
  const { query, maxPages, ...call } = options;
  const checkRepeated = createRepeatCheck();
  let address: string | undefined = http.address(path, query);
  for (const _ of countPages(maxPages)) {
    const response: ApiResponse<Page> = await http.get<Page>(address, call);
    yield resultOrThrow(response);
    address = nextLink(response.headers["link"], address);
    if (address === undefined) return;
    checkRepeated(address);
  }
}

/** The items of `page`. @throws ResponseError, which says what the page is, if `itemsOf` finds no list in it. */
function listOf<Page>(
  page: Page,
  { itemsOf, response }: { readonly itemsOf: (page: Page) => unknown; readonly response: ApiResponse<Page> },
): readonly unknown[] {
  const items = itemsOf(page);
  if (Array.isArray(items)) return items;
  const found = items === page ? "" : `itemsOf gave ${kindOf(items)}. `;
  const what = `${found}The page is ${kindOf(page)}. ${sentenceOfSuccess(page)}`;
  const message = `${answerOf(response)} has no list of items: ${what}Change itemsOf to where the items stand.`;
  throw new ResponseError(message, response.statusCode);
}

const MAX_NAMES = 10;

/** What a value is, without its values: names of members are no secrets. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value !== "object") return `a ${typeof value}`;
  const names = Object.keys(value).map((name) => JSON.stringify(name.slice(0, 40)));
  if (names.length === 0) return "an object without members";
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  return `an object with the members ${names.slice(0, MAX_NAMES).join(", ")}${more}`;
}

const LINK = /<([^<>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s";,]*))?)*)/g;
const RELATION = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s";,]*))/i;

/** The absolute address of the link with the relation `next`. Returns undefined if there is none. */
export function nextLink(
  header: string | readonly string[] | undefined,
  current: string,
): string | undefined {
  const text = typeof header === "string" ? header : (header ?? []).join(", ");
  for (const [, target = "", parameters = ""] of text.matchAll(LINK)) {
    const [, quoted, plain] = RELATION.exec(parameters) ?? [];
    const relations = (quoted ?? plain ?? "").toLowerCase().split(/\s+/);
    // Some link to a page that they know to be empty.
    if (/;\s*results\s*=\s*"?false/i.test(parameters)) continue;
    if (relations.includes("next") && URL.canParse(target, current)) return new URL(target, current).href;
  }
  return undefined;
}

/** 0, 1, 2, … @throws EndlessPagesError after `maxPages` of them. */
export function* countPages(maxPages = 100_000): Generator<number, void, undefined> {
  for (let step = 0; step < maxPages; step++) yield step;
  throw new EndlessPagesError(
    `The list has not ended after ${maxPages} pages. Raise maxPages if it is that long.`,
  );
}

/**
 * A function that throws EndlessPagesError if it is given an earlier value again. It keeps one value, given at a power of
 * two: a circle is found after at most three rounds, in constant memory.
 */
export function createRepeatCheck(): (value: unknown) => void {
  let kept = "";
  let count = 0;
  return (value) => {
    const digest = hash("sha256", JSON.stringify(value));
    if (count > 0 && digest === kept) {
      throw new EndlessPagesError("The list does not end: a page leads back to one that was there before.");
    }
    count++;
    if ((count & (count - 1)) === 0) kept = digest;
  };
}
