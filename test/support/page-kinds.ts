/** Every way in which a declared list can come in pages. */
import type { AnyReaderDeclaration } from "../../runtime/entries/runtime.js";

export type Pages = AnyReaderDeclaration["pages"];

/** Pages by a name for each way; those that can be asked for have `perPage` records. */
export function pageKinds(perPage: number): Readonly<Record<string, Pages>> {
  const size = { send: "limit", value: perPage } as const;
  return {
    one: { kind: "one" },
    page: { kind: "page", send: "page" },
    pageFromZero: { kind: "page", send: { header: "X-Page" }, first: 0, last: "meta.isLast", size },
    pageOfCount: { kind: "page", send: "page", last: "meta.pageCount", total: { header: "X-Total" }, size },
    offset: { kind: "offset", send: "skip", size },
    offsetOfTotal: { kind: "offset", send: { body: "paging.skip" }, total: "meta.total" },
    offsetOfMore: { kind: "offset", send: "skip", more: "hasMore" },
    cursor: { kind: "cursor", send: "after", next: "paging.next.after", size },
    cursorOfDots: { kind: "cursor", send: { body: "after" }, next: "@page.next" },
    cursorInHeader: { kind: "cursor", send: { header: "X-After" }, next: { header: "X-Next" } },
    lastItem: { kind: "cursor", send: "after", next: { lastItem: "id" } },
    lastItemOfMore: { kind: "cursor", send: "after", next: { lastItem: "rank" }, more: "more", size },
    link: { kind: "link", next: "links.next", size },
    linkHeader: { kind: "linkHeader", total: { header: "X-Total" } },
  };
}
