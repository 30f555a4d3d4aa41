/** A connector at a real target system: it only reads there, and its cache is in memory. */
import { setImmediate as eventLoopTurn, setTimeout as sleep } from "node:timers/promises";
import { syncObject } from "../../../cache-writer/sync-object.js";
import type { SyncProgress, SyncResult, SyncSettings } from "../../../cache-writer/sync-options.js";
import { NetworkError } from "../../../client/errors.js";
import { connect } from "../../../host/connection.js";
import { testConnection } from "../../../host/connection-test.js";
import { openSqliteStore } from "../../../host/open-store.js";
import { sensitiveTypes, startConnector } from "../../../host/start.js";
import { createLog } from "../../../log/log.js";
import type {
  ClientHost,
  Clock,
  ConnectionContainer,
  TestConnectionResult,
} from "../../../registration/connection-contracts.js";
import type { Transport } from "../../../registration/http-messages.js";
import type { ConnectorRegistration, RegisteredObject } from "../../../registration/registration.js";
import { retryAfterMs } from "../../../retry.js";
import type { SeenConnection } from "../../fake-connection.js";
import type { FakeRecord } from "../../fake-records.js";
import type { FakeSettings } from "../../fake-settings.js";
import { listedObjects, pathPattern } from "../../routes.js";
import { boundedRun } from "../bounded-run.js";
import type { Cached } from "../flaw.js";
import { createCallRecorder, type RecordedCalls } from "../recorded-calls.js";
import { ELSEWHERE, misleading, withProperties } from "../world.js";
import { type AnswerSource, createRememberedAnswers } from "./remembered-answers.js";
import { createStruckCalls, type Strike } from "./struck-calls.js";

/** What a system is opened with. */
export interface LiveSystemOptions {
  readonly registration: ConnectorRegistration;
  readonly connection: ConnectionContainer;
  readonly settings: FakeSettings;
  /** How the cache is written, as the project says it. */
  readonly sync: (object: RegisteredObject) => SyncSettings;
  readonly host: Pick<ClientHost, "environment" | "lockProperties" | "saveProperties" | "transport">;
  /** What was seen of the connection without a call. */
  readonly seen: SeenConnection;
  /** What `fake.ts` says of lists that code reads: their POST only reads. */
  readonly lists: NonNullable<Parameters<typeof listedObjects>[1]>;
  readonly stuckSeconds: number;
  readonly signal: AbortSignal | undefined;
}

/** How a read is made. */
export interface LiveReadOptions extends SyncSettings {
  /** @default still */
  readonly source?: AnswerSource | undefined;
  readonly strike?: Strike | undefined;
  readonly stopAfter?: number | undefined;
  readonly deadAfter?: number | undefined;
  readonly stopAfterRecords?: number | undefined;
  /** Whether links in answers lead to another host. @default false */
  readonly isMisleading?: boolean | undefined;
  /** Changes answers: undefined leaves one as it is. */
  readonly change?: ((text: string) => string | undefined) | undefined;
}

/** A cache in memory. */
export interface LiveCache {
  read(object: RegisteredObject, options?: LiveReadOptions): Promise<SyncResult>;
  cached(object: RegisteredObject): Promise<Cached>;
}

/** A request that would have changed the target system, and was not sent. */
export interface RefusedCall {
  readonly method: string;
  readonly path: string;
}

/** A connector that is started, and connected to a real target system. */
export interface LiveSystem {
  readonly calls: RecordedCalls;
  /** Everything that was logged or said in results. */
  readonly said: string[];
  /** What was refused in the last run. */
  readonly refused: readonly RefusedCall[];
  /** The connection as it is now, and where its calls go. */
  readonly fake: { readonly connection: ConnectionContainer; readonly origin: string };
  readonly credentials: SeenConnection["credentials"];
  readonly hasTokens: boolean;
  readonly clock: Clock;
  /** Whether the last run has asked the target system, and not the memory alone. */
  readonly hasAsked: boolean;
  /** Runs something with an empty cache. */
  inCache<Result>(run: (cache: LiveCache) => Promise<Result>): Promise<Result>;
  /** Tests the connection, or another one. */
  test(other?: ConnectionContainer, strike?: Strike): Promise<TestConnectionResult>;
  /** Reads every object that these settings switch on. @returns names of those that were read. */
  switchedOn(services: FakeSettings["services"]): readonly string[];
  /** Asks the target system anew for everything. */
  forget(): void;
}

/** More calls than that are no read any more. */
const MOST_CALLS = 20_000;

/** @throws StartError or ConnectionError if the connector does not start with these settings. */
export function openLiveSystem(options: LiveSystemOptions): LiveSystem {
  const { registration, settings, host, seen, signal } = options;
  const clock = createPoliteClock(signal);
  const calls = createCallRecorder(clock.now);
  const said: string[] = [];
  const log = createLog({
    level: "debug",
    schemas: sensitiveTypes(registration),
    destination: { write: (line) => said.push(line) },
  });
  const connector = startConnector(registration, { ...settings, log });
  let container = options.connection;
  const saveProperties = async (properties: Readonly<Record<string, string>>) => {
    container = withProperties(container, properties, registration);
    await host.saveProperties?.(properties);
  };
  const answers = createRememberedAnswers(seen.credentials);
  const struck = createStruckCalls();
  const reading = readingOnly(listedObjects(registration, options.lists).sources);
  let isMisleading = false;
  const transport: Transport = (network) => {
    const own = host.transport?.(network) ?? network;
    const remembered = answers.transport(notElsewhere(clock.polite(own)));
    const misled = misleading(remembered);
    return calls.transport(
      reading.transport(struck.transport((request) => (isMisleading ? misled : remembered)(request))),
    );
  };
  const { environment, lockProperties } = host;
  const services = connect(connector, container, {
    ...{ clock, environment, lockProperties, saveProperties, transport },
  });
  const objects = connector.modules.flatMap(({ cacheWriter }) => cacheWriter.dataObjects);

  function begin(source: AnswerSource, strike?: Strike): void {
    answers.begin(source);
    struck.begin(strike);
    reading.begin();
    clock.forgive();
  }

  async function inCache<Result>(run: (cache: LiveCache) => Promise<Result>): Promise<Result> {
    const store = await openSqliteStore({ file: ":memory:" });
    try {
      return await run({
        async read(object, given = {}) {
          const { source = "still", strike, stopAfter, deadAfter, isMisleading: misleads, change } = given;
          const { stopAfterRecords = Number.POSITIVE_INFINITY, ...rest } = given;
          const started = objects.find(({ dataPath }) => dataPath === object.dataPath);
          if (started === undefined) throw new TypeError(`The connector has no ${object.dataPath}.`);
          begin(source, strike);
          isMisleading = misleads === true;
          struck.change = change;
          const bounds = { stopAfter, deadAfter, mostCalls: MOST_CALLS, stuckSeconds: options.stuckSeconds };
          const result = await boundedRun(calls, bounds, (stop, end) =>
            syncObject(started, {
              ...{ ...services, store, log: connector.log, signal: stop, ...options.sync(object) },
              ...syncSettingsOf(rest),
              onProgress: ({ read }: SyncProgress) => {
                if (!stop.aborted) calls.noteSign();
                if (read >= stopAfterRecords || signal?.aborted === true) end();
              },
            }),
          );
          if (result.message !== null) said.push(result.message);
          return result;
        },
        async cached({ dataPath }) {
          const found = new Map<string, FakeRecord>();
          for await (const { key, record } of store.records.list(dataPath))
            found.set(key, record as FakeRecord);
          return found;
        },
      });
    } finally {
      await store.close();
    }
  }

  return {
    ...{ calls, said, clock, inCache, hasTokens: seen.hasTokens, credentials: seen.credentials },
    get refused() {
      return reading.refused;
    },
    get fake() {
      const origin = calls.all.find(({ purpose }) => purpose === "call")?.url ?? ELSEWHERE;
      return { connection: container, origin: new URL(origin).origin };
    },
    get hasAsked() {
      return answers.asked > 0;
    },
    async test(other, strike) {
      begin("learn", strike);
      // Whether credentials are right, only the target system can say.
      answers.forget();
      const bounds = {
        ...{ stopAfter: undefined, deadAfter: undefined },
        ...{ mostCalls: MOST_CALLS, stuckSeconds: options.stuckSeconds },
      };
      const result = await boundedRun(calls, bounds, (stop) =>
        testConnection(registration, other ?? container, {
          registrationConfiguration: settings.registrationConfiguration,
          ...{ signal: stop, clock, environment, log: connector.log, transport },
          // What belongs to other credentials is not kept.
          ...(other === undefined && { lockProperties, saveProperties }),
        }),
      );
      said.push(result.message);
      return result;
    },
    switchedOn: (given) =>
      startConnector(registration, { ...settings, services: given, log })
        .modules.flatMap(({ cacheWriter }) => cacheWriter.dataObjects)
        .filter(({ uploadObject }) => uploadObject)
        .map(({ name }) => name),
    forget: answers.forget,
  };
}

function syncSettingsOf({ pageSize, rejectedLimit }: LiveReadOptions): SyncSettings {
  return {
    ...(pageSize !== undefined && { pageSize }),
    ...(rejectedLimit !== undefined && { rejectedLimit }),
  };
}

/**
 * Lets through what reads: GET, HEAD, and the POST of lists that are declared. Every other call is refused, and told.
 */
function readingOnly(sources: ReturnType<typeof listedObjects>["sources"]) {
  const posts = sources.flatMap(({ declaration: { list } }) => {
    const [method = "", path = ""] = list.split(" ");
    return method === "POST" ? [pathPattern(path)] : [];
  });
  let refused: RefusedCall[] = [];
  const transport: Transport = (next) => (request) => {
    const { purpose, method, url } = request;
    const path = new URL(url).pathname;
    const isList = method === "POST" && posts.some((pattern) => pattern.test(path));
    if (purpose === "token" || method === "GET" || method === "HEAD" || isList) return next(request);
    refused.push({ method, path });
    return Promise.reject(new RefusedCallError(`${method} ${path} was not sent: a reader only reads.`));
  };
  return {
    transport,
    get refused() {
      return refused;
    },
    begin() {
      refused = [];
    },
  };
}

/** A call of a reader was not sent. */
class RefusedCallError extends Error {
  override readonly name = "RefusedCallError";
  /** It would not be sent the next time either. */
  readonly retry = "never";
}

/** Nothing is sent to a host that only the suite has named. */
function notElsewhere(next: ReturnType<Transport>): ReturnType<Transport> {
  return (request) => {
    if (new URL(request.url).hostname !== new URL(ELSEWHERE).hostname) return next(request);
    const facts = { code: "ENOTFOUND", reason: "there is no such host" };
    return Promise.reject(new NetworkError({ request: `${request.method} ${request.url}`, ...facts }));
  };
}

/** How long is waited where the target system does not say until when. */
const UNSAID_PAUSE_MS = 1_000;

/**
 * Time in which nobody waits, as long as the target system is not asked: before a call of it, what was to be waited for is
 * made up for. What the target system itself has asked for is always waited for.
 */
function createPoliteClock(signal: AbortSignal | undefined) {
  let [aheadMs, forgivenMs, notBeforeMs] = [0, 0, 0];
  let turn: Promise<void> = Promise.resolve();

  async function catchUp(): Promise<void> {
    const debtMs = aheadMs - forgivenMs;
    const waitMs = Math.max(debtMs, notBeforeMs - Date.now());
    if (waitMs <= 0) return;
    await sleep(waitMs, undefined, { signal });
    aheadMs -= Math.min(debtMs, waitMs);
  }

  return {
    now: () => Date.now() + aheadMs,
    async sleep(milliseconds: number, stop?: Parameters<Clock["sleep"]>[1]) {
      const until = Date.now() + aheadMs + milliseconds;
      // Others may have slept meanwhile: time passes once for all.
      await eventLoopTurn();
      aheadMs = Math.max(aheadMs, until - Date.now());
      stop?.throwIfAborted();
    },
    /** What was to be waited for until now was for faults that never reached the target system. */
    forgive: () => {
      forgivenMs = aheadMs;
    },
    polite:
      (next: ReturnType<Transport>): ReturnType<Transport> =>
      async (request) => {
        turn = turn.then(catchUp, catchUp);
        await turn;
        const response = await next(request);
        const now = Date.now();
        if (response.statusCode === 429 || response.statusCode === 503)
          notBeforeMs = Math.max(notBeforeMs, now + (retryAfterMs(response.headers, now) ?? UNSAID_PAUSE_MS));
        return response;
      },
  };
}
