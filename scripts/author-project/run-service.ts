/** What the process of a connector does for `run cache-writer` and `run action-processor`. */
import { setTimeout as sleep } from "node:timers/promises";
import type * as Host from "../../runtime/host/index.js";
import type { ClientHost, ClientServices, ConnectorRegistration } from "../../runtime/index.js";
import type { ActionProcessorTask, CacheWriterTask, RunMessage, SyncedObjectResult } from "./run-protocol.js";

export interface ServicePlace {
  /** The host that the connector's own packages share. */
  readonly host: typeof Host;
  readonly saveProperties: NonNullable<ClientHost["saveProperties"]>;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  readonly say: (message: RunMessage) => void;
}

interface Running extends ServicePlace {
  readonly connector: Host.StartedConnector;
  readonly services: ClientServices<unknown>;
  readonly store: Host.Store;
}

/** Milliseconds between two words about one object. */
const QUIET_MS = 100;
const POLL_MS = 1_000;

/** @throws StartError, ConnectionError, StoreError for what stands in the way of a start. */
export async function runService(
  task: CacheWriterTask | ActionProcessorTask,
  registration: ConnectorRegistration,
  place: ServicePlace,
): Promise<RunMessage> {
  const { host, saveProperties, signal, say } = place;
  const { registrationConfiguration, services: configurations, container, storeFile } = task;
  const log = host.createLog({ schemas: host.sensitiveTypes(registration) });
  const connector = host.startConnector(registration, {
    registrationConfiguration,
    services: configurations,
    log,
  });
  const services = host.connect(connector, container, { saveProperties, signal });
  const store = await host.openSqliteStore({ file: storeFile });
  say({ kind: "started" });
  const running = { ...place, connector, services, store };
  try {
    if (task.kind === "runCacheWriter") {
      return { kind: "result", task: task.kind, result: await syncs(task, running) };
    }
    return { kind: "result", task: task.kind, result: await actions(task, running) };
  } finally {
    await store.close();
  }
}

async function syncs(task: CacheWriterTask, running: Running): Promise<readonly SyncedObjectResult[]> {
  for (;;) {
    const results = await syncOnce(task, running);
    if (task.watchSeconds === undefined || running.signal.aborted) return results;
    await sleep(task.watchSeconds * 1_000, undefined, { signal: running.signal }).catch(() => undefined);
    if (running.signal.aborted) return results;
  }
}

async function syncOnce(
  task: CacheWriterTask,
  { host, connector, services, store, signal, say }: Running,
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
    const [result] = await host.runCacheWriter([object], {
      ...options.cacheWriter,
      volatile: options.volatile[object.dataPath],
      ...settings,
      rejectedLimit: { ...options.cacheWriter.rejectedLimit, ...settings.rejectedLimit },
      ...{ ...services, store, log: connector.log, signal },
      onProgress: (progress) => {
        if (performance.now() - saidAt < QUIET_MS) return;
        saidAt = performance.now();
        say({ kind: "progress", progress, before });
      },
    });
    if (result === undefined) continue;
    const { error: _, ...synced } = result;
    results.push(synced);
    say({ kind: "synced", synced });
  }
  return results;
}

async function actions(
  { actions: chosen, enqueue, isWatching, options }: ActionProcessorTask,
  { host, connector, services, store, signal, say }: Running,
): Promise<Host.ProcessorResult> {
  const isChosen = (object: string, action: string) =>
    chosen.some((one) => one.object === object && one.action === action);
  const modules = connector.modules.map(({ cacheWriter, actionProcessor }) => {
    const pathOf = (name: string) => cacheWriter.dataObjects.find((one) => one.name === name)?.dataPath ?? "";
    const own = actionProcessor.actions.filter((one) => isChosen(pathOf(one.dataObject), one.urlPart));
    return { cacheWriter, actionProcessor: { actions: own } };
  });
  const none = { succeeded: 0, failed: 0, dead: 0, retry: 0, stopped: 0, lost: 0, cancelled: 0 };
  let id: number | undefined;
  if (enqueue !== undefined) {
    const all = host.processedActions(modules);
    const one = all.find(
      ({ object, action }) => object === enqueue.object && action.urlPart === enqueue.action,
    );
    if (one === undefined) throw new Error(`${enqueue.object} has no action ${enqueue.action}: run gen`);
    const { maxInputBytes } = options.actionProcessor;
    const queued = await host.enqueueAction(one, enqueue.input, { queue: store.queue, maxInputBytes });
    if (queued.outcome === "refused") {
      say({ kind: "queued", queued });
      return none;
    }
    id = queued.action.id;
    say({ kind: "queued", queued: { outcome: "queued", id, isProcessed: queued.isProcessed } });
  }
  return host.runActionProcessor(modules, {
    ...options.actionProcessor,
    volatile: options.volatile,
    ...{ ...services, store, log: connector.log, signal },
    ...(isWatching && id === undefined && { pollMs: POLL_MS }),
    id,
    onAttempt: (attempt) => say({ kind: "attempt", attempt }),
  });
}
