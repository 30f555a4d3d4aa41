/** Pages of a list, one in flight at a time: the next is asked for when the last was taken. */
import { type ApiResponse, orThrow } from "../http/api-response.js";
import type { CallOptions, HttpClient } from "../http/http-client.js";
import { repeatedPages, stepsOf } from "./endless.js";
import { nextLink } from "./link-header.js";

/** A page that is no successful answer with content throws ResponseError: a list never ends early without a word. */
export type Pages<Page> = AsyncGenerator<Page, void, undefined>;

interface Bound {
  /** More pages than that are an error; 100,000. */
  readonly maxPages?: number | undefined;
}

export interface PageNumberOptions<Page> extends Bound {
  read(page: number): Promise<ApiResponse<Page>>;
  /** An empty page is the end. */
  itemsOf(page: Page): readonly unknown[];
  /** Where the page itself says that it is the last. */
  isLast?(page: Page): boolean;
  /** Number of the first page; 1. */
  readonly first?: number | undefined;
}

/** Pages by number. @throws ResponseError, EndlessPages */
export async function* pageNumbers<Page>(options: PageNumberOptions<Page>): Pages<Page> {
  const { read, itemsOf, isLast, first = 1, maxPages } = options;
  const isRepeated = repeatedPages();
  for (const step of stepsOf(maxPages)) {
    const page = orThrow(await read(first + step));
    const items = itemsOf(page);
    if (items.length === 0) return;
    isRepeated(items);
    yield page;
    if (isLast?.(page) === true) return;
  }
}

export interface OffsetOptions<Page> extends Bound {
  read(offset: number): Promise<ApiResponse<Page>>;
  /** An empty page is the end; one that is shorter than asked for is not, for servers have limits of their own. */
  itemsOf(page: Page): readonly unknown[];
  /** The count of all items, where the page has it: saves asking for an empty page. */
  totalOf?(page: Page): number | null | undefined;
}

/** Pages by the count of items before them. @throws ResponseError, EndlessPages */
export async function* offsets<Page>(options: OffsetOptions<Page>): Pages<Page> {
  const { read, itemsOf, totalOf, maxPages } = options;
  const isRepeated = repeatedPages();
  let offset = 0;
  for (const _ of stepsOf(maxPages)) {
    const page = orThrow(await read(offset));
    const items = itemsOf(page);
    if (items.length === 0) return;
    isRepeated(items);
    yield page;
    offset += items.length;
    if (offset >= (totalOf?.(page) ?? Number.POSITIVE_INFINITY)) return;
  }
}

export interface CursorOptions<Page> extends Bound {
  /** Undefined for the first page. A cursor that is an address goes to `http.get` as it is. */
  read(cursor: string | undefined): Promise<ApiResponse<Page>>;
  /** Null, undefined or an empty text is the end. */
  cursorOf(page: Page): string | null | undefined;
}

/** Pages that name the next one. @throws ResponseError, EndlessPages */
export async function* cursors<Page>({ read, cursorOf, maxPages }: CursorOptions<Page>): Pages<Page> {
  const isRepeated = repeatedPages();
  let cursor: string | undefined;
  for (const _ of stepsOf(maxPages)) {
    const page = orThrow(await read(cursor));
    yield page;
    cursor = cursorOf(page) ?? "";
    if (cursor === "") return;
    isRepeated(cursor);
  }
}

/**
 * Pages whose answers link to the next one (RFC 8288). @throws ResponseError, EndlessPages, and RequestRefused for
 * a link to another origin.
 */
export async function* linkHeaders<Page>(
  http: HttpClient,
  path: string,
  options: CallOptions & Bound = {},
): Pages<Page> {
  const { query, maxPages, ...call } = options;
  const isRepeated = repeatedPages();
  let address: string | undefined = http.address(path, query);
  for (const _ of stepsOf(maxPages)) {
    const response: ApiResponse<Page> = await http.get<Page>(address, call);
    yield orThrow(response);
    address = nextLink(response.headers["link"], address);
    if (address === undefined) return;
    isRepeated(address);
  }
}
