/** What in an answer tells of more records than were read. Whoever overlooks it deletes from the cache what was not read. */
import { nextLink } from "../client/pages.js";
import type { ResponseHeaders } from "../registration/http-messages.js";

/** The answer tells of more records than were read. */
export class MorePagesError extends Error {
  override readonly name = "MorePagesError";
  /** The same list gives the same answer until the declaration is changed. */
  readonly retry = "never";
}

const NEXT =
  /^(?:next|nextlink|nexturl|nexturi|nextpage|nextpageurl|nextpageuri|nextpagelink|odatanextlink|nexthref)$/;
const TOKEN = /^(?:nextcursor|nextpagetoken|nexttoken|nextmarker|nextoffset|continuationtoken|continuation)$/;
const MORE =
  /^(?:hasmore|hasnext|hasnextpage|more|moreitems|moreitemsincollection|morerecords|islasttruncated|istruncated)$/;
const TOTAL =
  /^(?:total|totalcount|totalitems|totalresults|totalrecords|totalentries|totalrows|totalsize|totalhits|totalelements|odatacount|recordstotal|totalpages|pagecount|pages|numpages)$/;
const PAGE_COUNTS = /^(?:totalpages|pagecount|pages|numpages)$/;

/** Deeper members speak of records, not of the list. */
const MAX_DEPTH = 3;

/** An answer of which nothing more is asked for. */
export interface LastAnswer {
  readonly body: unknown;
  readonly headers: ResponseHeaders;
  /** The list of records in it. */
  readonly items: readonly unknown[];
  /** Names of members that are known to say nothing of the list. */
  readonly ignored: readonly string[];
}

/** @throws MorePagesError, which names the declaration to write, if the answer tells of more records. */
export function checkIsWhole({ body, headers, items, ignored }: LastAnswer): void {
  const found = linkIn(headers, ignored) ?? memberIn(body, { items, ignored, way: [] });
  if (found === undefined) return;
  const { member, declaration } = found;
  throw new MorePagesError(
    `The answer tells of more records than the ${items.length} that were read: ${member}. Nothing was deleted. Declare pages: ${declaration}, or pages: { kind: "one", ignore: [...] } if the member says nothing of the list.`,
  );
}

/** Only whether there is a link counts here. */
const ANY_ADDRESS = "http://localhost/";

interface Found {
  readonly member: string;
  readonly declaration: string;
}

function linkIn(headers: ResponseHeaders, ignored: readonly string[]): Found | undefined {
  if (ignored.includes("link") || nextLink(headers["link"], ANY_ADDRESS) === undefined) return undefined;
  return { member: 'the header Link has rel="next"', declaration: '{ kind: "linkHeader" }' };
}

function memberIn(
  value: unknown,
  place: {
    readonly items: readonly unknown[];
    readonly ignored: readonly string[];
    readonly way: readonly string[];
  },
): Found | undefined {
  const { items, ignored, way } = place;
  if (typeof value !== "object" || value === null || Array.isArray(value) || way.length >= MAX_DEPTH)
    return undefined;
  for (const [name, member] of Object.entries(value)) {
    const inner = [...way, name];
    if (ignored.includes(name) || ignored.includes(inner.join("."))) continue;
    const found =
      foundIn({ name: name.toLowerCase().replace(/[^a-z]/g, ""), member, way: inner.join("."), items }) ??
      memberIn(member, { items, ignored, way: inner });
    if (found !== undefined) return found;
  }
  return undefined;
}

function foundIn(facts: {
  readonly name: string;
  readonly member: unknown;
  readonly way: string;
  readonly items: readonly unknown[];
}): Found | undefined {
  const { name, member, way, items } = facts;
  const isText = typeof member === "string" && member !== "";
  const next = JSON.stringify(way);
  if (NEXT.test(name) && isText && /^(?:https?:)?\//.test(member))
    return { member: `${way} is an address`, declaration: `{ kind: "link", next: ${next} }` };
  if ((NEXT.test(name) || TOKEN.test(name)) && (isText || typeof member === "number"))
    return {
      member: `${way} is not empty`,
      declaration: `{ kind: "cursor", send: "<parameter>", next: ${next} }`,
    };
  if (MORE.test(name) && member === true)
    return {
      member: `${way} is true`,
      declaration: '{ kind: "page", send: "<parameter>" } or { kind: "offset", send: "<parameter>" }',
    };
  if (!TOTAL.test(name) || typeof member !== "number") return undefined;
  const least = PAGE_COUNTS.test(name) ? 1 : items.length;
  if (member <= least) return undefined;
  return {
    member: `${way} is ${member}`,
    declaration: '{ kind: "page", send: "<parameter>" } or { kind: "offset", send: "<parameter>" }',
  };
}
