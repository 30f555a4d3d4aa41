/** Lists in every kind of pages, as target systems answer them, and how each is declared. */
import type { ServerResponse } from "node:http";
import type { Pages } from "../../runtime/entries/runtime.js";
import type { Item } from "./item-cache.js";
import { answerJson, type Loopback, type SeenRequest, serve } from "./loopback.js";

/** What a server answers, and how its pages are declared. */
export interface PagedForm {
  readonly pages: Pages<unknown>;
  /** The answer to a request for records of `list`, at most `cap` a page. */
  answer(request: ListRequest): {
    readonly body: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  };
}

/** What a list is asked for. */
export interface ListRequest {
  readonly list: readonly Item[];
  readonly cap: number;
  readonly parameters: URLSearchParams;
  readonly address: (parameters: Readonly<Record<string, string>>) => string;
}

/** By name: every kind of pages, cursors in each of their three places. */
export const FORMS = {
  one: { pages: { kind: "one" }, answer: ({ list }) => ({ body: { data: list } }) },
  page: {
    pages: { kind: "page", send: "page", size: { send: "size", value: 1_000 } },
    answer: (request) => ({ body: { data: numbered(request) } }),
  },
  offset: {
    pages: { kind: "offset", send: "skip", total: "total" },
    answer: ({ list, cap, parameters }) => {
      const start = Number(parameters.get("skip"));
      return { body: { data: list.slice(start, start + cap), total: list.length } };
    },
  },
  pageOfTotal: {
    pages: { kind: "page", send: "page", total: "total" },
    answer: (request) => ({ body: { data: numbered(request), total: request.list.length } }),
  },
  pageOfLast: {
    pages: { kind: "page", send: "page", last: "pages" },
    answer: (request) => ({
      body: { data: numbered(request), pages: Math.ceil(request.list.length / request.cap) },
    }),
  },
  cursor: {
    pages: { kind: "cursor", send: "after", next: "paging.next" },
    answer: (request) => {
      const { data, last } = behind(request);
      return { body: { data, paging: last === undefined ? null : { next: String(last.id) } } };
    },
  },
  cursorInHeader: {
    pages: { kind: "cursor", send: "after", next: { header: "X-Next" } },
    answer: (request) => {
      const { data, last } = behind(request);
      return { body: { data }, headers: last === undefined ? {} : { "x-next": String(last.id) } };
    },
  },
  lastItem: {
    pages: { kind: "cursor", send: "after", next: { lastItem: "id" }, more: "more" },
    answer: (request) => {
      const { data, last } = behind(request);
      return { body: { data, more: last !== undefined } };
    },
  },
  link: {
    pages: { kind: "link", next: "next" },
    answer: (request) => {
      const { data, last } = behind(request);
      return { body: { data, next: last === undefined ? "" : request.address({ after: String(last.id) }) } };
    },
  },
  linkHeader: {
    pages: { kind: "linkHeader" },
    answer: (request) => {
      const { data, last } = behind(request);
      const link = `<${request.address({ after: String(last?.id) })}>; rel="next"`;
      return { body: { data }, headers: last === undefined ? {} : { link } };
    },
  },
} as const satisfies Readonly<Record<string, PagedForm>>;

/** The page with the number that is asked for, from 1. */
function numbered({ list, cap, parameters }: ListRequest): readonly Item[] {
  const start = (Number(parameters.get("page")) - 1) * cap;
  return list.slice(start, start + cap);
}

/** The page behind the id that is asked for; `last` is its last record if there are more. */
function behind({ list, cap, parameters }: ListRequest) {
  const after = Number(parameters.get("after") ?? Number.NEGATIVE_INFINITY);
  const left = list.filter(({ id }) => id > after);
  const data = left.slice(0, cap);
  return { data, last: left.length > cap ? data.at(-1) : undefined };
}

/** A list that a server answers with. */
export interface ServedList {
  readonly form: PagedForm;
  /** The records by path, when they are asked for; undefined answers 404. */
  readonly listAt: (path: string, count: number) => readonly Item[] | undefined;
  /** @default 3 */
  readonly cap?: number;
  /** Answers in place of the list where it gives a status. */
  readonly fault?: (request: SeenRequest, count: number) => number | "reset" | undefined;
  /** What an answer waits for. */
  readonly delay?: () => Promise<void>;
}

/** A server of such a list. */
export function serveList({ form, listAt, cap = 3, fault, delay }: ServedList): Promise<Loopback> {
  return serve((request, response, count) => {
    if (delay === undefined) answer(request, response, count);
    else void delay().then(() => answer(request, response, count));
  });

  function answer(request: SeenRequest, response: ServerResponse, count: number): void {
    const found = fault?.(request, count);
    if (found === "reset") return void response.socket?.destroy();
    if (found !== undefined) return void answerJson(response, { error: "not now" }, found);
    const { pathname, searchParams: parameters } = new URL(request.path, "http://localhost");
    const list = listAt(pathname, count);
    if (list === undefined) return void answerJson(response, { error: "gone" }, 404);
    const address = (sent: Readonly<Record<string, string>>) => `${pathname}?${new URLSearchParams(sent)}`;
    const { body, headers = {} } = form.answer({ list, cap, parameters, address });
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    answerJson(response, body);
  }
}
