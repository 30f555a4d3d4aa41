/** What extensions of vendors say of a list and its pages, in one form. Their words are those of their own documentation. */
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
} from "../../../schemas/json.js";
import type { ApiOperation, ApiSchema, PagePart } from "../reading/api-description.js";
import type { Shape, Shapes } from "../reading/shapes.js";
import { askingParameters } from "./list-parameters.js";

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
  | {
      readonly kind: "offset";
      readonly send: string;
      readonly size?: string | undefined;
      readonly total?: string | undefined;
    }
  | {
      readonly kind: "cursor";
      readonly send: string;
      /** Undefined if only the parameter is named. */
      readonly next: string | { readonly lastItem: string } | { readonly header: string } | undefined;
      readonly more?: string | undefined;
    };

/** The extensions, in the order in which they go before each other, each with what reads it. */
const READERS: Readonly<Record<string, (value: JsonObject) => Omit<VendorPages, "name">>> = {
  "x-ms-pageable": fromMicrosoft,
  "x-speakeasy-pagination": fromSpeakeasy,
  "x-fern-pagination": fromFern,
};

/** What the first extension of the operation says that is known; undefined if there is none. */
export function vendorPages(operation: ApiOperation, shapes: Shapes): VendorPages | undefined {
  for (const [name, read] of Object.entries(READERS)) {
    const value = operation.extensions.get(name);
    if (isJsonObject(value)) return { name, ...read(value) };
  }
  return fromStainless(operation, shapes);
}

/** How deep marked members are looked for, and how deep if no parameter is marked. */
const DEEPEST = { marked: 4, unmarked: 2 };

/** Marks of what stands in the query and in the answer, by what they are for. */
function fromStainless(operation: ApiOperation, shapes: Shapes): VendorPages | undefined {
  const sent = new Map<string, string>();
  for (const { name, schema, pagePart } of askingParameters(operation, shapes)) {
    const { purpose = "" } = pagePart ?? pagePartOf(shapes.of(schema)) ?? {};
    if (purpose !== "") sent.set(purpose, name);
  }
  const told = markedMembers(operation, shapes, sent.size > 0 ? DEEPEST.marked : DEEPEST.unmarked);
  if (sent.size === 0 && told.size === 0) return undefined;
  const way = (purpose: string) => told.get(purpose)?.way;
  return {
    name: "x-stainless-pagination-property",
    results: way("items"),
    pages: stainlessPaging(sent, told),
  };
}

interface Marked {
  readonly way: string;
  readonly header: string;
}

function stainlessPaging(
  sent: ReadonlyMap<string, string>,
  told: ReadonlyMap<string, Marked>,
): VendorPaging | undefined {
  const [cursor, byLast] = [sent.get("next_cursor_param"), sent.get("next_cursor_id_param")];
  const [page, offset] = [sent.get("page_number_param"), sent.get("offset_count_param")];
  const way = (purpose: string) => told.get(purpose)?.way;
  const more = way("has_next_page");
  if (cursor !== undefined) {
    const { header = "", way: next } = told.get("next_cursor_field") ?? {};
    return { kind: "cursor", send: cursor, next: header === "" ? next : { header }, more };
  }
  const lastItem = way("cursor_item_id");
  if (byLast !== undefined && lastItem !== undefined)
    return { kind: "cursor", send: byLast, next: { lastItem }, more };
  if (page !== undefined) return { kind: "page", send: page, pages: way("total_page_count_field") };
  if (offset !== undefined) return { kind: "offset", send: offset, total: way("offset_total_count_field") };
  return linkTo(way("cursor_url_field"));
}

/** Members of the answer by their purpose; the way of what is marked in a record begins there. */
function markedMembers(
  { answer }: ApiOperation,
  shapes: Shapes,
  deepest: number,
): ReadonlyMap<string, Marked> {
  const found = new Map<string, Marked>();
  const visit = (shape: Shape, way: readonly string[]): void => {
    for (const { name, schema } of shape.properties.values()) {
      const inner = shapes.of(schema);
      const steps = [...way, name];
      note(inner, steps);
      if (inner.items !== undefined) visitRecord(inner.items);
      else if (steps.length < deepest) visit(inner, steps);
    }
  };
  const note = (shape: Shape, way: readonly string[]): void => {
    const { purpose = "", header = "" } = pagePartOf(shape) ?? {};
    if (purpose !== "" && !found.has(purpose)) found.set(purpose, { way: way.join("."), header });
  };
  const visitRecord = (items: ApiSchema): void => {
    const record = shapes.of(items);
    // A mark of the whole record names a header.
    note(record, []);
    for (const { name, schema } of record.properties.values()) note(shapes.of(schema), [name]);
  };
  if (answer?.schema === undefined) return found;
  const root = shapes.of(answer.schema);
  if (root.items === undefined) visit(root, []);
  else visitRecord(root.items);
  return found;
}

function pagePartOf({ parts }: Shape): PagePart | undefined {
  return parts.map(({ pagePart }) => pagePart).find((part) => part !== undefined);
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
