/** What an author decides of a connector that is imported from an OpenAPI document: which lists, and what the document leaves open. */
import { createDefinition, type Definition } from "./definition.js";

/** Where a value of the paging goes: the name of a parameter, a header, or a way into the body of a list by POST. */
export type SentAs = string | { readonly header: string } | { readonly body: string };

/** What a list by POST is sent: any JSON. */
export type SentJson =
  | string
  | number
  | boolean
  | null
  | readonly SentJson[]
  | { readonly [name: string]: SentJson };

/** How many records a page is asked to have. */
export interface PageSize {
  /** The parameter that takes the number. */
  readonly send: SentAs;
  /** The number. */
  readonly value: number;
}

/** How a list comes in pages, in the words of declared readers. Ways lead into the answer: `meta.next`. */
export type ListPages =
  | {
      /** All records come at once. */
      readonly kind: "one";
    }
  | {
      /** Pages are counted. */
      readonly kind: "page";
      /** The parameter that takes the number of the page. */
      readonly send: SentAs;
      /** The number of the first page. */
      readonly first: number;
      /** Way to the number of the last page, or to whether this is it. @default an empty page ends the list */
      readonly last?: string;
      /** How many records a page has. @default nothing is sent */
      readonly size?: PageSize;
    }
  | {
      /** Records are counted. */
      readonly kind: "offset";
      /** The parameter that takes the number of records to skip. */
      readonly send: SentAs;
      /** Way to the number of all records. */
      readonly total?: string;
      /** Way to whether more records follow. */
      readonly more?: string;
      /** How many records a page has. @default nothing is sent */
      readonly size?: PageSize;
    }
  | {
      /** Each answer names the next page. */
      readonly kind: "cursor";
      /** The parameter that takes the cursor. */
      readonly send: SentAs;
      /** Way to the cursor in the answer, the header that has it, or the property of the last record that is one. */
      readonly next: string | { readonly header: string } | { readonly lastItem: string };
      /** Way to whether more records follow. */
      readonly more?: string;
      /** How many records a page has. @default nothing is sent */
      readonly size?: PageSize;
    }
  | {
      /** Each answer has the address of the next page. */
      readonly kind: "link";
      /** Way to the address. */
      readonly next: string;
      /** How many records a page has. @default nothing is sent */
      readonly size?: PageSize;
    }
  | {
      /** The header `Link` has the address of the next page. */
      readonly kind: "linkHeader";
      /** How many records a page has. @default nothing is sent */
      readonly size?: PageSize;
    };

/** How changes are asked for. */
export interface ListSince {
  /** Serialized name of the property that tells when a record was changed. @default the time of the answer counts */
  readonly property?: string;
  /** The parameter that takes the time. */
  readonly send: SentAs;
  /** How the time is written. */
  readonly format: "iso" | "date" | "epochSeconds" | "epochMs" | "httpDate";
}

/** Where a value comes from that every call of a list needs. */
export type ListValue<Operation extends string = string> =
  | {
      /** The same in every call. A member of a body may be any JSON. */
      readonly value: SentJson;
    }
  | {
      /** A property of the connection, which the user enters. */
      readonly setting: true;
    }
  | {
      /** The list of the parents: the list is read once for each of their records. */
      readonly from: Operation;
      /** Serialized name of the property of a parent that is the value. */
      readonly property: string;
    };

/** What is decided of a list. What is left out, the document decides. */
export interface ListAnswer<Operation extends string = string> {
  /** Name of the data object's class. */
  readonly name?: string;
  /** Way to the records in an answer; `$` if the answer is the list. */
  readonly items?: string;
  /** Serialized names of the properties that identify a record. */
  readonly key?: string | readonly string[];
  /** How the list comes in pages. */
  readonly pages?: ListPages;
  /** How changes are asked for; `false` if they are not. */
  readonly since?: ListSince | false;
  /** Values by the names of path variables, parameters, headers, and members of the body of a list by POST. */
  readonly values?: Readonly<Record<string, ListValue<Operation>>>;
  /** Not together with other answers. */
  readonly skip?: never;
}

/** The reason why an operation is left out. */
export interface SkipAnswer {
  /** The reason, in a few words. It stands in `imported/left-out.md`. */
  readonly skip: string;
}

/**
 * What is decided of an operation: a list, or, of one that changes records, that it is left out. A POST that is answered to
 * as a list reads records.
 */
export type OperationAnswer<Id extends string = string, Operation extends string = string> = string extends Id
  ? ListAnswer<Operation> | SkipAnswer
  : Id extends `${"GET" | "POST"} ${string}`
    ? ListAnswer<Operation> | SkipAnswer
    : SkipAnswer;

/** The operations of `Operation` whose method is one of `Method`; all of them where they are any texts. */
type OperationBy<Method extends string, Operation extends string> = string extends Operation
  ? Operation
  : Extract<Operation, `${Method} ${string}`>;

/** What is decided of several lists at once, which leave the same open. */
export interface SharedListAnswer<Operation extends string = string>
  extends Omit<ListAnswer<Operation>, "name"> {
  /** The lists, by their operations. None of them has another answer to the same. */
  readonly operations: readonly OperationBy<"GET" | "POST", Operation>[];
}

/** The reason why several operations are left out. */
export interface SharedSkipAnswer<Operation extends string = string> extends SkipAnswer {
  /** The operations. */
  readonly operations: readonly Operation[];
}

/** One answer that counts for several operations. */
export type SharedAnswer<Operation extends string = string> =
  | SharedListAnswer<Operation>
  | SharedSkipAnswer<Operation>;

/** Options of {@link defineOpenApiImport}. */
export interface OpenApiImportOptions<Operation extends string = string> {
  /** The document: a file, from the folder of this module, or an address that begins with `https://`. */
  readonly source: string;
  /** Files of OpenAPI overlays, which are applied to the document in this order. @default none */
  readonly overlays?: readonly string[];
  /** Tags, and paths with or without their method; a path takes all below it. @default the whole document */
  readonly select?: readonly string[];
  /** Path variables, parameters and headers that are the same in every call: properties of the connection. @default none */
  readonly settings?: readonly string[];
  /** What is decided, by operation: `"GET /projects"`. @default what the document says */
  readonly answers?: { readonly [Id in Operation]?: OperationAnswer<Id, Operation> };
  /** What is decided once for several operations. @default nothing */
  readonly sharedAnswers?: readonly SharedAnswer<Operation>[];
}

/** What {@link defineOpenApiImport} returns. */
export interface OpenApiImportDefinition extends Definition<"openApiImport", OpenApiImportOptions> {}

/**
 * Says from which OpenAPI document a connector is imported, and decides what the document does not. It is the default
 * export of `openapi.config.ts`, which `connectorcli import openapi` reads.
 *
 * @typeParam Operation The operations of the document, from `imported/operations.ts`: a typo in an answer does not compile.
 * @example
 * type Operation = "GET /projects" | "GET /teams/{team}/people" | "GET /teams"; // imported/operations.ts
 *
 * export default defineOpenApiImport<Operation>({
 *   source: "openapi.yaml",
 *   answers: {
 *     "GET /projects": { key: "id", pages: { kind: "page", send: "page", first: 1 } },
 *     "GET /teams/{team}/people": { values: { team: { from: "GET /teams", property: "id" } } },
 *   },
 *   sharedAnswers: [{ operations: ["GET /teams", "GET /teams/{team}/people"], pages: { kind: "linkHeader" } }],
 * });
 */
export function defineOpenApiImport<Operation extends string = string>(
  options: OpenApiImportOptions<Operation>,
): OpenApiImportDefinition {
  return createDefinition({ kind: "openApiImport", options: options as OpenApiImportOptions });
}
