/** A worker: served wake-ups become performed actions and read data objects, of whichever workspace it is woken for. */
import type { Engine, EngineWorker, WakeUp } from "../engine/engine.js";
import { StoredHistory } from "../history/stored-history.js";
import type * as Host from "../host/index.js";
import { sensitiveTypes } from "../host/start.js";
import { type Redaction, serviceRedaction } from "../log/redaction.js";
import { sensitiveValues } from "../records/masking.js";
import { toCodeNames, toSerializedNames } from "../records/name-mapping.js";
import type { Log } from "../registration/contracts.js";
import type { ConnectorRegistration } from "../registration/registration.js";
import type { ActionSource, Store, TakenAction } from "../store/store.js";
import type { AskedRead, OpenWorkspace, WorkspaceSettings, WorkTables } from "../workspaces/workspaces.js";
import { WorkerMetrics } from "./metrics.js";
import { notingAttempts, notingRead, notingTransport } from "./noting.js";
import { NO_TRACER, type Tracer } from "./tracer.js";

/** How a worker works. */
export interface WorkerSettings {
  /**
   * In how many workspaces it performs actions at the same time.
   * @default 10
   */
  readonly actionSlots?: number | undefined;
  /**
   * In how many workspaces it reads at the same time.
   * @default 4
   */
  readonly readSlots?: number | undefined;
  /**
   * How long one workspace is served while others wait, in milliseconds. A read that is under way is not cut.
   * @default 30_000
   */
  readonly sliceMs?: number | undefined;
  /**
   * How long handlers that are under way may go on when the worker is stopped, in milliseconds.
   * @default 30_000
   */
  readonly drainMs?: number | undefined;
  /** How actions are performed. */
  readonly actionProcessor?: Host.ProcessorSettings | undefined;
  /** How data objects are read. */
  readonly cacheWriter?: Host.CacheWriterSettings | undefined;
  /**
   * Variables that may name a proxy.
   * @default {}
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Makes the log of the connector of one workspace, which hides the secrets of that.
   * @default one on standard error
   */
  readonly createConnectorLog?: (() => Log) | undefined;
}

/** The functions of `connectorcli/host` that a worker calls: a built connector brings its own. */
export type WorkerHost = Pick<
  typeof Host,
  "startConnector" | "connect" | "runActionProcessor" | "runCacheWriter"
>;

/** What a worker works with. */
export interface WorkerDeps<Client> extends WorkerSettings {
  readonly registration: ConnectorRegistration<Client>;
  readonly host: WorkerHost;
  readonly engine: Engine;
  readonly work: WorkTables;
  readonly log: Log;
  readonly tracer?: Tracer | undefined;
}

/** A worker that is under way. */
export interface Worker {
  /** Whether it takes work: the database answers, and it was not told to stop. */
  isReady(): Promise<boolean>;
  /** Whether others see that it lives. */
  isAlive(): boolean;
  /** What it did and what waits, in the text format of Prometheus. */
  metrics(): Promise<string>;
  /** Takes no more, lets handlers end for `drainMs`, and stops reads after their page. */
  stop(): Promise<void>;
}

const ACTION_SLOTS = 10;
const READ_SLOTS = 4;
const SLICE_MS = 30_000;
const DRAIN_MS = 30_000;
/** How often schedules are looked at. */
const TICK_MS = 10_000;
/** How often what waits is woken for again, in case a wake-up was lost. */
const SWEEP_MS = 30_000;
/** Another process reads the object. */
const BUSY_MS = 30_000;
/** Every turn begins a run of the action processor, which looks for what has waited too long when it begins. */
const CANCEL_EVERY_MS = 60 * 60 * 1_000;
/** Workspaces whose client is kept for the next wake-up. */
const KEPT_WORKSPACES = 500;

/** What somebody should look at is a warning. */
const ATTEMPT_LEVELS: Partial<Record<Host.AttemptKind, "debug" | "info">> = {
  succeeded: "debug",
  stopped: "info",
  lost: "info",
};

/** After these the action waits no more. */
const CLOSED: ReadonlySet<Host.AttemptKind> = new Set(["succeeded", "failed", "dead"]);

/** The connector with the settings of a workspace. */
interface StartedWorkspace<Client> {
  readonly connector: Host.StartedConnector<Client>;
  readonly services: Host.ConnectedServices<Client>;
  readonly open: () => OpenWorkspace;
  /** When what had waited too long in its queue was cancelled last, by the process' clock. */
  cancelledAt: number;
  /** Hides what is secret in the workspace. */
  readonly redaction: Redaction;
}

interface KeptWorkspace<Client> {
  readonly version: string;
  /** Undefined if the connector can't be started with the settings. */
  readonly starting: Promise<StartedWorkspace<Client> | undefined>;
}

/** Begins to work. @throws StoreError if the database can't be reached, or a package is missing. */
export async function startWorker<Client>(deps: WorkerDeps<Client>): Promise<Worker> {
  const { engine, work, log, drainMs = DRAIN_MS } = deps;
  const slots = { act: deps.actionSlots ?? ACTION_SLOTS, sync: deps.readSlots ?? READ_SLOTS };
  const metrics = new WorkerMetrics(slots);
  const stopping = { reads: new AbortController(), handlers: new AbortController() };
  const services = new WorkspaceServices({ ...deps, metrics, stopping });

  async function sayIfItFails(what: string, task: () => Promise<unknown>): Promise<void> {
    try {
      await task();
    } catch (error) {
      log.warn(`${what} was not possible; it is tried again`, { error });
    }
  }
  const tick = () =>
    sayIfItFails("Looking at the schedules", async () => {
      while ((await work.askDue()) > 0 && !stopping.reads.signal.aborted);
    });
  const sweep = () => sayIfItFails("Looking for what waits", () => work.wakeWaiting());

  const worker: EngineWorker = await engine.work({ slots, log, serve: services.serve });
  await tick();
  await sweep();
  const timers = [setInterval(() => void tick(), TICK_MS), setInterval(() => void sweep(), SWEEP_MS)];
  let stopped: Promise<void> | undefined;

  async function stop(): Promise<void> {
    for (const timer of timers) clearInterval(timer);
    stopping.reads.abort();
    const timer = setTimeout(() => stopping.handlers.abort(), drainMs);
    await worker.stop();
    clearTimeout(timer);
  }

  return {
    isReady: async () =>
      stopped === undefined &&
      worker.isAlive() &&
      (await work.counts().then(
        () => true,
        () => false,
      )),
    isAlive: () => worker.isAlive(),
    metrics: async () =>
      metrics.text({
        isDraining: stopped !== undefined,
        waiting: await work.counts().catch(() => undefined),
      }),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

interface ServiceDeps<Client> extends WorkerDeps<Client> {
  readonly metrics: WorkerMetrics;
  readonly stopping: { readonly reads: AbortController; readonly handlers: AbortController };
}

/** What is done for a wake-up, and the workspaces that are kept started for the next one. */
class WorkspaceServices<Client> {
  readonly #deps: ServiceDeps<Client>;
  readonly #kept = new Map<string, KeptWorkspace<Client>>();

  constructor(deps: ServiceDeps<Client>) {
    this.#deps = deps;
  }

  readonly serve = async (wakeUp: WakeUp, lost: AbortSignal): Promise<void> => {
    const { metrics, tracer = NO_TRACER } = this.#deps;
    const end = metrics.began(wakeUp.kind);
    try {
      const attributes = { "connectorcli.workspace": wakeUp.workspace };
      await tracer.span(`connectorcli ${wakeUp.kind}`, attributes, () =>
        wakeUp.kind === "act" ? this.#act(wakeUp, lost) : this.#read(wakeUp, lost),
      );
    } catch (error) {
      metrics.failed(wakeUp.kind);
      throw error;
    } finally {
      end();
      if (lost.aborted) metrics.lost();
    }
  };

  /** Performs what is due, for the time of a slice. */
  async #act(wakeUp: WakeUp, lost: AbortSignal): Promise<void> {
    const { host, engine, work, metrics, stopping, sliceMs = SLICE_MS, actionProcessor } = this.#deps;
    const version = await this.#version(wakeUp.workspace);
    const started = version === undefined ? undefined : await this.#start(wakeUp.workspace, version);
    if (started === undefined) return;
    const { connector, services, redaction } = started;
    const until = performance.now() + sliceMs;
    let isCut = false;
    // What is queued from now on wakes for itself.
    let isDone = false;
    const isOver = () => {
      isCut = stopping.reads.signal.aborted || performance.now() >= until;
      return isCut || isDone;
    };
    let only: number | undefined;
    const onTaken = ({ id, isOnly = false }: TakenAction) => {
      only = isOnly ? id : undefined;
    };
    await withOpened(started, ({ store, history }) =>
      host.runActionProcessor(connector.modules, {
        ...actionProcessor,
        ...services,
        store,
        source: sourceOfTurn(store.source, started, { isOver, onTaken }),
        log: connector.log,
        signal: AbortSignal.any([lost, stopping.handlers.signal]),
        around: notingAttempts(history, redaction),
        onAttempt: (report) => {
          metrics.attempted(report.outcome);
          this.#logAttempt(wakeUp.workspace, report);
          isDone = report.id === only && CLOSED.has(report.outcome);
        },
      }),
    );
    if (isCut) return engine.wake(wakeUp);
    if (isDone) return;
    const nextMs = await work.nextActionMs(wakeUp.workspace);
    if (nextMs !== undefined) await engine.wake(wakeUp, nextMs);
  }

  #logAttempt(workspace: string, { id, object, action, outcome, dueAt, message }: Host.AttemptReport): void {
    const level = ATTEMPT_LEVELS[outcome] ?? "warn";
    this.#deps.log[level](`${workspace}: action ${id} (${object}/${action}): ${outcome}`, { dueAt, message });
  }

  /** Reads what was asked for, one object after the other, and lets others have a turn after the time of a slice. */
  async #read(wakeUp: WakeUp, lost: AbortSignal): Promise<void> {
    const { engine, work, stopping, sliceMs = SLICE_MS } = this.#deps;
    const { workspace } = wakeUp;
    const until = performance.now() + sliceMs;
    const stop = AbortSignal.any([lost, stopping.reads.signal]);
    for (;;) {
      const version = await this.#version(workspace);
      if (version === undefined) return;
      const read = await work.nextRead(workspace);
      if (read === undefined) return;
      const outcome = await this.#readObject({ workspace, version }, read, stop);
      if (lost.aborted) return;
      if (stop.aborted) return engine.wake(wakeUp);
      // It goes on waiting, for other settings.
      if (outcome === undefined) return;
      if (outcome === "busy") return engine.wake(wakeUp, BUSY_MS);
      await work.endRead(workspace, read, outcome);
      if (performance.now() >= until) return engine.wake(wakeUp);
    }
  }

  /** How the read ended; undefined if the connector can't be started. */
  async #readObject(
    { workspace, version }: { readonly workspace: string; readonly version: string },
    { object, approveDeletes }: AskedRead,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { host, log, metrics, cacheWriter, tracer = NO_TRACER } = this.#deps;
    const started = await this.#start(workspace, version);
    if (started === undefined) return undefined;
    const { connector, services } = started;
    const found = connector.modules
      .flatMap((module) => module.cacheWriter.dataObjects)
      .find(({ dataPath }) => dataPath === object);
    if (found === undefined) {
      log.error(`${workspace}: the connector has no data object ${object}, which has a schedule`);
      return "unknown";
    }
    if (!found.uploadObject) return "switched-off";
    const attributes = { "connectorcli.workspace": workspace, "connectorcli.object": object };
    const [result] = await tracer.span(`connectorcli sync ${found.name}`, attributes, () =>
      withOpened(started, (opened) =>
        notingRead(opened, object, (noting) =>
          host.runCacheWriter([found], {
            ...cacheWriter,
            ...(approveDeletes && { approveDeletes }),
            ...{ ...services, ...noting, log: connector.log, signal },
          }),
        ),
      ),
    );
    // It was told to stop before it began.
    if (result === undefined) return undefined;
    metrics.read(result);
    const level = result.outcome === "succeeded" ? "info" : "warn";
    log[level](`${workspace}: ${object}: ${result.outcome}`, { message: result.message });
    return result.outcome;
  }

  /** Undefined if it is not served; nothing of it is kept then. */
  async #version(workspace: string): Promise<string | undefined> {
    const version = await this.#deps.work.version(workspace);
    if (version === undefined) this.#kept.delete(workspace);
    return version;
  }

  /** The connector with the settings of the workspace; undefined if it can't be started with them. */
  async #start(workspace: string, version: string): Promise<StartedWorkspace<Client> | undefined> {
    const known = this.#kept.get(workspace);
    // The one that was used last is the last to go.
    this.#kept.delete(workspace);
    const kept =
      known?.version === version ? known : { version, starting: this.#startWithSettings(workspace) };
    this.#kept.set(workspace, kept);
    const [oldest = ""] = this.#kept.keys();
    if (this.#kept.size > KEPT_WORKSPACES) this.#kept.delete(oldest);
    try {
      return await kept.starting;
    } catch (error) {
      // The database could not be asked: it is asked again.
      if (this.#kept.get(workspace) === kept) this.#kept.delete(workspace);
      throw error;
    }
  }

  async #startWithSettings(workspace: string): Promise<StartedWorkspace<Client> | undefined> {
    const { settings, open } = await this.#deps.work.load(workspace);
    try {
      return { ...this.#connect(workspace, settings), open, cancelledAt: -Infinity };
    } catch (error) {
      const then = "the connector can't be started with its settings; it is not served until they change";
      this.#deps.log.error(`${workspace}: ${then}`, { error });
      return undefined;
    }
  }

  #connect(workspace: string, settings: WorkspaceSettings) {
    const { host, registration, work, environment = {}, createConnectorLog } = this.#deps;
    const { connection, registrationConfiguration = {}, services: configurations = {} } = settings;
    const connector = host.startConnector(registration, {
      registrationConfiguration,
      services: configurations,
      log: createConnectorLog?.(),
    });
    const container = {
      DefinitionKey: connection.definitionKey,
      Configuration: JSON.stringify(connection.properties),
    };
    const type = registration.connections.find(({ key }) => key === connection.definitionKey)?.properties;
    const { schema, names } = type ?? {};
    const schemas = sensitiveTypes(registration);
    const redaction = serviceRedaction({ schemas, secrets: [], log: connector.log });
    // A log of the host's own may hide nothing, and what is noted stays.
    const hide = (properties: object) => redaction.hide(sensitiveValues(properties, schema));
    hide(connection.properties);
    const services = host.connect(connector, container, {
      environment,
      transport: notingTransport(redaction),
      turns: work.turns(workspace, settings),
      // The settings have serialized names, and the connector those in code.
      saveProperties: (properties) => {
        const changed = toSerializedNames(properties, names) as typeof properties;
        hide(changed);
        return work.saveProperties(workspace, changed);
      },
      lockProperties: (task) =>
        work.lockProperties(workspace, (properties) => {
          hide(properties);
          return task(toCodeNames(properties, names) as typeof properties);
        }),
    });
    return { connector, services, redaction };
  }
}

/** A store is open for one turn: each has a connection of its own while it has runs. */
async function withOpened<Result>(
  { open }: Pick<StartedWorkspace<unknown>, "open">,
  use: (opened: { readonly store: Store; readonly history: StoredHistory }) => Promise<Result>,
): Promise<Result> {
  const { store, history } = open();
  try {
    return await use({ store, history: new StoredHistory(history) });
  } finally {
    await store.close();
  }
}

/** The same source, which has nothing more once the turn is over. What has waited too long is looked for now and then. */
function sourceOfTurn(
  source: ActionSource,
  started: Pick<StartedWorkspace<unknown>, "cancelledAt">,
  { isOver, onTaken }: { readonly isOver: () => boolean; readonly onTaken: (taken: TakenAction) => void },
): ActionSource {
  return {
    take: async (options) => {
      const taken = isOver() ? undefined : await source.take(options);
      if (taken !== undefined) onTaken(taken);
      return taken;
    },
    extendLease: (attempt, leaseMs) => source.extendLease(attempt, leaseMs),
    retry: (attempt, failed) => source.retry(attempt, failed),
    giveBack: (attempt) => source.giveBack(attempt),
    requeue: (id) => source.requeue(id),
    cancel: (id) => source.cancel(id),
    cancelDueBefore: async (time) => {
      if (performance.now() - started.cancelledAt < CANCEL_EVERY_MS) return 0;
      const cancelled = await source.cancelDueBefore(time);
      started.cancelledAt = performance.now();
      return cancelled;
    },
  };
}
