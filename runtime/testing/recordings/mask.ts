/**
 * What a target system answered, without what must not be kept: write-only values by the schema at their place, credentials
 * wherever they stand, and whatever no schema describes.
 *
 * A body is walked twice by the same steps: first every value that will be replaced is noted, then each gets its stand-in.
 * So a value that is write-only in one answer is replaced in all of them, and keys that were equal still are.
 */
import { isJsonObject } from "../../../schemas/json.js";
import { isSecretName, matchedPhrase, SECRET_NAMES } from "../../../schemas/naming/secret-names.js";
import { splitWords } from "../../../schemas/naming/words.js";
import { namesOn } from "../../declared/ways.js";
import {
  applicableSchemas,
  itemSchemas,
  memberSchemas,
  membersOf,
} from "../../records/applicable-schemas.js";
import { equalsIgnoreCase } from "../../records/read-options.js";
import { type RecordType, serializedKeyNames } from "../../records/record-type.js";
import type { ResponseHeaders } from "../../registration/http-messages.js";
import { decodedPart, jsonIn } from "../../untrusted.js";
import type { PlaceSchema, Replaceable, StandIns, ValuePlace } from "./stand-ins.js";

/** What is known of the records that an answer lists. */
export interface KnownList {
  readonly method: string;
  /** Matches the end of the path. */
  readonly path: RegExp;
  /** Way to the list in the answer; `$` for an answer that is the list. */
  readonly items: string;
  /** Way in an item to its record. */
  readonly record: string | undefined;
  /** Undefined if code makes the records of the items. */
  readonly type: RecordType | undefined;
}

/** What is known of the answers of a connector. */
export interface MaskOptions {
  readonly standIns: StandIns;
  /** The lists that are declared. */
  readonly lists: readonly KnownList[];
  /** What other answers may hold; an object that has most of the required members of one is taken for it. */
  readonly types: readonly RecordType[];
  /** Names of members and headers that stay as they are although no schema has them. */
  readonly keep: ReadonlySet<string>;
}

/** An answer before it is masked. */
export interface WholeAnswer {
  readonly purpose: "call" | "token";
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The bytes that were answered, as text. */
  readonly text: string;
}

/** An answer as it is kept. */
export interface MaskedAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Masks the values of one recording. */
export interface Mask {
  /** Notes what is to be replaced in a value that `type` describes. @param hidden What write-only values of it are. */
  noteValue(value: unknown, type: RecordType, hidden?: ValuePlace["kind"]): void;
  /** The value with stand-ins. */
  value(value: unknown, type: RecordType): unknown;
  /** Notes what is to be replaced in an answer. */
  noteAnswer(answer: WholeAnswer): void;
  /** The answer with stand-ins. */
  answer(answer: WholeAnswer): MaskedAnswer;
  /** Names of members that no schema describes and that were replaced. */
  readonly unknownNames: ReadonlySet<string>;
}

/** Reads the rows of a table. */
type ReadTable = typeof import("csv-parse/sync").parse;

/** Masks by what is known of a connector. */
export async function createMask(options: MaskOptions): Promise<Mask> {
  const { parse } = await import("csv-parse/sync");
  /** Values of keys that are kept: what refers to them is kept as well. */
  const keptKeys = new Set<string>();
  const unknownNames = new Set<string>();
  const walker = (isNoting: boolean) => new Walk({ ...options, isNoting, keptKeys, unknownNames });
  const [noting, replacing] = [walker(true), walker(false)];
  const masked = (walk: Walk, answer: WholeAnswer): MaskedAnswer => ({
    headers: maskedHeaders(walk, answer, options.keep),
    text: maskedText(walk, answer, { lists: options.lists, parse }),
  });
  return {
    noteValue: (value, type, hidden) => void noting.known(value, typePlace(type, hidden)),
    value: (value, type) => replacing.known(value, typePlace(type)),
    noteAnswer: (answer) => void masked(noting, answer),
    answer: (answer) => masked(replacing, answer),
    unknownNames,
  };
}

interface Reading extends Pick<MaskOptions, "lists"> {
  readonly parse: ReadTable;
}

function maskedText(walk: Walk, answer: WholeAnswer, { lists, parse }: Reading): string {
  const { text, purpose, method, url, status } = answer;
  const json = jsonIn(text);
  if (purpose === "token") return json === undefined ? "" : JSON.stringify(walk.token(json.value));
  if (json === undefined) return maskedOther(walk, answer, parse);
  const pathname = URL.canParse(url) ? new URL(url).pathname : url;
  const list = lists.find((each) => each.method === method && each.path.test(pathname));
  return JSON.stringify(walk.body(json.value, { list, base: url, isError: status >= 400 }));
}

/** A text that is no JSON: a line for each record, a table, a page, or any other. Bytes that are no text are left out. */
function maskedOther(walk: Walk, { text, url, headers }: WholeAnswer, parse: ReadTable): string {
  const rows = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .map(jsonIn);
  if (rows.length > 1 && rows.every((row) => row !== undefined))
    return rows.map((row) => `${JSON.stringify(walk.item(row.value, url))}\n`).join("");
  if (/csv|tab-separated/i.test(String(headers["content-type"]))) return maskedTable(walk, text, parse);
  if (/[<>]/.test(text)) return maskedMarkup(walk, text);
  return isReadable(text) ? walk.plain(text) : "";
}

/** A table as it is read: its first row has the names of its columns. Undefined for a text that is none. */
function tableIn(text: string, parse: ReadTable) {
  const [head = ""] = text.split(/\r?\n/, 1);
  const delimiter = [";", "\t", "|"].find((mark) => head.includes(mark)) ?? ",";
  try {
    const rows: readonly (readonly string[])[] = parse(text, {
      ...{ delimiter, relax_column_count: true, bom: true },
    });
    const [names = [], ...records] = rows;
    return { names, records, delimiter };
  } catch {
    return undefined;
  }
}

function maskedTable(walk: Walk, text: string, parse: ReadTable): string {
  const table = tableIn(text, parse);
  if (table === undefined) return walk.plain(text);
  const { names, records, delimiter } = table;
  return [names, ...walk.table(names, records)]
    .map((row) => `${row.map((cell) => quotedCell(cell, delimiter)).join(delimiter)}\n`)
    .join("");
}

/** A comment, a section of characters, a tag, or what stands between them. */
const MARKUP = /(<!--)([\s\S]*?)(-->|$)|(<!\[CDATA\[)([\s\S]*?)(\]\]>|$)|(<[^>]*>?)|([^<]+)/g;

/** Names of tags and attributes stay, and whatever they hold is replaced. */
function maskedMarkup(walk: Walk, text: string): string {
  return text.replace(
    MARKUP,
    (_, open = "", comment = "", close = "", begin = "", section = "", end = "", tag = "", between = "") =>
      [
        open,
        walk.plain(comment),
        close,
        begin,
        walk.plain(section),
        end,
        maskedTag(walk, tag),
        walk.plain(between),
      ].join(""),
  );
}

function maskedTag(walk: Walk, tag: string): string {
  return tag.replace(
    /=(\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g,
    (_, space: string, double?: string, single?: string, bare = "") => {
      if (double !== undefined) return `=${space}"${walk.plain(double)}"`;
      return single === undefined ? `=${space}${walk.plain(bare)}` : `=${space}'${walk.plain(single)}'`;
    },
  );
}

/** Those that a connector may need, sorted. */
function maskedHeaders(
  walk: Walk,
  { headers, url }: WholeAnswer,
  keep: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  const kept = Object.entries(headers).flatMap(([name, value]): readonly [string, string][] => {
    if (value === undefined) return [];
    const text = typeof value === "string" ? value : value.join(", ");
    if (PLAIN_HEADERS.test(name) || keep.has(name)) return [[name, text]];
    const masked = maskedHeader(walk, { name, text, url });
    return masked === undefined ? [] : [[name, masked]];
  });
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function maskedHeader(
  walk: Walk,
  { name, text, url }: { readonly name: string; readonly text: string; readonly url: string },
): string | undefined {
  if (name === "link")
    return text.replace(/<([^>]*)>/g, (_, address: string) => `<${walk.address(address, url)}>`);
  if (/location$/.test(name)) return walk.address(text, url);
  if (isSecretName(name) || !isOfPages(name)) return undefined;
  if (/^\d{1,12}$/.test(text)) return text;
  return String(walk.unknown(text, { name, path: `header ${name}`, base: url }));
}

/** Headers of answers that say nothing of anybody. */
const PLAIN_HEADERS =
  /^(?:content-type|date|last-modified|retry-after|deprecation|sunset|(?:x-)?rate-?limit[\w-]*)$/;

function isReadable(text: string): boolean {
  return !/[^\P{Cc}\t\r\n]|\ufffd/u.test(text);
}

/** Words in the names of what counts or pages. */
const PAGE_WORDS = new Set(
  "page pages total totals count size limit offset skip start end index per results items hits remaining max next prev previous first last cursor after before more status code number took version".split(
    " ",
  ),
);

function isOfPages(name: string): boolean {
  return splitWords(name.replace(/^@|^\$/, "")).some((word) => PAGE_WORDS.has(word.toLowerCase()));
}

/** Whether a member or a parameter holds a credential; that of a page is none. */
function isCredentialName(name: string): boolean {
  return isSecretName(name) && (matchedPhrase(name, SECRET_NAMES) !== undefined || !isOfPages(name));
}

/** Whether a member names something else by its key. */
function isReferenceName(name: string): boolean {
  return /(?:^|[^a-z])(?:id|ids|key|ref|uuid|guid|no|number|code)$|(?:Id|Ids|Key|Ref|Uuid|Guid|ID)$/.test(
    name,
  );
}

interface KnownPlace {
  readonly schemas: readonly unknown[];
  readonly root: unknown;
  readonly path: string;
  readonly name: string;
  /** What everything below is, if it is to be replaced. */
  readonly kind: ValuePlace["kind"] | undefined;
  /** What is write-only. */
  readonly hidden: ValuePlace["kind"];
  /** Serialized names of the properties of keys; of the record itself only. */
  readonly keys: ReadonlySet<string>;
  readonly isKey: boolean;
}

interface UnknownPlace {
  readonly name: string;
  readonly path: string;
  /** The address that was answered. */
  readonly base: string;
}

const NO_NAMES: ReadonlySet<string> = new Set();

function typePlace(type: RecordType, hidden: ValuePlace["kind"] = "sensitive"): KnownPlace {
  const keys = new Set((type.keys ?? []).flatMap((key) => serializedKeyNames(type, key)));
  const { schema, name: path } = type;
  return { schemas: [schema], root: schema, path, name: "", kind: undefined, hidden, keys, isKey: false };
}

interface WalkOptions extends MaskOptions {
  /** Whether values are only noted. */
  readonly isNoting: boolean;
  readonly keptKeys: Set<string>;
  readonly unknownNames: Set<string>;
}

class Walk {
  readonly #options: WalkOptions;

  constructor(options: WalkOptions) {
    this.#options = options;
  }

  /** A body: what it says of its pages, and the records in it. */
  body(
    value: unknown,
    {
      list,
      base,
      isError,
    }: { readonly list: KnownList | undefined; readonly base: string; readonly isError: boolean },
  ): unknown {
    if (list !== undefined && !isError) {
      const path = list.items === "$" ? [] : namesOn(value, list.items);
      return this.#around(value, { rest: path, list, base, path: "" });
    }
    if (isError || isAround(value)) return this.#envelope(value, { name: "", path: "", base });
    return this.item(value, base);
  }

  /** An item of a list, or an object that was asked for alone. */
  item(
    value: unknown,
    base: string,
    type: RecordType | undefined = typeIn(value, this.#options.types),
  ): unknown {
    if (type !== undefined && isJsonObject(value)) return this.known(value, typePlace(type), base);
    return this.unknown(value, { name: "", path: "", base });
  }

  /** A value that schemas describe. */
  known(value: unknown, place: KnownPlace, base = ""): unknown {
    const schemas = place.schemas.flatMap((schema) => applicableSchemas(schema, place.root));
    const isHidden = schemas.some((schema) => schema["writeOnly"] === true);
    const kind = place.kind ?? (isHidden ? place.hidden : undefined);
    if (Array.isArray(value))
      return value.map((item, index) => {
        const ofItem = schemas.flatMap((schema) => itemSchemas(schema, index));
        const inner = { ...place, schemas: ofItem, path: `${place.path}/*`, kind, keys: NO_NAMES };
        return ofItem.length === 0 && kind === undefined
          ? this.unknown(item, { ...place, base })
          : this.known(item, inner, base);
      });
    if (isJsonObject(value)) return this.#knownObject(value, { ...place, kind }, { schemas, base });
    return this.#knownScalar(value, { ...place, kind });
  }

  #knownObject(
    value: Readonly<Record<string, unknown>>,
    place: KnownPlace,
    {
      schemas,
      base,
    }: { readonly schemas: readonly Readonly<Record<string, unknown>>[]; readonly base: string },
  ): unknown {
    return this.#members(value, (member, name) => {
      const ofMember = schemas.flatMap((schema) => [
        ...memberSchemas(schema, name),
        ...schemasOfOtherCase(schema, name),
      ]);
      const path = `${place.path}/${name}`;
      if (ofMember.length === 0 && place.kind === undefined)
        return this.unknown(member, { name, path, base });
      const kind =
        place.kind ??
        (isCredentialName(name) && typeof member === "string" && !place.keys.has(name)
          ? "sensitive"
          : undefined);
      return this.known(
        member,
        { ...place, schemas: ofMember, path, name, kind, keys: NO_NAMES, isKey: place.keys.has(name) },
        base,
      );
    });
  }

  #knownScalar(value: unknown, { schemas, root, kind, path, isKey, name }: KnownPlace): unknown {
    const { standIns, isNoting, keptKeys } = this.#options;
    if (typeof value === "boolean" && kind !== undefined) return standIns.isFlipped(path) ? !value : value;
    if (!isReplaceable(value)) return value;
    if (kind !== undefined) {
      const whole = isCredentialName(name) && typeof value === "string" ? "credential" : kind;
      return this.#replace(value, {
        kind: whole,
        schemas: schemas.map((schema): PlaceSchema => ({ schema, root })),
      });
    }
    // A text that is secret elsewhere is no less so here.
    if (!isNoting && standIns.isSensitive(value) && String(value).length >= MIN_TELLING_LENGTH)
      return standIns.of(value);
    if (isNoting && isKey) keptKeys.add(String(value));
    return value;
  }

  /** A value that no schema describes. */
  unknown(value: unknown, place: UnknownPlace): unknown {
    const { keep } = this.#options;
    if (place.name !== "" && keep.has(place.name)) return value;
    if (Array.isArray(value))
      return value.map((item) => this.unknown(item, { ...place, path: `${place.path}/*` }));
    if (isJsonObject(value))
      return this.#members(value, (member, name) =>
        this.unknown(member, { ...place, name, path: `${place.path}/${name}` }),
      );
    return isReplaceable(value) ? this.#unknownScalar(value, place) : value;
  }

  #unknownScalar(value: Replaceable, { name, base }: UnknownPlace): unknown {
    const { standIns, keptKeys, isNoting, unknownNames } = this.#options;
    if (value === "") return value;
    const text = String(value);
    if (typeof value === "string" && isLink(value, base)) return this.address(value, base);
    const isReference = keptKeys.has(text) && (text.length >= MIN_REFERENCE_LENGTH || isReferenceName(name));
    if (!isNoting && isReference && !standIns.isSensitive(value)) return value;
    if (isNoting && name !== "") unknownNames.add(name);
    return this.#replace(value, { kind: isCredentialName(name) ? "credential" : "unknown", schemas: [] });
  }

  /** What stands around the records: what counts and pages stays, texts are replaced. */
  #envelope(value: unknown, place: UnknownPlace): unknown {
    if (Array.isArray(value)) return value.map((item) => this.item(item, place.base));
    if (isJsonObject(value))
      return this.#members(value, (member, name) => {
        const inner = { ...place, name, path: `${place.path}/${name}` };
        return this.#options.keep.has(name) ? member : this.#envelope(member, inner);
      });
    if (typeof value === "number" && (isOfPages(place.path) || value === 0)) return value;
    return isReplaceable(value) ? this.#unknownScalar(value, place) : value;
  }

  /** As `#envelope`, with a list whose place is known. */
  #around(
    value: unknown,
    {
      rest,
      list,
      base,
      path,
    }: {
      readonly rest: readonly string[];
      readonly list: KnownList;
      readonly base: string;
      readonly path: string;
    },
  ): unknown {
    const [name, ...inner] = rest;
    if (name === undefined) {
      if (!Array.isArray(value)) return this.#envelope(value, { name: "", path, base });
      return value.map((item) =>
        list.record === undefined
          ? this.item(item, base, list.type)
          : this.#recordIn(item, namesOn(item, list.record), list, base),
      );
    }
    if (!isJsonObject(value)) return this.#envelope(value, { name: "", path, base });
    return this.#members(value, (member, each) => {
      const at = `${path}/${each}`;
      if (each === name) return this.#around(member, { rest: inner, list, base, path: at });
      return this.#options.keep.has(each) ? member : this.#envelope(member, { name: each, path: at, base });
    });
  }

  #recordIn(item: unknown, [name, ...rest]: readonly string[], list: KnownList, base: string): unknown {
    if (name === undefined) return this.item(item, base, list.type);
    if (!isJsonObject(item)) return this.unknown(item, { name: "", path: "", base });
    return this.#members(item, (member, each) =>
      each === name
        ? this.#recordIn(member, rest, list, base)
        : this.unknown(member, { name: each, path: `/${each}`, base }),
    );
  }

  /** What a token endpoint answered. */
  token(value: unknown): unknown {
    if (!isJsonObject(value)) return {};
    return this.#members(value, (member, name) => {
      if (["token_type", "expires_in", "error", "scope"].includes(name)) return member;
      return isReplaceable(member) ? this.#replace(member, { kind: "credential", schemas: [] }) : null;
    });
  }

  /** An address with stand-ins in its path and its query. */
  address(text: string, base: string): string {
    if (!URL.canParse(text, base)) return text;
    const url = new URL(text, base);
    if (URL.canParse(base) && url.origin !== new URL(base).origin)
      return String(this.#replace(text, { kind: "unknown", schemas: [] }));
    const path = url.pathname.split("/").map((segment) => {
      const plain = decodedPart(segment);
      const other = plain.includes("@")
        ? String(this.#replace(plain, { kind: "unknown", schemas: [] }))
        : this.#inAddress(plain);
      return other === plain ? segment : encodeURIComponent(other);
    });
    const query = [...url.searchParams].map(([name, value]): [string, string] => {
      if (/^\d{1,9}$/.test(value) && isOfPages(name)) return [name, value];
      if (isCredentialName(name) || value.length >= MIN_CURSOR_LENGTH || value.includes("@"))
        return [
          name,
          String(
            this.#replace(value, { kind: isCredentialName(name) ? "credential" : "unknown", schemas: [] }),
          ),
        ];
      return [name, this.#inAddress(value)];
    });
    url.pathname = path.join("/");
    if (query.length > 0) url.search = new URLSearchParams(query).toString();
    if (/^[a-z][a-z\d+.-]*:/i.test(text)) return url.href;
    return text.startsWith("?") ? url.search : url.pathname + url.search;
  }

  #inAddress(text: string): string {
    const { standIns, isNoting, keptKeys } = this.#options;
    if (isNoting || text === "" || (keptKeys.has(text) && !standIns.isSensitive(text))) return text;
    return String(standIns.of(text) ?? text);
  }

  /** Rows of texts below columns with these names. */
  table(names: readonly string[], rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
    const type = typeIn(Object.fromEntries(names.map((name) => [name, ""])), this.#options.types);
    const place = type && typePlace(type);
    return rows.map((row) =>
      row.map((cell, index) => {
        const name = names[index] ?? "";
        if (place === undefined) return String(this.unknown(cell, { name, path: `/${name}`, base: "" }));
        const described = this.known({ [name]: cell }, place) as Readonly<Record<string, unknown>>;
        return String(described[name] ?? cell);
      }),
    );
  }

  /** A text that is no JSON. */
  plain(text: string): string {
    return text.trim() === "" ? text : String(this.#replace(text, { kind: "unknown", schemas: [] }));
  }

  #replace(value: Replaceable, place: ValuePlace): unknown {
    const { standIns, isNoting } = this.#options;
    if (!isNoting) return standIns.of(value) ?? value;
    standIns.note(value, place);
    return value;
  }

  /** The members of an object; a name that is a value itself gets a stand-in too. */
  #members(
    value: Readonly<Record<string, unknown>>,
    change: (member: unknown, name: string) => unknown,
  ): unknown {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const shown = isDataName(name) ? String(this.#replace(name, { kind: "unknown", schemas: [] })) : name;
        return [shown, change(member, name)];
      }),
    );
  }
}

/** A shorter text stands in too many places by chance; characters. */
const MIN_TELLING_LENGTH = 4;
const MIN_REFERENCE_LENGTH = 8;
const MIN_CURSOR_LENGTH = 16;

function isReplaceable(value: unknown): value is Replaceable {
  return typeof value === "string" || typeof value === "number";
}

/** Whether the name of a member is of one thing alone, such as a number or an email address. */
function isDataName(name: string): boolean {
  return /@.+\.|^\d{5,}$|^[\da-f]{8}-[\da-f]{4}-/i.test(name) && !name.startsWith("@");
}

/** Whether a text is an address of the target system itself. */
function isLink(text: string, base: string): boolean {
  if (!URL.canParse(base)) return false;
  if (/^https?:\/\//i.test(text)) return URL.canParse(text) && new URL(text).origin === new URL(base).origin;
  return /^\/[\w/-]+(?:\?|$)|^\?[\w-]+=/.test(text);
}

/** Whether an object stands around a list, and is no record itself. */
function isAround(value: unknown, depth = 0): boolean {
  if (Array.isArray(value)) return true;
  if (!isJsonObject(value) || depth > 4) return false;
  return Object.values(value).some((member) => isAround(member, depth + 1));
}

/** A share of the required members: an object that has fewer is something else. */
const LEAST_SHARE = 0.6;

/** The type that an object is most likely of; undefined if none is likely. */
function typeIn(value: unknown, types: readonly RecordType[]): RecordType | undefined {
  if (!isJsonObject(value)) return undefined;
  const scored = types.map((type) => {
    const schemas = applicableSchemas(type.schema, type.schema);
    const required = schemas.flatMap((schema) =>
      Array.isArray(schema["required"]) ? schema["required"] : [],
    );
    const names =
      required.length > 0
        ? required
        : schemas.flatMap((schema) => Object.keys(membersOf(schema["properties"])));
    const found = names.filter((name) => Object.hasOwn(value, String(name))).length;
    return { type, found, share: names.length === 0 ? 0 : found / names.length };
  });
  const [best] = scored
    .filter(({ share, found }) => share >= LEAST_SHARE && found > 0)
    .sort((a, b) => b.found - a.found);
  return best?.type;
}

/** A name in the wrong case is no property, but what it holds is as secret as what it should have been. */
function schemasOfOtherCase(schema: Readonly<Record<string, unknown>>, name: string): readonly unknown[] {
  const properties = membersOf(schema["properties"]);
  if (Object.hasOwn(properties, name)) return [];
  return Object.keys(properties)
    .filter((property) => equalsIgnoreCase(property, name))
    .map((property) => properties[property]);
}

function quotedCell(cell: string, delimiter: string): string {
  return /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
