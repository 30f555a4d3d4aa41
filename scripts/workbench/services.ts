/** Runs the services of a connector on this machine: the cache writer and the action processor (§2.6, §2.7, §7). */
import path from "node:path";
import type { ProcessorResult } from "../../runtime/host/index.js";
import { createRedaction, createSecretRedaction } from "../../runtime/log/redaction.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { loadProject, type ProjectOptions } from "../author-project/load-project.js";
import { type RunOptions, readRunOptions } from "../author-project/run-options.js";
import { watchProject } from "../author-project/watch-project.js";
import {
  type PreparedConnector,
  prepareConnector,
  type ReadyConnector,
} from "../connector-run/prepare-connector.js";
import { failureFinding, runConnector, type Unbundled } from "../connector-run/run-connector.js";
import type {
  ActionProcessorTask,
  ActionTrial,
  CacheWriterTask,
  LiveAcceptanceTask,
  PreviewedObject,
  PreviewTask,
  RecordTask,
  RunEvent,
  RunResult,
  RunTask,
  ServiceTask,
  StoreTask,
  SyncedObjectResult,
  TryActionTask,
} from "../connector-run/run-protocol.js";
import { makeCacheFolder } from "../system/cache-folder.js";
import { readPackageText } from "../system/files.js";
import type { Environment } from "../test-settings/filled-values.js";
import type { OpenSettings } from "../test-settings/open-settings.js";
import { type Choice, type ChosenAction, chosenAction, chosenActions, chosenObjects } from "./choices.js";
import { HistoryFile } from "./history-file.js";
import { openSettings, type WorkspaceChoice } from "./open-settings.js";
import { sensitiveTypes } from "./sensitive-types.js";
import { Views } from "./store.js";
import { type StoreFileOptions, storeFileOf, storeFinding } from "./store-file.js";

/** What a service says while it runs; texts come without the secrets of the test settings. */
export type ServiceEvent =
  /** The connector is loaded, and its service begins. */
  | { readonly kind: "started" }
  /** `generated/` is not what the schema modules give: what happens may not be what they say. */
  | { readonly kind: "generated-stale" }
  /** A module was saved: what runs is stopped, and the connector is loaded anew. */
  | { readonly kind: "saved" }
  /** The watched modules can't be run as they are; the next save is waited for. */
  | {
      readonly kind: "not-run";
      /** The findings that say why. */
      readonly diagnostics: readonly Diagnostic[];
    }
  /** A line that the connector printed or logged. */
  | {
      readonly kind: "line";
      /** The line, without its end. */
      readonly text: string;
    }
  /** How far the cache writer is; `before` counts the records that the cache had of the object. */
  | Extract<RunEvent, { kind: "progress" }>
  /** The cache writer has ended with a data object. */
  | Extract<RunEvent, { kind: "synced" }>
  /** A reader was tried; write-only values of its records are masked. */
  | Extract<RunEvent, { kind: "previewed" }>
  /** Answers were recorded, or why they were not. */
  | Extract<RunEvent, { kind: "recorded" }>
  /** A scenario was tried at the target system. */
  | Extract<RunEvent, { kind: "tried" }>
  /** An action was queued, or its input was refused. */
  | Extract<RunEvent, { kind: "queued" }>
  /** An attempt at an action has ended. */
  | Extract<RunEvent, { kind: "attempt" }>;

/** Which connector to run, and with what. */
export interface ServiceOptions
  extends ProjectOptions,
    StoreFileOptions,
    Pick<Choice, "moduleId" | "object"> {
  /** Whether a store of another connection is taken over: both lead to the same target system. @default false */
  readonly adoptStore?: boolean | undefined;
  /** The definition key of the connection. @default the active one of the test settings */
  readonly connection?: string | undefined;
  /**
   * The address of a fake target system that is called in place of the real one. Its connection and settings are used, not
   * the test settings, and by default a store of its own. @default none
   */
  readonly fake?: string | undefined;
  /** Variables for the test settings and for the process that runs the connector, such as `process.env`. */
  readonly environment: Environment;
  /** Whether calls of the target system are told as lines, without secrets. @default false */
  readonly isTraced?: boolean | undefined;
  /** Asks the service to stop; what it has begun is finished or left to the next run. */
  readonly signal?: AbortSignal | undefined;
  /** Called with every event, in order. */
  readonly onEvent?: ((event: ServiceEvent) => void) | undefined;
}

/** Whether a service goes on. */
export interface WatchedOptions {
  /**
   * Whether to go on until `signal` is aborted, and to start again with the code as it is then after every save of a
   * module.
   * @default false
   */
  readonly watch?: boolean | undefined;
}

/** What to read, and within which limits. */
export interface SyncOptions extends ServiceOptions, WatchedOptions {
  /** Whether records that were not read again are deleted, however many they are. @default false */
  readonly approveDeletes?: boolean;
  /** The run of an object fails if more records than this do not fit its schema. @default `rejectedLimit` of the project */
  readonly maxRejected?: number | undefined;
  /** Watches, and also reads again so many seconds after the end of a run. @default after a save only */
  readonly everySeconds?: number | undefined;
}

/** Which readers to try. */
export interface PreviewRecordsOptions
  extends Omit<ServiceOptions, "storeFile" | "storeKey" | "adoptStore">,
    WorkspaceChoice,
    WatchedOptions {
  /** The most records of each data object. @default 20 */
  readonly limit?: number | undefined;
  /** The page of each list that is begun with, counted from 1. @default 1 */
  readonly page?: number | undefined;
}

/** What the readers yielded. */
export interface PreviewRecordsResult {
  /** By data object; absent if nothing was run, and the diagnostics say why. Write-only values are masked. */
  readonly objects?: readonly PreviewedObject[];
  /** Why nothing was run, or what went wrong beside the readers. */
  readonly diagnostics: readonly Diagnostic[];
}

/** How a run of the cache writer ended. */
export interface SyncResult {
  /** How the last run of each object ended; absent if nothing was run, and the diagnostics say why. */
  readonly objects?: readonly SyncedObjectResult[];
  /** Why nothing was run, or what went wrong beside the runs. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Which queued actions to perform. */
export interface PerformActionsOptions extends ServiceOptions, WatchedOptions, Pick<Choice, "action"> {
  /** How many actions are performed at the same time, 1 to 100. @default `concurrency` of the project, or 1 */
  readonly concurrency?: number | undefined;
}

/** Which action to queue, and with what input. */
export interface EnqueueActionOptions extends ServiceOptions, Pick<Choice, "action"> {
  /** The input as JSON values. */
  readonly input: unknown;
}

/** How a run of the action processor ended. */
export interface ActionsResult {
  /** How many attempts ended how; absent if nothing was run, and the diagnostics say why. */
  readonly counts?: ProcessorResult;
  /** Why nothing was run, or what went wrong beside the attempts. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Which action to try, and with what input. */
export interface TryActionOptions
  extends Omit<ServiceOptions, "storeFile" | "storeKey" | "adoptStore">,
    WorkspaceChoice,
    Pick<Choice, "action"> {
  /** The input as JSON values. */
  readonly input: unknown;
  /**
   * Whether only calls that read are sent: every other one is refused, and told in the result.
   * @default false
   */
  readonly dryRun?: boolean | undefined;
}

/** What became of an action that was tried. */
export interface TryActionResult {
  /** Absent if nothing was run, and the diagnostics say why. Write-only values are masked. */
  readonly trial?: ActionTrial;
  /** Why nothing was run, or what went wrong beside the handler. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads data objects into the cache of this machine.
 * @throws UnknownNameError if the connector has no such name
 */
export async function sync(options: SyncOptions): Promise<SyncResult> {
  const { approveDeletes = false, maxRejected, everySeconds, watch = everySeconds !== undefined } = options;
  const { result, diagnostics } = await runWatched({ ...options, watch }, (model) => ({
    kind: "runCacheWriter",
    objects: chosenObjects(model, options).map(({ dataPath }) => dataPath),
    settings: {
      approveDeletes,
      ...(maxRejected !== undefined && { rejectedLimit: { maxCount: maxRejected, maxShare: 1 } }),
    },
    everySeconds,
  }));
  return result?.task === "runCacheWriter" ? { objects: result.result, diagnostics } : { diagnostics };
}

const PREVIEWED_RECORDS = 20;

/**
 * Tries readers, from the beginning and whether their switches are on or off: reads some records and checks them. There is
 * no store, and nothing is written.
 * @throws UnknownNameError if the connector has no such name
 */
export async function previewRecords(options: PreviewRecordsOptions): Promise<PreviewRecordsResult> {
  const { limit = PREVIEWED_RECORDS, page = 1 } = options;
  return previewsOf(
    await runWatched(options, (model) => ({
      kind: "previewRecords",
      objects: chosenObjects(model, options).map(({ dataPath }) => dataPath),
      ...{ limit, page },
    })),
  );
}

/** Whether a reader came to its end, and all that it yielded fits. */
export function isFine({ outcome, records }: PreviewedObject): boolean {
  return outcome === "succeeded" && records.every(({ findings }) => findings.length === 0);
}

/** The same of a connector that is loaded. @param objects The data paths of those that are read, in this order. */
export async function previewLoaded(
  { model, connector }: { readonly model: ConnectorModel; readonly connector: ReadyConnector },
  objects: readonly string[],
  options: PreviewRecordsOptions,
): Promise<PreviewRecordsResult> {
  const { limit = PREVIEWED_RECORDS } = options;
  const part = { kind: "previewRecords", objects, limit, page: 1 } as const;
  return previewsOf(await runLoaded(options, { model, part, prepare: async () => connector }));
}

function previewsOf({ result, diagnostics }: ServiceRun): PreviewRecordsResult {
  return result?.task === "previewRecords" ? { objects: result.result, diagnostics } : { diagnostics };
}

/**
 * Performs queued actions.
 * @throws UnknownNameError if the connector has no such name
 */
export function performActions(options: PerformActionsOptions): Promise<ActionsResult> {
  return runActions(options, (model) => ({
    actions: chosenActions(model, options).map(addressOf),
    isWatching: options.watch === true,
    concurrency: options.concurrency,
  }));
}

/**
 * Queues one action and performs it.
 * @throws UnknownNameError if the connector has no such name
 * @throws AmbiguousActionError if the names lead to several actions
 */
export function enqueueAction(options: EnqueueActionOptions): Promise<ActionsResult> {
  return runActions(options, (model) => {
    const action = addressOf(chosenAction(model, options));
    return { actions: [action], enqueue: { ...action, input: options.input }, isWatching: false };
  });
}

/**
 * Performs an action once, whether its switch is on or off. It is not queued, there is no store, and the cache stays as it
 * is.
 * @throws UnknownNameError if the connector has no such name
 * @throws AmbiguousActionError if the names lead to several actions
 */
export async function tryAction(options: TryActionOptions): Promise<TryActionResult> {
  const { input, dryRun: isDry = false } = options;
  const { result, diagnostics } = await runWatched(options, (model) => ({
    kind: "tryAction",
    action: { ...addressOf(chosenAction(model, options)), input },
    isDry,
  }));
  return result?.task === "tryAction" ? { trial: result.result, diagnostics } : { diagnostics };
}

async function runActions(
  options: ServiceOptions & WatchedOptions,
  partOf: (model: ConnectorModel) => Omit<ServicePart<ActionProcessorTask>, "kind">,
): Promise<ActionsResult> {
  const { result, diagnostics } = await runWatched(options, (model) => ({
    kind: "runActionProcessor",
    ...partOf(model),
  }));
  return result?.task === "runActionProcessor" ? { counts: result.result, diagnostics } : { diagnostics };
}

function addressOf({ object, action }: ChosenAction) {
  return { object: object.dataPath, action: action.urlPart };
}

/** What a service's own task says beside what all say. */
type ServicePart<Task extends ServiceTask> = Omit<Task, keyof StoreTask>;

type AnyServicePart =
  | ServicePart<CacheWriterTask>
  | ServicePart<ActionProcessorTask>
  | ServicePart<LiveAcceptanceTask>
  | ServicePart<PreviewTask>
  | Omit<ServicePart<RecordTask>, "secrets">
  | ServicePart<TryActionTask>;

interface ServiceRun {
  readonly result?: RunResult;
  readonly diagnostics: readonly Diagnostic[];
}

/** Seconds that loading the connector and starting it may take. */
const LOAD_SECONDS = 30;

/** Seconds that a connector which is only tried may keep its process busy. */
export const BUSY_SECONDS = 30;

/** Runs the service once, or again after every save of what it runs. */
async function runWatched(
  { watch = false, ...options }: ServiceOptions & WorkspaceChoice & WatchedOptions,
  partOf: (model: ConnectorModel) => AnyServicePart,
): Promise<ServiceRun> {
  if (!watch) return runService(options, partOf);
  const { folder, onEvent = () => {} } = options;
  let last: ServiceRun | undefined;
  let isAgain = false;
  await watchProject(folder, {
    signal: options.signal ?? new AbortController().signal,
    withGenerated: true,
    run: async (signal) => {
      if (isAgain) onEvent({ kind: "saved" });
      isAgain = true;
      const ended = await runService({ ...options, signal }, partOf);
      if (ended.result !== undefined || !signal.aborted) last = ended;
      if (ended.result === undefined && !signal.aborted)
        onEvent({ kind: "not-run", diagnostics: ended.diagnostics });
    },
  });
  return last ?? { diagnostics: [] };
}

/** From the project's folder to the last word of the process that runs the service. */
async function runService(
  options: ServiceOptions & WorkspaceChoice,
  partOf: (model: ConnectorModel) => AnyServicePart,
): Promise<ServiceRun> {
  const { model, diagnostics } = await loadProject(options);
  if (model === undefined) return { diagnostics: diagnostics.filter(({ severity }) => severity === "error") };
  const prepare = () => prepareConnector(path.resolve(options.folder), model);
  return runLoaded(options, { model, part: partOf(model), prepare });
}

interface LoadedService {
  readonly model: ConnectorModel;
  readonly part: AnyServicePart;
  readonly prepare: () => Promise<PreparedConnector>;
}

/** As `runService`, for a project that is loaded. */
export async function runLoaded(
  options: ServiceOptions & WorkspaceChoice,
  { model, part, prepare }: LoadedService,
): Promise<ServiceRun> {
  const { opened, ...wrongSettings } = await openSettings(options, model, "run");
  if (opened === undefined) return wrongSettings;
  try {
    return await runOpened(options, opened, { model, part, prepare });
  } finally {
    await opened.close();
  }
}

async function runOpened(
  options: ServiceOptions,
  opened: OpenSettings,
  { model, part, prepare }: LoadedService,
): Promise<ServiceRun> {
  const { onEvent = () => {} } = options;
  const root = path.resolve(options.folder);
  const { file, text } = readPackageText(root);
  const read = readRunOptions(text, file, model);
  if (read.diagnostics.length > 0) return { diagnostics: read.diagnostics };
  const prepared = await prepare();
  if (prepared.code === undefined) return { diagnostics: prepared.diagnostics };
  if (prepared.isStale) onEvent({ kind: "generated-stale" });
  const run = { root, model, opened, runOptions: read.options, options, ...prepared };
  if (part.kind === "previewRecords" || part.kind === "testLive" || part.kind === "tryAction")
    return runInChild({ ...run, part });
  if (part.kind === "recordAnswers")
    return runInChild({ ...run, part: { ...part, secrets: opened.settings.secrets } });
  const storeFile = storeFileOf(options);
  try {
    if (options.storeFile === undefined) makeCacheFolder(root);
  } catch (error) {
    return { diagnostics: [storeFinding(storeFile, error)] };
  }
  const store = { storeFile, storeKey: options.storeKey, adoptsStore: options.adoptStore === true };
  return runInChild({ ...run, part: { ...part, ...store } });
}

interface ChildRun {
  readonly root: string;
  readonly opened: OpenSettings;
  readonly runOptions: RunOptions;
  readonly model: ConnectorModel;
  readonly part: AnyServicePart &
    Partial<Pick<StoreTask, "storeFile" | "storeKey" | "adoptsStore"> & Pick<RecordTask, "secrets">>;
  readonly options: ServiceOptions;
  readonly code: string;
  readonly entry: string;
}

async function runInChild(run: ChildRun): Promise<ServiceRun> {
  const { model, root, entry, code, opened, runOptions, part, options } = run;
  const { timeoutSeconds = LOAD_SECONDS, environment, signal, onEvent = () => {} } = options;
  const { connection, registrationConfiguration, services, secrets } = opened.settings;
  const { definition, properties } = connection;
  // Results come from the runtime, which knows what is sensitive in them; lines come from anywhere.
  const results = createSecretRedaction(secrets);
  const lines = createRedaction(sensitiveTypes(model));
  lines.hide(secrets);
  const views = new Views(model, secrets);
  const diagnostics: Diagnostic[] = [];
  // Nothing stands as it is beside a store that is sealed.
  const history =
    part.storeFile === undefined || part.storeKey !== undefined ? undefined : new HistoryFile(part.storeFile);
  const outcome = await runConnector({
    code,
    task: {
      ...{ folder: root, entry, options: runOptions, registrationConfiguration, services, ...part },
      isTraced: options.isTraced === true,
      fake: options.fake,
      container: { DefinitionKey: definition.key, Configuration: JSON.stringify(properties) },
    } as Unbundled<RunTask>,
    environment,
    timeLimitMs: timeoutSeconds * 1_000,
    ...(part.kind === "testLive" && { quietLimitMs: BUSY_SECONDS * 1_000 }),
    signal,
    lockProperties: async (stop) => {
      const locked = await opened.lockProperties(stop);
      for (const redaction of [results, lines]) redaction.hide(locked.secrets);
      return locked;
    },
    saveProperties: async (changed) => {
      diagnostics.push(...(await opened.saveProperties(changed)));
    },
    onLine: (line) => onEvent({ kind: "line", text: lines.wholeText(line) }),
    onMessage: (news) => {
      switch (news.kind) {
        case "save":
          for (const redaction of [results, lines]) redaction.hide(Object.values(news.properties));
          return;
        case "called":
          return history?.noteCall(redactStrings(news.call, results.text));
        case "committed":
          return history?.notePage(news.page);
        case "attempt": {
          const { attempt } = redactStrings(news, results.text);
          history?.noteAttempt(attempt);
          return onEvent({ kind: "attempt", attempt });
        }
        case "previewed": {
          const previewed = redactStrings(views.previewed(news.previewed), results.text);
          return onEvent({ kind: "previewed", previewed });
        }
        case "recorded":
        case "tried":
          return onEvent(news);
        case "trace":
          return onEvent({ kind: "line", text: results.text(news.text) });
        case "started":
        case "progress":
        case "synced":
        case "queued":
          return onEvent(redactStrings(news, results.text));
        case "log":
        case "faked":
        case "alive":
        case "trying":
        case "replayed":
          return undefined;
        default:
          return news satisfies never;
      }
    },
  });
  // What is hidden would not be what was recorded; it was seen to that nothing in it is to be hidden.
  if (outcome.kind === "result" && outcome.task === "recordAnswers") return { result: outcome, diagnostics };
  if (outcome.kind === "result") {
    return { result: redactStrings(shownResult(outcome, views), results.text), diagnostics };
  }
  const { wholeText: redact } = lines;
  return { diagnostics: [...diagnostics, failureFinding(outcome, { root, entry, redact })] };
}

/** What came from the connector as it was, without the values that must not be shown. */
function shownResult(result: RunResult, views: Views): RunResult {
  if (result.task === "previewRecords") return { ...result, result: result.result.map(views.previewed) };
  return result.task === "tryAction" ? { ...result, result: views.tried(result.result) } : result;
}

/** Members that programs decide by: no secret is in them, whatever it is called. */
const FIXED_MEMBERS = new Set(["kind", "task", "outcome"]);

/** `value` with the texts in it redacted. */
function redactStrings<Value>(value: Value, redact: (text: string) => string): Value {
  if (typeof value === "string") return redact(value) as Value;
  if (Array.isArray(value)) return value.map((item) => redactStrings(item, redact)) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      FIXED_MEMBERS.has(name) ? member : redactStrings(member, redact),
    ]),
  ) as Value;
}
