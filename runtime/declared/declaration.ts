/** What authors declare in place of code: how a data object is listed. A declaration is data, which tools read. */
import { deepFreeze } from "../../schemas/json.js";
import type { HttpClient } from "../client/http-client.js";
import type { RecordType } from "../records/record-type.js";
import type { FullReads, ReaderContext, RecordChange, ServiceTypes } from "../registration/contracts.js";
import type { FileFormat } from "./downloaded-items.js";
import type { TimeFormat } from "./times.js";
import type { Scalar, Way } from "./ways.js";

/** A generated class of a data object. */
export interface DataObjectClass<Json> {
  /** Schema, check, keys and names of the class. */
  readonly type: RecordType;
  /** The serialized form of an instance. */
  toJSON(record: object): Json;
}

/** What a declaration makes its calls with: an API client with the member `http`, as it is scaffolded, or an HTTP client. */
export type CallingClient =
  | HttpClient
  | {
      /** Calls below the base address of the connection. */
      readonly http: HttpClient;
    };

/** A setting of the user, by its serialized name; `setting` makes it. */
export interface SettingSource {
  /** Tells it from other values. */
  readonly kind: "setting";
  /** Serialized name. */
  readonly name: string;
  /** What is sent in place of a value. */
  readonly as?: SettingOptions["as"];
  /** What is sent without a value. */
  readonly default?: SettingOptions["default"];
}

/** How a setting is sent. */
export interface SettingOptions {
  /**
   * What is sent in place of a value of the setting, by the value; null leaves the parameter out.
   * @default every value is sent as it is
   */
  readonly as?: Readonly<Record<string, Scalar | null>>;
  /**
   * What is sent if the user has set nothing; null leaves the parameter out.
   * @default none: it is an error
   */
  readonly default?: Scalar | null;
}

/** A member of each record of a parent; `from` makes it. */
export interface ParentSource {
  /** Tells it from other values. */
  readonly kind: "parent";
  /** Reads the parents. */
  readonly reader: ParentReader;
  /** Way to the value in a parent's serialized form. */
  readonly way: string;
}

/** A value that is sent: as it is, from the settings, or from each parent. */
export type ValueSource = Scalar | SettingSource | ParentSource;

/** Where a value of the paging goes: the name of a parameter of the query, of a header, or a way into the body. */
export type SentAs =
  | string
  | {
      /** Name of the header. */
      readonly header: string;
    }
  | {
      /** Way into the body, such as `page.after`. */
      readonly body: string;
    };

/** How many records a page is asked to have. */
export interface PageSize {
  /** Where the number goes. */
  readonly send: SentAs;
  /** The number. */
  readonly value: number;
}

/** Where an answer tells how many records the whole list has: a way in it, or a header. */
export type Total<Answer> =
  | Way<Answer, number>
  | {
      /** Name of the header. */
      readonly header: string;
    };

/** All records at once. An answer that tells of more is an error, before anything is deleted. */
export interface OnePage {
  /** Tells the kinds apart. */
  readonly kind: "one";
  /**
   * Members of the answer, by name or way, that look as if there were more and say nothing of the list; `link` for the
   * header.
   */
  readonly ignore?: readonly string[];
}

/**
 * Pages by number, until one is empty, `last` says that it is the last one, or `total` is reached. With a number in `last`
 * or with `total` several are asked for at once.
 */
export interface NumberedPages<Answer> {
  /** Tells the kinds apart. */
  readonly kind: "page";
  /** Where the number goes. */
  readonly send: SentAs;
  /**
   * Number of the first page.
   * @default 1
   */
  readonly first?: number;
  /** Whether the page is the last one, or the number of the last one. */
  readonly last?: Way<Answer, boolean | number>;
  /** How many records the whole list has. A list that ends before is an error. */
  readonly total?: Total<Answer>;
  /** How many records a page is asked to have. */
  readonly size?: PageSize;
}

/**
 * Pages by the count of records before, until one is empty, `total` is reached or `more` is false. With `total` several are
 * asked for at once.
 */
export interface OffsetPages<Answer> {
  /** Tells the kinds apart. */
  readonly kind: "offset";
  /** Where the count goes. */
  readonly send: SentAs;
  /** How many records the whole list has. A list that ends before is an error. */
  readonly total?: Total<Answer>;
  /** Whether there are more pages. */
  readonly more?: Way<Answer, boolean>;
  /** How many records a page is asked to have. */
  readonly size?: PageSize;
}

/** Pages of which each tells by what the next one is asked for. */
export interface CursorPages<Answer> {
  /** Tells the kinds apart. */
  readonly kind: "cursor";
  /** Where the cursor goes. */
  readonly send: SentAs;
  /** Where the next cursor stands: a way in the answer, a header, or a way in the last record of the page. */
  readonly next:
    | Way<Answer, Scalar>
    | {
        /** Name of the header. */
        readonly header: string;
      }
    | {
        /** Way in the last record. */
        readonly lastItem: string;
      };
  /** Whether there are more pages. */
  readonly more?: Way<Answer, boolean>;
  /** How many records the whole list has. A list that ends before is an error. */
  readonly total?: Total<Answer>;
  /** How many records a page is asked to have. */
  readonly size?: PageSize;
}

/** Pages of which each has the address of the next one in its body. */
export interface LinkedPages<Answer> {
  /** Tells the kinds apart. */
  readonly kind: "link";
  /** Where the address stands. Its origin is that of the connection. */
  readonly next: Way<Answer, string>;
  /** How many records the whole list has. A list that ends before is an error. */
  readonly total?: Total<Answer>;
  /** How many records a page is asked to have. */
  readonly size?: PageSize;
}

/** Pages of which each has the address of the next one in the header `Link` (RFC 8288). */
export interface LinkHeaderPages {
  /** Tells the kinds apart. */
  readonly kind: "linkHeader";
  /** How many records the whole list has. A list that ends before is an error. */
  readonly total?: Total<unknown>;
  /** How many records a page is asked to have. */
  readonly size?: PageSize;
}

/** A call for the job of an export, whose handle is the variable `{handle}` of the path. */
export interface ExportCall {
  /** Method and path: `GET /exports/{handle}`; `GET {handle}` if the handle is an address. */
  readonly call: string;
  /** Values of the other variables of the path. */
  readonly path?: Readonly<Record<string, ValueSource>> | undefined;
  /** Parameters of the query. */
  readonly query?: Readonly<Record<string, ValueSource | readonly Scalar[]>>;
  /** Headers. */
  readonly headers?: Readonly<Record<string, ValueSource>>;
}

/** The list is made as a file by a job, which the first call starts; `exportJob` declares it. */
export interface ExportPages {
  /** Tells the kinds apart. */
  readonly kind: "export";
  /** Where the first answer has what the job is asked by: a way, or a header. */
  readonly handle:
    | string
    | {
        /** Name of the header. */
        readonly header: string;
      };
  /** How the job is asked whether it is done. */
  readonly poll: ExportCall & {
    /** Where the answer says how far the job is. */
    readonly state?: string;
    /** What stands there when the file is ready. */
    readonly ready?: Scalar | readonly Scalar[];
    /** What stands there when there will be none. */
    readonly failed?: Scalar | readonly Scalar[];
    /** Where the reason of a failure stands. */
    readonly message?: string;
    /** Where the answer says how many records the file has. */
    readonly total?: string;
    /** How long to wait before the job is asked again, as an ISO 8601 duration. */
    readonly every?: string;
    /** How long a run waits for the job, as an ISO 8601 duration. */
    readonly longest?: string;
  };
  /** Where the file is, by a call or at an address that the job tells, and how it holds records. */
  readonly download: FileFormat & Partial<ExportCall> & { readonly address?: string };
}

/** How a list comes in pages. `Answer` is the type of an answer. */
export type Pages<Answer> =
  | OnePage
  | NumberedPages<Answer>
  | OffsetPages<Answer>
  | CursorPages<Answer>
  | LinkedPages<Answer>
  | LinkHeaderPages
  | ExportPages;

/** Asks for what has changed. */
export type Since<Json, Answer = unknown> = SinceTime<Json> | SinceMark<Answer>;

/** Asks from what the target system itself gives to go on by, such as a token or a time. */
export interface SinceMark<Answer> {
  /** Where the first answer of a list says what the next run asks from. It is sent as it came. */
  readonly mark: Way<Answer, Scalar>;
  /** Where it goes. */
  readonly send: SentAs;
}

/** Asks from a time. */
export interface SinceTime<Json> {
  /**
   * Serialized name of the property that says when a record was changed.
   * @default none: the next run asks from the time of the target system's first answer, by its header `Date`
   */
  readonly property?: keyof Json & string;
  /** Where the time goes that is asked for. */
  readonly send: SentAs;
  /**
   * How the target system writes times.
   * @default "iso"
   */
  readonly format?: TimeFormat;
  /**
   * How far before the latest record the next run starts, as an ISO 8601 duration. What the target system made visible
   * late is met so; what was read before is found unchanged.
   * @default "PT1M"
   */
  readonly overlap?: string;
}

/** Tells records that were deleted from others. */
export interface DeletedWhen {
  /** Way in a record, such as `deleted_at`. */
  readonly property: string;
  /**
   * The value that it has then.
   * @default any value but null, false, an empty text and none at all
   */
  readonly is?: Scalar;
}

/** Errors that are answered with a success. */
export interface Refused<Answer> {
  /** Where the answer says so. */
  readonly at: Way<Answer, Scalar>;
  /** What stands there then. */
  readonly is: Scalar;
  /** Where the reason stands. */
  readonly message?: Way<Answer, string>;
}

/** The type of an answer, for the compiler only; `answer` makes it. */
export interface AnswerOf<Answer> {
  /** Never set. */
  readonly answer?: Answer;
}

/** The variables of a path: `id` in `GET /projects/{id}`. */
export type VariablesOf<List extends string> = List extends `${string}{${infer Name}}${infer Rest}`
  ? Name | VariablesOf<Rest>
  : never;

/** A value for each variable of the path, and for nothing else. */
export type PathOf<List extends string, Value = ValueSource> = [VariablesOf<List>] extends [never]
  ? { readonly path?: undefined }
  : { readonly path: { readonly [Name in VariablesOf<List>]: Value } };

/** `$` for an answer that is the list itself. */
type ItemsWay<Answer, Item> =
  | Way<Answer, readonly Item[]>
  | (unknown extends Answer ? "$" : Answer extends readonly Item[] ? "$" : never);

/** How records are listed. Names in it are serialized names. */
export type ListDeclaration<
  List extends string,
  Json,
  Answer = unknown,
  Item = Json,
  Time extends Since<Json, Answer> | undefined = Since<Json, Answer> | undefined,
> = PathOf<List> & {
  /** Method and path below the base address: `GET /projects`, `POST /projects/search`. */
  readonly list: List;
  /** Parameters of the query. */
  readonly query?: Readonly<Record<string, ValueSource | readonly Scalar[]>>;
  /** Headers. */
  readonly headers?: Readonly<Record<string, ValueSource>>;
  /** The body of a list that is asked for by POST. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** The type of an answer: by it the compiler checks every way. Default: none, and ways are any texts. */
  readonly answer?: AnswerOf<Answer>;
  /** Way to the list of records in an answer; `$` if the answer is the list. */
  readonly items: ItemsWay<Answer, Item>;
  /** How the list comes in pages. */
  readonly pages: Pages<Answer>;
  /** Statuses that say that there is nothing to list, such as 404 for a parent that has gone. Any other throws. */
  readonly absent?: readonly number[];
  /** How the target system tells an error with a success. */
  readonly refused?: Refused<Answer>;
  /** Makes the reader incremental: it asks for what has changed since the last run. */
  readonly since?: Time;
  /**
   * How many calls are made at once, and how many pages are kept: of several lists of parents, or of one list by numbers or
   * offsets that tells how long it is.
   * @default 4
   */
  readonly concurrency?: number;
  /** Code for what can't be declared: the record of an item; undefined leaves it out. State the type of its parameter. */
  readonly each?: (item: Item) => Json | undefined;
};

/** How a data object is listed. Names in it are serialized names. */
export type ReaderDeclaration<
  List extends string,
  Json,
  Answer = unknown,
  Item = Json,
  Time extends Since<Json, Answer> | undefined = Since<Json, Answer> | undefined,
  Deleted extends DeletedWhen | undefined = DeletedWhen | undefined,
  DeletedList extends string = string,
  DeletedAnswer = unknown,
  DeletedItem = Partial<Json>,
> = ListDeclaration<List, Json, Answer, Item, Time> & {
  /** Makes the reader incremental: which of the records were deleted. */
  readonly deletedWhen?: Deleted;
  /**
   * Makes the reader incremental: a second list, of records that were deleted. Of each the members of its key are enough.
   * It is read behind the first one, with a `since` of its own.
   */
  readonly deleted?: ListDeclaration<DeletedList, Partial<Json>, DeletedAnswer, DeletedItem>;
  /**
   * How often an incremental reader reads everything, and what it does not meet is deleted. For lists that tell of no
   * deletes. Default: never.
   */
  readonly full?: FullReads;
};

/** Any declaration of a list, as tools read it. */
export type AnyListDeclaration = Omit<
  ListDeclaration<string, Record<string, unknown>>,
  "path" | "each" | "items" | "pages" | "refused"
> & {
  /** A value for each variable of the path. */
  readonly path?: Readonly<Record<string, ValueSource>> | undefined;
  /** Way to the list of records in an answer; `$` if the answer is the list. */
  readonly items: string;
  /** How the list comes in pages. */
  readonly pages: Pages<unknown>;
  /** How the target system tells an error with a success. */
  readonly refused?: Refused<unknown> | undefined;
  /** Way to a list of errors; if it is not empty, the answer is an error. Of GraphQL queries. */
  readonly errors?: string | undefined;
  /** Way in an item of the list to its record. Default: the item is the record. */
  readonly record?: string | undefined;
  /** Code that makes the record of an item. */
  readonly each?: ((item: never) => unknown) | undefined;
};

/** Any declaration, as tools read it. */
export type AnyReaderDeclaration = AnyListDeclaration & {
  /** Which of the records were deleted. */
  readonly deletedWhen?: DeletedWhen | undefined;
  /** A second list, of records that were deleted. */
  readonly deleted?: AnyListDeclaration | undefined;
  /** How often everything is read. */
  readonly full?: FullReads | undefined;
};

/** The context of any reader whose client can make calls. */
export type DeclaredContext = ReaderContext<CallingClient, ServiceTypes>;

/** A reader that was declared. It stands where a reader in code stands. */
export interface DeclaredReader<Item> {
  /** Reads the list. */
  (context: DeclaredContext): AsyncIterable<Item>;
  /** What was declared. Frozen. */
  readonly declaration: AnyReaderDeclaration;
  /** How often an incremental reader reads everything, as declared. */
  readonly full?: FullReads | undefined;
  /** Schema, keys and names of the records. */
  readonly record: RecordType;
  /**
   * What a run resumes from to begin with a page of the list, counted from 1; undefined if only the page before it tells
   * where it is.
   * @throws TypeError for pages by offset without a size.
   */
  resumePointAt(page: number): string | undefined;
}

/** What a reader with these members yields. */
export type ItemOf<Json, Time, Deleted, DeletedList = never> = [Time, Deleted, DeletedList] extends [
  undefined,
  undefined,
  never,
]
  ? Json
  : RecordChange<Json>;

/** A reader of parents: declared or in code, full or incremental. */
export type ParentReader = (context: never) => AsyncIterable<unknown>;

/** What a parent reader yields, as a record. */
type ParentRecord<Reader> = Reader extends (context: never) => AsyncIterable<infer Item>
  ? Item extends RecordChange<infer Changed>
    ? Changed
    : Item
  : never;

/**
 * A value of each parent: the list is asked for once for each record that `reader` reads.
 * @param way Way to the value in the parent's serialized form.
 * @example
 * defineReader(Timesheet, {
 *   list: "GET /projects/{projectId}/timesheets",
 *   path: { projectId: from(projectReader, "id") },
 *   items: "data",
 *   pages: { kind: "linkHeader" },
 * });
 */
export function from<Reader extends ParentReader>(
  reader: Reader,
  way: Way<ParentRecord<Reader>, Scalar>,
): ParentSource {
  return Object.freeze({ kind: "parent", reader, way });
}

/**
 * A setting of the registration configuration, or of the connection if that has none, by its serialized name.
 * @example
 * const query = { status: setting("ProjectStatus", { as: { All: null }, default: null }) };
 */
export function setting(name: string, options: SettingOptions = {}): SettingSource {
  return deepFreeze({ kind: "setting", name, ...options });
}

/** The type of an answer, for the compiler only. */
export function answer<Answer>(): AnswerOf<Answer> {
  return NO_ANSWER;
}

const NO_ANSWER: AnswerOf<never> = Object.freeze({});
