/** What extensions of vendors say of a list and its pages, in one form. Their words are those of their own documentation. */
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
} from "../../../schemas/json.js";
import type { ApiOperation } from "../reading/api-description.js";

/** What an extension says. */
export interface VendorPages {
  /** The extension. */
  readonly name: string;
  /** Where the records stand; undefined if it does not say. */
  readonly results: string | undefined;
  /** How the next page is asked for; undefined if it says nothing that a declared reader can do. */
  readonly pages: VendorPaging | undefined;
}

/** Parameters are those of the query, members are ways into the answer. */
export type VendorPaging =
  | { readonly kind: "one" }
  | { readonly kind: "link"; readonly next: string }
  | { readonly kind: "page"; readonly send: string; readonly pages?: string | undefined }
  | { readonly kind: "offset"; readonly send: string; readonly size?: string | undefined }
  | {
      readonly kind: "cursor";
      readonly send: string;
      readonly next: string | { readonly lastItem: string };
      readonly more?: string | undefined;
    };

/** The extensions, in the order in which they go before each other, each with what reads it. */
const READERS: Readonly<Record<string, (value: JsonObject) => Omit<VendorPages, "name">>> = {
  "x-ms-pageable": fromMicrosoft,
  "x-speakeasy-pagination": fromSpeakeasy,
  "x-fern-pagination": fromFern,
};

/** What the first extension of the operation says that is known; undefined if there is none. */
export function vendorPages({ extensions }: ApiOperation): VendorPages | undefined {
  for (const [name, read] of Object.entries(READERS)) {
    const value = extensions.get(name);
    if (isJsonObject(value)) return { name, ...read(value) };
  }
  return undefined;
}

/** Without `nextLinkName` it is `nextLink`; null says that there is one page. */
function fromMicrosoft(value: JsonObject): Omit<VendorPages, "name"> {
  const next = ownMember(value, "nextLinkName");
  const pages: VendorPaging =
    next === null ? { kind: "one" } : { kind: "link", next: text(next) ?? "nextLink" };
  return { results: text(ownMember(value, "itemName")), pages };
}

function fromSpeakeasy(value: JsonObject): Omit<VendorPages, "name"> {
  const outputs = objectAt(value, "outputs");
  const listed = ownMember(value, "inputs");
  const inputs = isJsonArray(listed)
    ? listed.filter((input): input is JsonObject => isJsonObject(input))
    : [];
  const sent = (type: string) => {
    const input = inputs.find(
      (one) => ownMember(one, "type") === type && ownMember(one, "in") !== "requestBody",
    );
    return input && text(ownMember(input, "name"));
  };
  const results = wayOf(ownMember(outputs, "results"), "$");
  const [page, offset, cursor] = ["page", "offset", "cursor"].map(sent);
  const paging = (): VendorPaging | undefined => {
    const type = ownMember(value, "type");
    if (type === "url") return linkTo(wayOf(ownMember(outputs, "nextUrl"), "$"));
    if (type === "cursor") return cursorFrom(cursor, ownMember(outputs, "nextCursor"), results);
    if (type !== "offsetLimit") return undefined;
    if (page !== undefined)
      return { kind: "page", send: page, pages: wayOf(ownMember(outputs, "numPages"), "$") };
    return offset === undefined ? undefined : { kind: "offset", send: offset, size: sent("limit") };
  };
  return { results, pages: paging() };
}

/** `offset` counts pages, unless `step` says by how much it grows. */
function fromFern(value: JsonObject): Omit<VendorPages, "name"> {
  const said = (name: string, root: string) => wayOf(ownMember(value, name), root);
  const [offset, cursor, step] = ["offset", "cursor", "step"].map((name) => said(name, "$request"));
  const next = said("next_cursor", "$response");
  const more = said("has-next-page", "$response");
  const paging = (): VendorPaging | undefined => {
    if (cursor !== undefined && next !== undefined) return { kind: "cursor", send: cursor, next, more };
    if (offset !== undefined)
      return step === undefined
        ? { kind: "page", send: offset }
        : { kind: "offset", send: offset, size: step };
    return linkTo(said("next_uri", "$response") ?? said("next_path", "$response"));
  };
  return { results: said("results", "$response"), pages: paging() };
}

function linkTo(next: string | undefined): VendorPaging | undefined {
  return next === undefined ? undefined : { kind: "link", next };
}

/** `$.data[-1].id` is the `id` of the last record. */
function cursorFrom(
  send: string | undefined,
  said: JsonValue | undefined,
  results: string | undefined,
): VendorPaging | undefined {
  if (send === undefined) return undefined;
  const next = wayOf(said, "$");
  if (next !== undefined) return { kind: "cursor", send, next };
  const [, list, lastItem] = /^(.*)\[-1\]\.([\w-]+)$/.exec(text(said) ?? "") ?? [];
  return lastItem === undefined || wayOf(list, "$") !== results
    ? undefined
    : { kind: "cursor", send, next: { lastItem } };
}

/** `$.meta.next` is the way `meta.next`; the root is `$`. Undefined for what asks for more than names. */
function wayOf(path: JsonValue | undefined, root: string): string | undefined {
  if (path === root) return "$";
  const said = text(path);
  if (!said?.startsWith(`${root}.`)) return undefined;
  const way = said.slice(root.length + 1);
  return /^[\w@$-]+(?:\.[\w@$-]+)*$/.test(way) ? way : undefined;
}

function objectAt(value: JsonObject, name: string): JsonObject {
  const member = ownMember(value, name);
  return isJsonObject(member) ? member : {};
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
