/** What would be made of a document, and why: plain data that the table, the questions and the modules are made from. */
import type { ListPages, ListSince } from "../../../schemas/authoring/openapi-import.js";
import type { JsonValue } from "../../../schemas/json.js";
import type {
  ApiOperation,
  ApiParameter,
  ApiSchema,
  At,
  SecurityScheme,
} from "../reading/api-description.js";

/**
 * - `sure`: the document says it.
 * - `middle`: the document says it but for something that the first answer shows.
 * - `ask`: the document does not decide it. Nothing is made of it before somebody answers.
 */
export type State = "sure" | "middle" | "ask";

/** A decision, with what it rests on. */
export interface Decision<Value> {
  readonly state: State;
  /** What was decided; with `ask` the first proposal, if there is one. */
  readonly value: Value;
  /** One line. */
  readonly evidence: string;
  /** The parts of the document that it cites. Nothing else was looked at. */
  readonly at: readonly At[];
  /** What the document says, if it is an answer of the author that decides. */
  readonly answered?: Decision<Value>;
}

/** How a list comes in pages, in the words of declared readers. */
export type PlannedPages = ListPages;

/** How changes are asked for. */
export type PlannedSince = ListSince;

/** A value that every call of a list needs. */
export interface PlannedValue {
  /** Name of the parameter, or of the member of the body. */
  readonly name: string;
  readonly in: "path" | "query" | "header" | "body";
  readonly source: ValueSource;
}

/** Where the value comes from. */
export type ValueSource =
  /** Only the members of a body are more than a text, a number or a boolean. */
  | { readonly kind: "value"; readonly value: JsonValue }
  /** A property of the connection. */
  | { readonly kind: "setting"; readonly name: string }
  /** A property of each record of another object. */
  | { readonly kind: "parent"; readonly object: string; readonly property: string };

/** A data object that a list gives. */
export interface PlannedObject {
  /** Name of its class. */
  readonly name: string;
  readonly list: ApiOperation;
  /** Schema of one record. */
  readonly record: ApiSchema;
  /** Way to the records in an answer; `$` if the answer is the list. */
  readonly items: Decision<string>;
  /** Serialized names. */
  readonly key: Decision<readonly string[]>;
  readonly pages: Decision<PlannedPages>;
  readonly since: Decision<PlannedSince | undefined>;
  /** Path, query and headers. */
  readonly values: readonly Decision<PlannedValue>[];
  /** Other lists of the same records. */
  readonly others: readonly ApiOperation[];
  /** What the document offers to change records with. */
  readonly writes: readonly PlannedWrite[];
}

/** An operation that changes records of an object. */
export interface PlannedWrite {
  readonly name: "Create" | "Update" | "Delete";
  readonly operation: ApiOperation;
  /** Why it is no action; undefined if it is one. */
  readonly problem: string | undefined;
  /** What it is sent beside its body. */
  readonly sent: readonly SentName[];
  /** Where the record is known from that was made or changed. */
  readonly record: WriteRecord | undefined;
  /** The header that takes a key of the action. */
  readonly idempotencyHeader: string | undefined;
}

/** A parameter of an operation that changes a record. */
export interface SentName {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  /** A property of the action's input, what every call is sent, or a value. */
  readonly source: ValueSource | { readonly kind: "input"; readonly property: string };
  /** As it is declared; undefined for a variable that the document forgot. */
  readonly parameter: ApiParameter | undefined;
}

/** Where a record is known from after it was made or changed. `$` is the whole answer. */
export type WriteRecord =
  | { readonly kind: "answer"; readonly way: string }
  | {
      readonly kind: "reread";
      /** Reads one item. */
      readonly operation: ApiOperation;
      readonly way: string;
      /** Where the address of the new item is known from; absent if the item was named in the call. */
      readonly item?: NewItem;
    };

/** How the address of what was made is known. */
export type NewItem =
  /** By the header `Location` of the answer. */
  | { readonly kind: "location" }
  /** By its own key: `way` leads to it in the answer. */
  | { readonly kind: "answered"; readonly property: string; readonly way: string }
  /** By its own key, which is entered. */
  | { readonly kind: "input"; readonly property: string };

/** An operation that is not taken. */
export interface LeftOut {
  readonly operation: ApiOperation;
  readonly reason: string;
}

/** How calls are signed. */
export type PlannedAuth =
  | {
      readonly authType: "ApiKey";
      readonly in: "query" | "header";
      readonly parameter: string;
      /** What stands before the key, such as `Bearer `. */
      readonly prefix: string;
    }
  | { readonly authType: "Basic" }
  | {
      readonly authType: "OAuth2CodeFlow";
      readonly authorizationUrl: string;
      readonly tokenUrl: string;
      readonly scopes: readonly string[];
    }
  | {
      readonly authType: "OAuth2ClientCredentials";
      readonly tokenUrl: string;
      readonly scopes: readonly string[];
    }
  | { readonly authType: "Custom" };

/** A connection definition. */
export interface PlannedConnection {
  /** Name of its class. */
  readonly name: string;
  readonly auth: Decision<PlannedAuth>;
  /** The schemes that are used together. */
  readonly schemes: readonly SecurityScheme[];
}

/** Where the API is. */
export type PlannedAddress =
  | { readonly kind: "fixed"; readonly url: string }
  /** Each user enters it; `example` is what it may look like. */
  | { readonly kind: "property"; readonly example: string };

/** What is to be said of an answer. */
export interface AnswerNote {
  /** `unused`: nothing is decided by it. `moot`: the document says the same by now. */
  readonly kind: "unused" | "moot";
  /** Where it stands in the options of the import: `["answers", "GET /projects", "key"]`. */
  readonly steps: readonly (string | number)[];
  /** Why, as the end of a sentence. */
  readonly reason: string;
  /** A sentence that helps, or nothing. */
  readonly hint: string;
}

/** A decision that stays, although the document would be understood otherwise now. */
export interface KeptDecision {
  readonly list: ApiOperation;
  readonly about: string;
  /** What would be decided now. */
  readonly now: Decision<unknown>;
}

/** All that would be made of a document. */
export interface ImportPlan {
  readonly objects: readonly PlannedObject[];
  /** Lists. */
  readonly leftOut: readonly LeftOut[];
  /** Operations that change something, and that no object has among its writes. */
  readonly otherWrites: readonly LeftOut[];
  readonly connections: readonly PlannedConnection[];
  readonly address: Decision<PlannedAddress>;
  /** Answers of the author that decide nothing, or nothing any more. */
  readonly notes: readonly AnswerNote[];
  /** Earlier decisions that stay although the document would be understood otherwise now. */
  readonly kept: readonly KeptDecision[];
}

/** What a decision on a value is called: `{variable}`, `?parameter`, `header Name`, `body member`. */
export function valueName({ name, in: place }: Pick<PlannedValue, "name" | "in">): string {
  if (place === "path") return `{${name}}`;
  return place === "query" ? `?${name}` : `${place} ${name}`;
}

/** Whether the list can be read without another answer. */
export function isDecided({ items, key, pages, values }: PlannedObject): boolean {
  return [items, key, pages, ...values].every(({ state }) => state !== "ask");
}

/** The decisions on how an object is read, by what they decide. */
export function decisionsOf(object: PlannedObject): ReadonlyMap<string, Decision<unknown>> {
  const { items, key, pages, since, values } = object;
  return new Map<string, Decision<unknown>>([
    ["items", items],
    ["key", key],
    ["pages", pages],
    ["since", since],
    ...values.map((value): [string, Decision<unknown>] => [valueName(value.value), value]),
  ]);
}
