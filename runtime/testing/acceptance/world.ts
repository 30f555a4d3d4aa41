/** A connector at a fake target system, with a cache of its own: what scenarios read, perform, break and look at. */
import { setImmediate as eventLoopTurn } from "node:timers/promises";
import { isJsonObject } from "../../../schemas/json.js";
import { enqueueAction } from "../../action-processor/enqueue-action.js";
import type { AttemptReport } from "../../action-processor/processor-options.js";
import { runActionProcessor } from "../../action-processor/run-action-processor.js";
import { runCacheWriter, syncObject } from "../../cache-writer/sync-object.js";
import type { SyncProgress, SyncResult, SyncSettings } from "../../cache-writer/sync-options.js";
import { connect } from "../../host/connection.js";
import { openSqliteStore } from "../../host/open-store.js";
import { sensitiveTypes, startConnector } from "../../host/start.js";
import { createLog } from "../../log/log.js";
import { toSerializedNames } from "../../records/name-mapping.js";
import type { RecordType } from "../../records/record-type.js";
import type { Clock, ConnectionContainer } from "../../registration/connection-contracts.js";
import type { Send } from "../../registration/http-messages.js";
import type { ConnectorRegistration, RegisteredObject } from "../../registration/registration.js";
import type { StartedAction, StartedConnector, StartedObject } from "../../registration/started.js";
import type { Store } from "../../store/store.js";
import { errorChain, errorMessage, safeGet } from "../../untrusted.js";
import type { FakeOptions } from "../fake-options.js";
import { type FakeRecord, type GenerateValue, keysOf, keyText } from "../fake-records.js";
import type { FakeSettings } from "../fake-settings.js";
import type { FaultPlan } from "../fault-names.js";
import { type HeldObject, type HeldRecord, plainName } from "../held-objects.js";
import {
  type AskedList,
  type FakeList,
  isAskedFor,
  type UndeclaredFilter,
  undeclaredFilters,
} from "../list-answers.js";
import { listedObjects } from "../routes.js";
import { startWatchedFake, type WatchedFake } from "../watched-fake.js";
import { boundedRun } from "./bounded-run.js";
import type { Cached } from "./flaw.js";
import { createCallRecorder, type RecordedCalls } from "./recorded-calls.js";

/** How a world is made. */
export interface WorldOptions {
  readonly registration: ConnectorRegistration;
  /** What `fake.ts` says, with the seed and the number of records. */
  readonly fake: FakeOptions;
  /** How many records an object has, its parents included. */
  readonly countOf: (type: RecordType) => number;
  /** Makes the values of records. */
  readonly generate: GenerateValue;
  /** In place of the settings that the fake makes. */
  readonly settings?: FakeSettings | undefined;
  /** In place of the one that the fake makes. */
  readonly registrationConfiguration?: unknown;
  /** What another tenant has for itself. */
  readonly tenant?: { readonly seed: number; readonly properties: object } | undefined;
  /** How far the clock of the target system is behind that of this machine, in milliseconds. @default 0 */
  readonly behindMs?: number | undefined;
  /** Whether links in answers lead to another host. @default false */
  readonly isMisleading?: boolean | undefined;
  /** Seconds in which a run may do nothing at all. @default 20 */
  readonly stuckSeconds?: number | undefined;
}

/** How an action ended. */
export interface Performed {
  /** `refused` if the input did not fit. */
  readonly outcome: AttemptReport["outcome"] | "refused";
  readonly message: string | null;
  readonly result: unknown;
  readonly attempts: number;
  readonly error?: unknown;
}

/** A connector that is started against a fake target system, and its cache. */
export interface World extends WatchedFake {
  readonly connector: StartedConnector;
  readonly objects: readonly StartedObject[];
  readonly actions: readonly StartedAction[];
  readonly calls: RecordedCalls;
  /** In which nobody waits. */
  readonly clock: Clock;
  readonly store: Store;
  /** Everything that was logged or said in results. */
  readonly said: string[];
  /** Lets time pass, for the target system and for the client. */
  pass(milliseconds: number): void;
  /** Brings the cache of an object up to date, as one run. */
  read(object: RegisteredObject, options?: ReadOptions): Promise<SyncResult>;
  /** Brings the caches of all objects up to date that are switched on. */
  readAll(): Promise<readonly SyncResult[]>;
  /** Queues an action and performs it, until it is closed. */
  act(action: StartedAction, input: unknown): Promise<Performed>;
  /** Runs something that calls the target system, and ends it if it does not end by itself. */
  bounded<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** Makes a new client, as a process that starts anew does. */
  reconnect(): void;
  /** A client for a connection, and the origin of its base address, if the connection has one. */
  open(container: ConnectionContainer): ReturnType<typeof connect> & { readonly origin: string | undefined };
  /** The origins of all connections that were opened. */
  readonly origins: ReadonlySet<string>;
  cached(object: RegisteredObject): Promise<Cached>;
  /** What the target system holds of an object and the connector asks for, by key. */
  expected(object: RegisteredObject): Cached;
  /** Filters that its lists were asked with, such as `state=open`, of which neither a declaration nor a setting says anything. */
  strayFiltersOf(object: RegisteredObject): readonly string[];
  /** Whether anybody knows what should be read. */
  isListed(object: RegisteredObject): boolean;
  heldOf(type: RecordType): HeldObject | undefined;
  /** Which requests since number `from` have asked for a list of the object, counted from 0. */
  askedOf(object: RegisteredObject, from: number): readonly number[];
  /** The paths at which its lists were asked for since request number `from`: one for each parent, where it has some. */
  pathsOf(object: RegisteredObject, from: number): readonly string[];
  strike(plan: FaultPlan): void;
  close(): Promise<void>;
}

export interface ReadOptions extends SyncSettings {
  /** The run is stopped when so many calls have been answered and another one is made. */
  readonly stopAfter?: number | undefined;
  /** When so many calls have been answered, all others fail. */
  readonly deadAfter?: number | undefined;
  /** The run is stopped when so many records have been kept, each by itself. */
  readonly stopAfterRecords?: number | undefined;
}

/** Calls of a run beside those for records: of parents, of tokens, of second looks and repetitions. */
const CALLS_BESIDE = 100;
/** Calls for a record of the target system, where each has a page of its own and most are asked for several times. */
const CALLS_PER_RECORD = 10;
/** Records that a run gives for one that the target system has. */
const READS_PER_RECORD = 100;
const STUCK_SECONDS = 20;
const MOST_ATTEMPTS = 3;

/** A world of its own: nothing that happens in it is seen in another one. */
export async function openWorld(options: WorldOptions): Promise<World> {
  const { registration, behindMs = 0, isMisleading = false, stuckSeconds = STUCK_SECONDS } = options;
  const time = createTime();
  const asks: { readonly list: FakeList; readonly asked: AskedList; readonly number: number }[] = [];
  let lastNumber = () => 0;
  const watched = await startWatchedFake(
    registration,
    {
      ...options.fake,
      ...("registrationConfiguration" in options && {
        registrationConfiguration: options.registrationConfiguration,
      }),
      ...options.tenant,
      port: 0,
      now: () => time.now() - behindMs,
    },
    {
      onList: (list, asked) => void asks.push({ list, asked, number: lastNumber() }),
      countOf: options.countOf,
      generate: options.generate,
    },
  );
  const { fake, held } = watched;
  lastNumber = () => fake.nextNumber() - 1;
  const said: string[] = [];
  const calls = createCallRecorder(time.now);
  const store = await openSqliteStore({ file: ":memory:" });
  const log = createLog({
    level: "debug",
    schemas: sensitiveTypes(registration),
    destination: { write: (line) => said.push(line) },
  });
  const settings = options.settings ?? fake.settings;
  const isOfSettings = mentionedBySettings(registration);
  const connector = startConnector(registration, { ...settings, log });
  // What the host keeps of the connection, such as a rotated refresh token.
  let container: ConnectionContainer = fake.connection;
  const saveProperties = async (properties: Readonly<Record<string, string>>) => {
    container = withProperties(container, properties, registration);
  };
  const misled = isMisleading ? misleading : (next: Send) => next;
  const origins = new Set<string>();
  const open = (opened: ConnectionContainer) => {
    const made = connect(connector, opened, {
      ...{ clock: time, saveProperties },
      transport: (next) => calls.transport(misled(fake.transport(next))),
    });
    const base = safeGet(made.connection, "BaseUrl");
    const origin = typeof base === "string" && URL.canParse(base) ? new URL(base).origin : undefined;
    if (origin !== undefined) origins.add(origin);
    return { ...made, origin };
  };
  let services = open(container);
  const startedOf = ({ dataPath }: RegisteredObject) => {
    const found = objects.find((object) => object.dataPath === dataPath);
    if (found === undefined) throw new TypeError(`The connector has no ${dataPath}.`);
    return found;
  };
  const objects = connector.modules.flatMap(({ cacheWriter }) => cacheWriter.dataObjects);
  const actions = connector.modules.flatMap(({ actionProcessor }) => actionProcessor.actions);

  function optionsOf(signal: AbortSignal) {
    return { ...services, store, log: connector.log, signal };
  }

  const total = listedObjects(registration, options.fake.lists ?? {})
    .objects.map(({ type }) => options.countOf(type))
    .reduce((sum, count) => sum + count, 0);
  const mostCalls = CALLS_BESIDE + CALLS_PER_RECORD * total;

  function stoppable<Result>(
    { stopAfter, deadAfter }: Pick<ReadOptions, "deadAfter" | "stopAfter">,
    run: (signal: AbortSignal, stop: () => void) => Promise<Result>,
  ): Promise<Result> {
    return boundedRun(calls, { stopAfter, deadAfter, mostCalls, stuckSeconds }, run);
  }

  function asksOf({ record: type }: RegisteredObject, from: number) {
    return asks.filter(({ list, number }) => list.object.type === type && number >= from);
  }

  function note(result: SyncResult): SyncResult {
    if (result.message !== null) said.push(result.message);
    // As it was thrown: other hosts may log it without looking for secrets.
    if (result.error !== undefined) said.push(...[...errorChain(result.error)].map(errorMessage));
    return result;
  }

  function inScope(type: RecordType, record: HeldRecord, seen: ReadonlySet<RecordType> = new Set()): boolean {
    if (record.isDeleted) return false;
    const own = asks.filter(({ list }) => list.object.type === type && !list.isOfDeleted);
    const isMeant = isOfSettings;
    if (own.length > 0 && !own.some(({ list, asked }) => isAskedFor(list, asked, { held: record, isMeant })))
      return false;
    const below = new Set([...seen, type]);
    return [...record.parents].every(([parentType, ordinal]) => {
      const parent = held.get(parentType)?.all()[ordinal];
      return parent === undefined || below.has(parentType) || inScope(parentType, parent, below);
    });
  }

  return {
    ...watched,
    ...{ clock: time, connector, objects, actions, calls, store, said, open, origins },
    pass: time.pass,
    read: (object, { stopAfter, deadAfter, stopAfterRecords = Number.POSITIVE_INFINITY, ...own } = {}) =>
      stoppable({ stopAfter, deadAfter }, async (signal, stop) => {
        const onProgress = ({ read }: SyncProgress) => {
          if (!signal.aborted) calls.noteSign();
          if (read >= stopAfterRecords) stop();
          if (read > CALLS_BESIDE + READS_PER_RECORD * total) calls.stopEndless();
        };
        return note(await syncObject(startedOf(object), { ...optionsOf(signal), ...own, onProgress }));
      }),
    readAll: () =>
      stoppable({}, async (signal) => (await runCacheWriter(objects, optionsOf(signal))).map(note)),
    act: (action, input) =>
      stoppable({}, (signal) =>
        performUntilClosed({ action, input }, { connector, ...optionsOf(signal) }, said),
      ),
    bounded: (run) => stoppable({}, run),
    reconnect: () => {
      services = open(container);
    },
    async cached({ dataPath }) {
      const found = new Map<string, FakeRecord>();
      for await (const { key, record } of store.records.list(dataPath)) found.set(key, record as FakeRecord);
      return found;
    },
    expected({ record: type }) {
      const primary = keysOf(type).find(({ isPrimary }) => isPrimary);
      const records = (held.get(type)?.all() ?? []).filter((record) => inScope(type, record));
      return new Map(
        records.flatMap(({ record }) => {
          const key = primary === undefined ? undefined : keyText(primary, record);
          return key === undefined ? [] : [[key, record] as const];
        }),
      );
    },
    strayFiltersOf: ({ record: type }) => {
      const own = asks.filter(({ list }) => list.object.type === type);
      const filters = own.flatMap(({ list, asked }) => undeclaredFilters(list, asked));
      const stray = filters.filter((filter) => !isOfSettings(filter));
      return [...new Set(stray.flatMap(({ name, sent }) => sent.map((value) => `${name}=${value}`)))];
    },
    isListed: ({ record: type }) => watched.sources.some((source) => source.type === type),
    heldOf: (type) => held.get(type),
    askedOf: (object, from) => asksOf(object, from).map(({ number }) => number - from),
    pathsOf: (object, from) => [
      ...new Set(asksOf(object, from).map(({ asked }) => new URL(asked.address).pathname)),
    ],
    strike: fake.strike,
    async close() {
      await store.close();
      await fake.close();
    },
  };
}

/** Whether a setting may stand behind a parameter, by its name or its value: who reads code can't say it for sure. */
function mentionedBySettings({
  configuration,
  modules,
}: ConnectorRegistration): (filter: UndeclaredFilter) => boolean {
  const mentions: string[] = [];
  const collect = (schema: unknown): void => {
    if (Array.isArray(schema)) for (const each of schema) collect(each);
    if (!isJsonObject(schema)) return;
    const { properties, enum: members } = schema;
    mentions.push(...Object.keys(isJsonObject(properties) ? properties : {}).map(plainName));
    if (Array.isArray(members)) mentions.push(...members.map((member) => plainName(String(member))));
    for (const inner of Object.values(schema)) collect(inner);
  };
  // As the schemas say it, and not as these settings are: another value changes nothing else than what is asked for.
  for (const type of [
    configuration,
    ...modules.flatMap((each) => [each.cacheWriterConfiguration, each.actionProcessorConfiguration]),
  ])
    collect(type.schema);
  const isMentioned = (word: string) =>
    word !== "" && mentions.some((mention) => mention.includes(plainName(word)));
  return ({ name, sent }) => isMentioned(name) || sent.some(isMentioned);
}

/** Properties by their names in code, put into the container, which has serialized names. */
export function withProperties(
  { DefinitionKey, Configuration }: ConnectionContainer,
  properties: Readonly<Record<string, string>>,
  { connections }: ConnectorRegistration,
): ConnectionContainer {
  const names = connections.find(({ key }) => key === DefinitionKey)?.properties.names;
  const changed = { ...JSON.parse(Configuration), ...(toSerializedNames(properties, names) as object) };
  return { DefinitionKey, Configuration: JSON.stringify(changed) };
}

/** Where answers lead that a misleading target system gives. */
export const ELSEWHERE = "https://elsewhere.invalid";

/** Every address of the target system in its answers becomes one of another host. */
export function misleading(next: Send): Send {
  return async (request) => {
    const response = await next(request);
    const { origin } = new URL(request.url);
    const replaced = (text: string) => text.replaceAll(origin, ELSEWHERE);
    const { link } = response.headers;
    const headers =
      typeof link === "string" ? { ...response.headers, link: replaced(link) } : response.headers;
    if (!(response.body instanceof Uint8Array)) return { ...response, headers };
    return { ...response, headers, body: Buffer.from(replaced(Buffer.from(response.body).toString("utf8"))) };
  };
}

interface Processing extends Omit<Parameters<typeof runActionProcessor>[1], "id"> {
  readonly connector: StartedConnector;
}

async function performUntilClosed(
  { action, input }: { readonly action: StartedAction; readonly input: unknown },
  { connector, ...options }: Processing,
  said: string[],
): Promise<Performed> {
  const { store } = options;
  const queued = await enqueueAction(action, input, { ledger: store.ledger });
  if (queued.outcome === "refused") {
    const message = queued.findings.map((finding) => finding.message).join("; ");
    return { outcome: "refused", message, result: null, attempts: 0 };
  }
  const { id } = queued.action;
  let last: AttemptReport | undefined;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    await runActionProcessor(connector.modules, {
      ...options,
      id,
      onAttempt: (report) => {
        last = report;
        said.push(...[report.message ?? "", JSON.stringify(report.result ?? null)]);
      },
    });
    if (last?.outcome !== "retry") break;
    await store.source.requeue(id);
  }
  if (last === undefined) return { outcome: "stopped", message: null, result: null, attempts: 0 };
  const { outcome, message, result, attempts } = last;
  return { outcome, message, result, attempts, ...("error" in last && { error: last.error }) };
}

/** Time in which nobody waits: who sleeps finds that it has passed. */
function createTime(): Clock & { pass(milliseconds: number): void } {
  let passedMs = 0;
  return {
    now: () => Date.now() + passedMs,
    pass: (milliseconds) => {
      passedMs += milliseconds;
    },
    async sleep(milliseconds, signal) {
      const until = Date.now() + passedMs + milliseconds;
      // Others may have slept meanwhile: time passes once for all.
      await eventLoopTurn();
      passedMs = Math.max(passedMs, until - Date.now());
      signal?.throwIfAborted();
    },
  };
}
