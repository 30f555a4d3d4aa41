/** What a fake target system is started with, and what it is once it runs. */
import type { AnyReaderDeclaration } from "../declared/declaration.js";
import type { ConnectionContainer } from "../registration/connection-contracts.js";
import type { Transport } from "../registration/http-messages.js";
import type { FakeRecord, FakeValues } from "./fake-records.js";
import type { FakeSettings } from "./fake-settings.js";
import type { FaultName, FaultPlan } from "./fault-names.js";
import type { FakeRate } from "./rate-window.js";

/** How a fake target system is started. */
export interface FakeOptions {
  /**
   * The port on 127.0.0.1.
   * @default 0: any that is free
   */
  readonly port?: number | undefined;
  /**
   * How many records each data object has, or by the name of its class; a list below parents has as many over all of them.
   * @default 1000
   */
  readonly records?: number | Readonly<Record<string, number>> | undefined;
  /**
   * The same seed makes the same records and the same faults.
   * @default 1
   */
  readonly seed?: number | undefined;
  /**
   * The most records that a page has, whatever is asked for.
   * @default 100
   */
  readonly maxPageSize?: number | undefined;
  /**
   * How the lists of readers in code are asked for, by the name of the data object's class, as a declared reader says it.
   * @default none: such a list answers 404
   */
  readonly lists?: Readonly<Record<string, AnyReaderDeclaration>> | undefined;
  /**
   * Answers to other calls, by method and path below the base address: `GET /me`. They go before lists.
   * @default none: the call of the connection test answers 200
   */
  readonly routes?: Readonly<Record<string, FakeRoute>> | undefined;
  /**
   * Values of properties that can't be made from their schemas, by the name of the data object's class.
   * @default none
   */
  readonly values?: Readonly<Record<string, FakeValues>> | undefined;
  /**
   * The definition key of the connection.
   * @default the first one of the connector
   */
  readonly connection?: string | undefined;
  /**
   * Properties of the connection, by serialized name, in place of those that are made.
   * @default none
   */
  readonly properties?: object | undefined;
  /**
   * The registration configuration, with serialized names.
   * @default one that is made from its schema
   */
  readonly registrationConfiguration?: unknown;
  /**
   * How many requests are answered in a window of time; any more answer 429.
   * @default all
   */
  readonly rate?: FakeRate | undefined;
  /**
   * What goes wrong.
   * @default nothing
   */
  readonly faults?: readonly (FaultName | FaultPlan)[] | undefined;
  /**
   * How long access tokens live, in seconds.
   * @default 3600
   */
  readonly tokenLifeSeconds?: number | undefined;
  /**
   * Settings that change neither calls nor records, such as a log level: by property, or as the acceptance suite names them.
   * @default none
   */
  readonly unseenSettings?: readonly string[] | undefined;
  /** Called with each request when it was answered, or when its connection has ended. */
  readonly onRequest?: ((request: FakeRequest) => void) | undefined;
  /**
   * The time, in milliseconds since 1970.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined;
}

/** Answers a call. */
export type FakeRoute = (call: FakeCall) => FakeReply | Promise<FakeReply>;

/** A call that came with the right credentials. */
export interface FakeCall {
  /** Values of the variables of the path. */
  readonly variables: Readonly<Record<string, string>>;
  /** The query. */
  readonly query: URLSearchParams;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** What was sent as JSON or as a form; undefined for nothing. */
  readonly body: unknown;
  /** What the target system holds of a data object, by the name of its class. @throws TypeError if there is none. */
  objectOf(name: string): FakeObject;
}

/** What is answered. */
export interface FakeReply {
  /**
   * HTTP status.
   * @default 200
   */
  readonly status?: number | undefined;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Written as JSON; undefined for an answer without a body. */
  readonly body?: unknown;
}

/** What a fake target system holds of a data object. */
export interface FakeObject {
  /** The records that exist, in the order of the list. */
  records(): readonly FakeRecord[];
  /** Adds a record; what is required and not given is made. @throws TakenKeyError for a key that another record has. */
  insert(given?: object): FakeRecord;
  /** Changes members of the record with this key, such as `id/7`. @throws RangeError if there is none. */
  change(key: string, members: object): FakeRecord;
  /** Deletes the record with this key, such as `id/7`. @throws RangeError if there is none. */
  remove(key: string): void;
}

/** A request that came. */
export interface FakeRequest {
  /** Counts the requests from 1 on; 0 for what is asked beside the API, such as a token. */
  readonly number: number;
  /** HTTP method. */
  readonly method: string;
  /** Path and query as they came. */
  readonly path: string;
  /** By lower-case name, credentials included. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** What was sent, as text. */
  readonly body: string;
  /** Status that was answered; 0 if there was no whole answer. */
  readonly status: number;
  /** The fault that struck it. */
  readonly fault: FaultName | undefined;
}

/** A fake target system that runs. */
export interface FakeTarget {
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  /** A connection that it lets in, for `connect` and `testConnection`; with the newest refresh token, if it has one. */
  readonly connection: ConnectionContainer;
  /** The configurations that belong to it, for `startConnector`: every data object and action is switched on. */
  readonly settings: FakeSettings;
  /**
   * Sends every call to it, whatever the base address of the connection is: give it to `connect` as `transport`. A
   * connection whose base address is a property needs none.
   */
  readonly transport: Transport;
  /** What it holds of a data object, by the name of its class. @throws TypeError if there is none. */
  objectOf(name: string): FakeObject;
  /** Everything that it answers: method and path, with variables. */
  readonly calls: readonly string[];
  /** What came so far, in order. */
  readonly requests: readonly FakeRequest[];
  /** Lets something go wrong from now on. */
  strike(plan: FaultPlan): void;
  /** Lets nothing go wrong any more. */
  calm(): void;
  /** The number that the next request will have. */
  nextNumber(): number;
  /** What can't be made or found out from the connector, a sentence each. */
  notes(): readonly string[];
  /** Ends all connections. */
  close(): Promise<void>;
}

/**
 * What `connectorcli fake start` starts with, from `fake.ts` of a project: the answers that nobody can know from the
 * connector alone.
 * @example
 * export const fake = defineFake({
 *   lists: { Project: { list: "GET /projects", items: "$", pages: { kind: "page", send: "page" } } },
 * });
 */
export function defineFake(options: FakeOptions): FakeOptions {
  return Object.freeze(options);
}
