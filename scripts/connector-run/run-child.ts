/** The process that runs an author's connector. What the connector prints never mixes with what this says. */
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import type { Transport } from "../../runtime/client/index.js";
import { type CollectedDeclaration, collectDeclarations } from "../../runtime/declared/collected.js";
import type { ClientHost, ConnectorRegistration, Log, PropertyLock } from "../../runtime/entries/runtime.js";
import type * as Testing from "../../runtime/entries/testing.js";
import type {
  AcceptanceOptions,
  AcceptanceSubject,
  LiveAcceptanceOptions,
} from "../../runtime/entries/testing.js";
import type { MadeCall } from "../../runtime/history/history.js";
import { noteCalls, timed } from "../../runtime/history/note-calls.js";
import type * as Host from "../../runtime/host/index.js";
import type { SyncProgress } from "../../runtime/host/index.js";
import { sensitiveValues } from "../../runtime/records/masking.js";
import { connectionWords } from "../../runtime/store/store.js";
import { FACTS_PATH, transportTo } from "../../runtime/testing/fake-transport.js";
import { errorChain, safeGet } from "../../runtime/untrusted.js";
import type { AuthorFrame, CodePlace } from "../author-project/loaded-project.js";
import { authorFrames, placeOfError } from "../author-project/locate.js";
import { declaredServices } from "./declared-services.js";
import { placeOfFunction } from "./function-place.js";
import type {
  AcceptanceTask,
  ActionProcessorTask,
  ActionTrial,
  CacheWriterTask,
  CallingTask,
  FakeTask,
  LiveAcceptanceTask,
  OtherFailure,
  PreviewedObject,
  PreviewTask,
  RunCommand,
  RunFailure,
  RunMessage,
  RunTask,
  SyncedObjectResult,
  TryActionTask,
} from "./run-protocol.js";
import { runRecordings, runReplays } from "./run-recordings.js";
import {
  type CallSecrets,
  type RefusedWrites,
  redactionOf,
  refuseWrites,
  traceCalls,
} from "./trace-calls.js";

const propertyLock = createPropertyLock();
const send = process.send?.bind(process);
// The channel is this file's: a connector finds an ordinary process.
delete process.send;
process.setSourceMapsEnabled(true);
process.once("disconnect", () => process.exit());
// The command hears of an interruption too, and says when to stop.
process.on("SIGINT", () => {});
process.once("message", (task: RunTask) => {
  const stop = new AbortController();
  process.on("message", (command: RunCommand) => {
    if (command.kind === "stop") stop.abort();
    else propertyLock.hear(command);
  });
  void run(task, stop.signal);
});

async function run(task: RunTask, signal: AbortSignal): Promise<void> {
  let host: typeof Host | undefined;
  const reportFailure = (error: unknown) =>
    postMessage({ kind: "failed", failure: failureOf(error, task, host) });
  process.on("uncaughtException", reportFailure);
  process.on("unhandledRejection", reportFailure);
  const isCollected = ["readDeclarations", "testAcceptance", "testLive"].includes(task.kind);
  const collected = isCollected ? collectDeclarations() : [];
  try {
    const exported = await import(pathToFileURL(task.bundleFile).href);
    const registration: unknown = exported["registration"];
    if (!isRegistration(registration)) {
      postMessage({ kind: "failed", failure: { code: "run-exports-nothing", reason: "" } });
      return;
    }
    if (task.kind === "readDeclarations") {
      const result = declaredServices(collected, registration, (error) => placeOfError(error, task));
      postMessage({ kind: "result", task: task.kind, result });
      return;
    }
    if (task.kind === "startFake") {
      await runFake(task, exported["fake"], { registration, signal });
      return;
    }
    if (task.kind === "testAcceptance") {
      await runSuite(task, exported["fake"], { registration, collected, signal });
      return;
    }
    if (task.kind === "replayRecordings") {
      postMessage(await runReplays(task, exported["fake"], { registration, signal, postMessage }));
      return;
    }
    // The very module that the connector's own packages share.
    const shared: typeof Host = await import(import.meta.resolve("connectorcli/host"));
    host = shared;
    const saveProperties = async (properties: Readonly<Record<string, string>>) =>
      postMessage({ kind: "save", properties: { ...properties } });
    const hidden = {
      types: shared.sensitiveTypes(registration),
      secrets: connectionSecrets(registration, task),
    };
    const writes = task.kind === "tryAction" && task.isDry ? refuseWrites(hidden) : undefined;
    const transport = transportOf(task, hidden, writes);
    if (task.kind !== "testConnection") {
      const { lock: lockProperties } = propertyLock;
      const place = {
        host: shared,
        saveProperties,
        lockProperties,
        transport,
        writes,
        signal,
        postMessage,
      };
      const called = { transport, saveProperties, lockProperties };
      if (task.kind === "testLive")
        await runLiveSuite(task, { own: exported["fake"], called }, { registration, collected, signal });
      else
        postMessage(
          task.kind === "recordAnswers"
            ? await runRecordings(task, { ...called, signal, postMessage, registration })
            : await runService(task, registration, place),
        );
      return;
    }
    const { timeoutMs, registrationConfiguration } = task;
    const log = messageLog(task);
    const result = await shared.testConnection(registration, task.container, {
      timeoutMs,
      registrationConfiguration,
      environment: process.env,
      saveProperties,
      lockProperties: propertyLock.lock,
      transport,
      log,
    });
    postMessage({ kind: "result", task: "testConnection", result });
  } catch (error) {
    reportFailure(error);
  }
}

/** What requests pass on their way to the network, from the outside in; undefined if that is nothing. */
function transportOf(
  task: CallingTask,
  hidden: CallSecrets,
  writes: RefusedWrites | undefined,
): Transport | undefined {
  const tell = (text: string) => postMessage({ kind: "trace", text });
  const note = (call: MadeCall) => postMessage({ kind: "called", call });
  const isKept = task.kind === "runCacheWriter" || task.kind === "runActionProcessor";
  const transports = [
    writes?.transport,
    task.isTraced ? traceCalls(hidden, tell) : undefined,
    isKept ? noteCalls(redactionOf(hidden), () => subjects.getStore() ?? null, note) : undefined,
    task.fake === undefined ? undefined : transportTo(task.fake),
  ].filter((transport) => transport !== undefined);
  if (transports.length === 0) return undefined;
  return (next) => transports.reduceRight((inner, transport) => transport(inner), next);
}

/** A fake target system, until the command says to stop. @param own What the project's file says of it. */
async function runFake(
  { options, isTraced }: FakeTask,
  own: unknown,
  { registration, signal }: { readonly registration: ConnectorRegistration; readonly signal: AbortSignal },
): Promise<void> {
  // The very module that the project's own file uses.
  const { startFake }: typeof Testing = await import(import.meta.resolve("connectorcli/testing"));
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const fake = await startFake(registration, {
    ...(typeof own === "object" ? own : {}),
    ...given,
    onRequest: ({ method, path, status, fault }) => {
      const struck = fault === undefined ? "" : ` (${fault})`;
      if (isTraced && path !== FACTS_PATH)
        postMessage({ kind: "trace", text: `${method} ${path}: ${status || "no answer"}${struck}` });
    },
  });
  const { origin, connection, settings, calls } = fake;
  postMessage({ kind: "started" });
  postMessage({ kind: "faked", fake: { origin, connection, settings, calls, notes: fake.notes() } });
  if (!signal.aborted)
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  await fake.close();
  postMessage({ kind: "result", task: "startFake" });
}

/** Milliseconds between two messages that nothing has happened. */
const ALIVE_MS = 1_000;

interface SuiteDeps {
  readonly registration: ConnectorRegistration;
  readonly collected: readonly CollectedDeclaration[];
  readonly signal: AbortSignal;
}

/** The acceptance suite. @param own What the project's file says of the fake target system. */
async function runSuite(
  task: AcceptanceTask,
  own: unknown,
  { registration, collected, signal }: SuiteDeps,
): Promise<void> {
  const { observedProcess, runAcceptance }: typeof Testing = await import(
    import.meta.resolve("connectorcli/testing")
  );
  postMessage({ kind: "started" });
  await reportSuite(task, { registration, collected, signal }, (events) =>
    runAcceptance(registration, {
      fake: typeof own === "object" && own !== null ? own : {},
      ...givenOf(task.options),
      ...{ ...events, surroundings: observedProcess(process) },
    }),
  );
}

/** The part of the suite that only reads, at a real target system. */
async function runLiveSuite(
  task: LiveAcceptanceTask,
  { own, called }: { readonly own: unknown; readonly called: LiveAcceptanceOptions["host"] },
  deps: SuiteDeps,
): Promise<void> {
  const { observedProcess, runLiveAcceptance }: typeof Testing = await import(
    import.meta.resolve("connectorcli/testing")
  );
  postMessage({ kind: "started" });
  const { container: connection, registrationConfiguration, services, tried } = task;
  const { cacheWriter, volatile } = task.options;
  const paths = deps.registration.modules.flatMap(({ dataObjects }) =>
    dataObjects.map(({ dataPath }) => dataPath),
  );
  await reportSuite(task, deps, (events) =>
    runLiveAcceptance(deps.registration, {
      ...{ ...givenOf(tried), connection, settings: { registrationConfiguration, services } },
      lists: (safeGet(own, "lists") ?? {}) as LiveAcceptanceOptions["lists"],
      sync: Object.fromEntries(
        paths.map((dataPath) => [dataPath, { ...cacheWriter, volatile: volatile[dataPath] ?? [] }]),
      ),
      host: { environment: process.env, ...called },
      ...{ ...events, surroundings: observedProcess(process) },
    }),
  );
}

function givenOf<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;
}

/** Tells what a suite tries, and what it has found at which place of the author's code. */
async function reportSuite(
  task: AcceptanceTask | LiveAcceptanceTask,
  { registration, collected, signal }: SuiteDeps,
  run: (
    events: Pick<AcceptanceOptions, "onTried" | "onTrying" | "signal">,
  ) => Promise<Testing.AcceptanceResult>,
): Promise<void> {
  const placeIn = (subject: AcceptanceSubject) => {
    const place = placeOfSubject(subject, { registration, collected, task });
    return place === undefined ? {} : { place };
  };
  // A connector that does not give the process back keeps it from saying so.
  const alive = setInterval(() => postMessage({ kind: "alive" }), ALIVE_MS);
  const { findings, ...report } = await run({
    signal,
    onTrying: (trying) => postMessage({ kind: "trying", trying: { ...trying, ...placeIn(trying) } }),
    onTried: (tried) => postMessage({ kind: "tried", tried }),
  }).finally(() => clearInterval(alive));
  const placed = findings.map(({ error, ...finding }) => ({
    ...finding,
    ...{ frames: framesOf(error, task), ...placeIn(finding) },
  }));
  postMessage({ kind: "result", task: task.kind, result: { ...report, findings: placed } });
}

/** Where the reader, the handler or the connection test stands that a finding speaks of. */
function placeOfSubject(
  { object, action }: AcceptanceSubject,
  {
    registration: { modules, connectionTestHandler },
    collected,
    task,
  }: Omit<SuiteDeps, "signal"> & { readonly task: AcceptanceTask | LiveAcceptanceTask },
): CodePlace | undefined {
  const all = modules.flatMap(({ actions, dataObjects }) =>
    action === undefined
      ? dataObjects.filter(({ name }) => name === object).map(({ reader }) => reader as unknown)
      : actions
          .filter(({ name, dataObject }) => name === action && dataObject === object)
          .map(({ handler }) => handler as unknown),
  );
  const subject = object === undefined ? connectionTestHandler : all[0];
  const declared = collected.find((each) => each.declared === subject);
  return declared === undefined
    ? placeOfFunction(subject, task.bundleFile)
    : placeOfError(declared.declaredAt, task);
}

/** Sensitive values of the connection that the task runs with. */
function connectionSecrets(
  { connections }: ConnectorRegistration,
  { container }: CallingTask,
): readonly string[] {
  const connection = connections.find(({ key }) => key === container.DefinitionKey);
  return connection === undefined
    ? []
    : sensitiveValues(JSON.parse(container.Configuration), connection.properties.schema);
}

/** The properties of the connection, which the command locks for this process. */
function createPropertyLock() {
  let lastId = 0;
  const waiting = new Map<number, (command: LockedCommand) => void>();
  const lock: PropertyLock = async (task) => {
    const id = ++lastId;
    const { properties } = await new Promise<LockedCommand>((resolve) => {
      waiting.set(id, resolve);
      postMessage({ kind: "lock", id });
    });
    if (properties === undefined) throw new Error("the properties can't be locked");
    try {
      return await task(properties);
    } finally {
      // What was saved before was said before, and is kept by now.
      postMessage({ kind: "unlock", id });
    }
  };
  const hear = (command: LockedCommand) => {
    waiting.get(command.id)?.(command);
    waiting.delete(command.id);
  };
  return { lock, hear };
}

type LockedCommand = Extract<RunCommand, { kind: "locked" }>;

function postMessage(message: RunMessage): void {
  send?.(message);
}

/** Warnings and errors as messages. What the host logs comes without secrets. */
function messageLog(task: RunTask): Log {
  const write = (level: string) => (message: string, fields?: object) => {
    const frames = framesOf(safeGet(fields, "error"), task);
    postMessage({ kind: "log", level, message, ...reasonOf(fields), ...(frames.length > 0 && { frames }) });
  };
  return { debug: () => {}, info: () => {}, warn: write("warn"), error: write("error") };
}

/** The reason in one line: the message of an error or of an answer, or what else there is. */
function reasonOf(fields: object | undefined): { readonly fields?: string } {
  if (fields === undefined) return {};
  const response = safeGet(fields, "response");
  const message = safeGet(safeGet(fields, "error"), "message") ?? safeGet(response, "errorMessage");
  if (typeof message === "string" && message !== "") return { fields: message };
  const statusCode = safeGet(response, "statusCode");
  if (typeof statusCode === "number") return { fields: `the answer has the status ${statusCode}` };
  return { fields: inspect(fields, { depth: 3, breakLength: Infinity }) };
}

function isRegistration(value: unknown): value is ConnectorRegistration {
  return (
    typeof value === "object" && value !== null && "connectionTestHandler" in value && "clientHelper" in value
  );
}

/** An error of the host's own; an author's error is another, whatever it calls itself. */
function hostCodeOf(error: Error, host: typeof Host | undefined): OtherFailure["code"] | undefined {
  if (host === undefined) return undefined;
  if (error instanceof host.ConnectionError) return "run-connection-unusable";
  if (error instanceof host.StartError) return "run-start-refused";
  return error instanceof host.StoreError ? "store-unusable" : undefined;
}

function failureOf(error: unknown, task: RunTask, host: typeof Host | undefined): RunFailure {
  if (!(error instanceof Error)) return { code: "run-throws", reason: String(error) };
  if (host !== undefined && error instanceof host.OtherConnectionError) {
    const { store: file, owner, connection } = error;
    const words = { owner: connectionWords(owner), connection: connectionWords(connection) };
    return { code: "store-of-another-connection", file, ...words };
  }
  const code = hostCodeOf(error, host) ?? "run-throws";
  const place = code === "run-throws" ? placeOfError(error, task) : undefined;
  return { code, reason: error.message.replace(/\.$/, ""), ...place };
}

/** Where the author's code was; nothing that an author throws makes it fail. */
function framesOf(error: unknown, task: Pick<RunTask, "bundleFile" | "folder">): readonly AuthorFrame[] {
  for (const cause of errorChain(error)) {
    const stack = safeGet(cause, "stack");
    const frames = typeof stack === "string" ? authorFrames(stack, task) : [];
    if (frames.length > 0) return frames;
  }
  return [];
}

export interface ServiceDeps {
  /** The host that the connector's own packages share. */
  readonly host: typeof Host;
  readonly saveProperties: NonNullable<ClientHost["saveProperties"]>;
  readonly lockProperties?: ClientHost["lockProperties"];
  /** Tells the calls of the target system, if they are traced. */
  readonly transport?: ClientHost["transport"];
  /** What is refused of what would be sent. */
  readonly writes?: RefusedWrites | undefined;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  readonly postMessage: (message: RunMessage) => void;
}

interface Started extends ServiceDeps {
  readonly connector: Host.StartedConnector;
  readonly services: Host.ConnectedServices<unknown>;
}

interface Running extends Started {
  readonly store: Host.Store;
}

/** Whose calls are made: of the run of an object, or of the attempt of an action. */
const subjects = new AsyncLocalStorage<NonNullable<MadeCall["of"]>>();

/** Of how many changes the record before is kept: enough for a day's work on a connector. */
const KEPT_BEFORES = 1_000;
/** Milliseconds between two messages about one object. */
const QUIET_MS = 100;
const POLL_MS = 1_000;

/** @throws StartError, ConnectionError or StoreError if the service can't be started. */
export async function runService(
  task: CacheWriterTask | ActionProcessorTask | PreviewTask | TryActionTask,
  registration: ConnectorRegistration,
  place: ServiceDeps,
): Promise<RunMessage> {
  const { host, saveProperties, lockProperties, transport, signal, postMessage } = place;
  const { registrationConfiguration, services: configurations, container } = task;
  const log = host.createLog({ schemas: host.sensitiveTypes(registration) });
  const connector = host.startConnector(registration, {
    registrationConfiguration,
    services: configurations,
    log,
  });
  const services = host.connect(connector, container, {
    environment: process.env,
    saveProperties,
    lockProperties,
    transport,
    signal,
  });
  const started = { ...place, connector, services };
  if (task.kind === "tryAction") {
    if (place.writes?.isInUse() === false) throw new host.ConnectionError(NOT_REFUSABLE);
    postMessage({ kind: "started" });
    return { kind: "result", task: task.kind, result: await runTrial(task, started) };
  }
  if (task.kind === "previewRecords") {
    postMessage({ kind: "started" });
    return { kind: "result", task: task.kind, result: await runPreviews(task, started) };
  }
  const key = task.storeKey === undefined ? undefined : host.localKeys(task.storeKey);
  const objects = connector.modules.flatMap(({ cacheWriter }) => cacheWriter.dataObjects);
  const store = await host.openSqliteStore({
    file: task.storeFile,
    keepBefore: KEPT_BEFORES,
    sealing: key && { key, objects },
  });
  const running = { ...started, store };
  try {
    await store.bind(services.identity, { adopt: task.adoptsStore });
    postMessage({ kind: "started" });
    if (task.kind === "runCacheWriter") {
      return { kind: "result", task: task.kind, result: await runSyncs(task, running) };
    }
    return { kind: "result", task: task.kind, result: await runActions(task, running) };
  } finally {
    await store.close();
  }
}

const NOT_REFUSABLE =
  "The API client does not go through ClientHost.transport, so that nothing can keep it from sending: --dry-run is not possible";

async function runPreviews(
  { objects, limit, page, ...task }: PreviewTask,
  { host, connector, services, signal, postMessage }: Started,
): Promise<readonly PreviewedObject[]> {
  const started = connector.modules.flatMap(({ cacheWriter }) => cacheWriter.dataObjects);
  const chosen = objects.flatMap((chosenPath) => started.filter(({ dataPath }) => dataPath === chosenPath));
  const results: PreviewedObject[] = [];
  for (const object of chosen) {
    if (signal.aborted) break;
    const options = { ...services, log: connector.log, signal, limit, page };
    const { error, ...facts } = await host.previewObject(object, options);
    const previewed = { ...facts, frames: framesOf(error, task) };
    results.push(previewed);
    postMessage({ kind: "previewed", previewed });
  }
  return results;
}

async function runTrial(
  task: TryActionTask,
  { host, connector, services, signal, writes }: Started,
): Promise<ActionTrial> {
  const { maxInputBytes, timeoutMs, graceMs } = task.options.actionProcessor;
  const options = { ...services, log: connector.log, signal, maxInputBytes, timeoutMs, graceMs };
  const { error, ...facts } = await host.tryAction(connector.modules, task.action, options);
  return { ...facts, requests: writes?.requests ?? [], frames: framesOf(error, task) };
}

async function runSyncs(task: CacheWriterTask, running: Running): Promise<readonly SyncedObjectResult[]> {
  for (;;) {
    const results = await syncOnce(task, running);
    if (task.everySeconds === undefined || running.signal.aborted) return results;
    await sleep(task.everySeconds * 1_000, undefined, { signal: running.signal }).catch(() => undefined);
    if (running.signal.aborted) return results;
  }
}

async function syncOnce(
  task: CacheWriterTask,
  { host, connector, services, store, signal, postMessage }: Running,
): Promise<readonly SyncedObjectResult[]> {
  const { options, settings } = task;
  const objects = connector.modules
    .flatMap(({ cacheWriter }) => cacheWriter.dataObjects)
    .filter(({ dataPath }) => task.objects.includes(dataPath));
  const results: SyncedObjectResult[] = [];
  // One after the other, so that each is told of when it has ended.
  for (const object of objects) {
    const before = object.uploadObject ? await store.records.count(object.dataPath) : 0;
    let saidAt = -Infinity;
    const of = { object: object.dataPath };
    const onProgress = (progress: SyncProgress) => {
      const { read, pages } = progress;
      postMessage({ kind: "committed", page: { of, at: new Date().toISOString(), read, pages } });
      if (performance.now() - saidAt < QUIET_MS) return;
      saidAt = performance.now();
      postMessage({ kind: "progress", progress, before });
    };
    const [result] = await subjects.run(of, () =>
      host.runCacheWriter([object], {
        ...options.cacheWriter,
        volatile: options.volatile[object.dataPath],
        ...settings,
        rejectedLimit: { ...options.cacheWriter.rejectedLimit, ...settings.rejectedLimit },
        ...{ ...services, store, log: connector.log, signal, onProgress },
      }),
    );
    if (result === undefined) continue;
    const { error, ...facts } = result;
    const synced = { ...facts, frames: framesOf(error, task) };
    results.push(synced);
    postMessage({ kind: "synced", synced });
  }
  return results;
}

async function runActions(
  task: ActionProcessorTask,
  { host, connector, services, store, signal, postMessage }: Running,
): Promise<Host.ProcessorResult> {
  const { actions: chosen, enqueue, isWatching, concurrency, options } = task;
  const isChosen = (action: Host.StartedAction) =>
    chosen.some(({ object, action: urlPart }) => object === action.dataPath && urlPart === action.urlPart);
  const modules = connector.modules.map((module) => ({
    ...module,
    actionProcessor: {
      ...module.actionProcessor,
      actions: module.actionProcessor.actions.filter(isChosen),
    },
  }));
  const none = { succeeded: 0, failed: 0, dead: 0, retry: 0, stopped: 0, lost: 0, cancelled: 0 };
  let id: number | undefined;
  if (enqueue !== undefined) {
    const action = modules
      .flatMap(({ actionProcessor }) => actionProcessor.actions)
      .find(({ dataPath, urlPart }) => dataPath === enqueue.object && urlPart === enqueue.action);
    if (action === undefined)
      throw new Error(`${enqueue.object} has no action ${enqueue.action}: run npx connectorcli gen`);
    const { maxInputBytes } = options.actionProcessor;
    const { ledger } = store;
    const queued = await host.enqueueAction(action, enqueue.input, { ledger, maxInputBytes });
    if (queued.outcome === "refused") {
      postMessage({ kind: "queued", queued });
      return none;
    }
    id = queued.action.id;
    postMessage({ kind: "queued", queued: { outcome: "queued", id, isEnabled: queued.isEnabled } });
  }
  return host.runActionProcessor(modules, {
    ...options.actionProcessor,
    ...(concurrency !== undefined && { concurrency }),
    volatile: options.volatile,
    ...{ ...services, store, log: connector.log, signal },
    ...(isWatching && id === undefined && { pollMs: POLL_MS }),
    id,
    around: ({ id: action }, attempt) =>
      subjects.run({ action }, async () => {
        const { result, at, ms } = await timed(attempt);
        const { error, ...facts } = result;
        postMessage({ kind: "attempt", attempt: { ...facts, at, ms, frames: framesOf(error, task) } });
        return result;
      }),
  });
}
