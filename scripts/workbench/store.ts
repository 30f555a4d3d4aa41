/** Looks into the store of a project: records, changes, rejected records and queued actions, as people may see them. */
import { existsSync } from "node:fs";
import path from "node:path";
import { noteOf } from "../../runtime/action-processor/idempotency.js";
import { type RecordKeys, recordKeys } from "../../runtime/cache-writer/record-keys.js";
import type { PostgresStores } from "../../runtime/entries/postgres.js";
import type { HistoryOfAction, HistoryOfRun, RunHistory } from "../../runtime/history/history.js";
import { openSqliteStore } from "../../runtime/host/open-store.js";
import { createRedaction, type Redaction } from "../../runtime/log/redaction.js";
import { mask, sensitiveValues } from "../../runtime/records/masking.js";
import { recordKey } from "../../runtime/records/record-key.js";
import type { RecordType } from "../../runtime/records/record-type.js";
import {
  type ActionEntry,
  type ActionState,
  type Change,
  type RejectedRecord,
  type RunSummary,
  type Store,
  type StoredRecord,
  StoreError,
} from "../../runtime/store/store.js";
import { HIDDEN } from "../../runtime/validation/finding.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { isJsonObject, pointerSteps } from "../../schemas/json.js";
import type {
  ActionModel,
  ConnectorModel,
  DataObjectModel,
  KeyModel,
} from "../../schemas/model/connector-model.js";
import { loadProject, type ProjectOptions } from "../author-project/load-project.js";
import type { ActionTrial, PreviewedObject } from "../connector-run/run-protocol.js";
import type { Environment } from "../test-settings/filled-values.js";
import { settingsSecrets } from "../test-settings/read-settings.js";
import { type Choice, chosenObjects, UnknownNameError } from "./choices.js";
import { chosenWorkspace, type DatabaseOptions, openToLook, sealingToLook } from "./database.js";
import { HistoryFile } from "./history-file.js";
import { RecordPlaces } from "./record-places.js";
import { sensitiveTypes, typeOf } from "./sensitive-types.js";
import { type StoreFileOptions, storeFileOf, storeFinding, storeFindingOf } from "./store-file.js";
import { lookIntoSettings, workspaceSecrets } from "./workspace-settings.js";

/** Which store to open. */
export interface OpenStoreOptions extends ProjectOptions, StoreFileOptions {
  /**
   * Address of a database, such as `postgres://user@host:5432/connectors`, of which the store of a workspace is opened.
   * @default the embedded store of the project is opened
   */
  readonly database?: string | undefined;
  /** Name of the workspace of the database. @default the only one */
  readonly workspace?: string | undefined;
  /** Whether write-only values are shown; they are masked otherwise. @default false */
  readonly reveal?: boolean;
  /** Variables for the test settings, whose secrets are masked too, such as `process.env`. @default none */
  readonly environment?: Environment;
}

/** An open store, or why there is none. */
export type OpenStoreResult =
  | {
      readonly kind: "opened";
      /** The open store. Whoever opened it closes it. */
      readonly store: ProjectStore;
    }
  /** There is no such file: nothing was run yet. */
  | {
      readonly kind: "missing";
      /** Path of the file that was looked for, absolute. */
      readonly file: string;
    }
  /** The project can't be loaded, the store can't be opened, or the database has no such workspace. */
  | {
      readonly kind: "unusable";
      /** The findings that say why. */
      readonly diagnostics: readonly Diagnostic[];
    };

/** A cached record. Its key is the primary one; write-only values are masked. */
export interface RecordView extends Pick<StoredRecord, "object" | "key" | "sequence"> {
  /** The record by serialized names. */
  readonly record: unknown;
}

/** An entry of the change feed; `record` is null for a delete. */
export type ChangeView = Change;

/** A change with what it has done to the record. */
export interface ChangeDetails extends Omit<ChangeView, "record"> {
  /** The record after the change, or as it is now; null if it was deleted. */
  readonly after: unknown;
  /** Whether `after` is the record as it is now, which may have changed again. */
  readonly isNow: boolean;
}

/** Changes that are looked through for the next one of the same record. */
const MOST_LOOKED_AT = 1_000;

/** A record that does not fit its schema; `key` is null if it has none, `record` if it was not kept. */
export interface RejectedView extends Pick<RejectedRecord, "object" | "operation" | "at" | "findings"> {
  /** The primary key, or null. */
  readonly key: string | null;
  /** The record as it came, or null. */
  readonly record: unknown;
}

/** A run of the cache writer: how many records ended how, and why it did not succeed. */
export type RunView = RunSummary;

/** An action of the queue with what is known of it. */
export interface ActionView
  extends Pick<ActionEntry, "id" | "object" | "action" | "state" | "attempts" | "queuedAt" | "dueAt"> {
  /** The input by serialized names. */
  readonly input: unknown;
  /** The output or the failure, or why the last attempt failed; null if there is none. */
  readonly result: unknown;
  /** What the handler noted last, or null. */
  readonly note: { readonly stage: string; readonly detail: string | null } | null;
}

/** Which records to list. */
export interface ListRecordsOptions extends Choice {
  /** The most records of each data object. @default Infinity */
  readonly limit?: number | undefined;
  /** How many of the first ones of each data object are left out. @default none */
  readonly offset?: number | undefined;
}

/** One value of a cached record. */
export interface RevealOptions {
  /** The data object: its part of the address, its class or its data path. */
  readonly object: string;
  /** The primary key, such as `id/7`. */
  readonly key: string;
  /** JSON pointer of the value, in serialized names: `/address/street`. */
  readonly pointer: string;
}

/** What the store knows of a data object, in few words. */
export interface ObjectSummary extends Pick<DataObjectModel, "name" | "title" | "dataPath" | "readerType"> {
  /** The id of its module, such as `app-1`. */
  readonly moduleId: string;
  /** How many records the cache has. */
  readonly records: number;
  /** How many records were kept aside. */
  readonly rejected: number;
  /** The latest run; undefined if there was none. */
  readonly lastRun: RunView | undefined;
  /** Where the next incremental read goes on; null if there is no checkpoint. */
  readonly checkpoint: string | null;
}

/** Which changes to list. */
export interface ListChangesOptions extends Choice {
  /**
   * Only changes after this number. If some of them were removed, a StoreError says so.
   * @default all that are kept
   */
  readonly since?: number | undefined;
  /** The most changes to list. @default Infinity */
  readonly limit?: number | undefined;
  /** Only the last of them: how many. @default all */
  readonly tail?: number | undefined;
}

/** Which actions to list. */
export interface ListActionsOptions extends Pick<Choice, "moduleId" | "object"> {
  /** Only actions in this state. @default any */
  readonly state?: ActionState | undefined;
  /** Only the last of them: how many. @default all */
  readonly tail?: number | undefined;
}

/** Which records to find. */
export interface FindRecordsOptions {
  /** The data object: its part of the address, its class or its data path. */
  readonly object: string | undefined;
  /** The values of the key, in its order. */
  readonly values: readonly string[];
  /** Name of the key. @default the primary one */
  readonly by?: string | undefined;
}

/** Thrown if a key was given too few or too many values; the message names them. */
export class KeyValuesError extends Error {
  override readonly name = "KeyValuesError";
}

/** Opens the store of a project. Whoever opens it closes it. @param project The project, for whoever has loaded it. */
export async function openProjectStore(
  options: OpenStoreOptions,
  project: ReturnType<typeof loadProject> = loadProject(options),
): Promise<OpenStoreResult> {
  const { model, diagnostics } = await project;
  if (model === undefined) return { kind: "unusable", diagnostics };
  const { database } = options;
  if (database !== undefined) return openInDatabase(model, { ...options, database });
  const file = storeFileOf(options);
  if (!existsSync(file)) return { kind: "missing", file };
  try {
    const store = await openSqliteStore({ file, sealing: sealingToLook(options.storeKey) });
    return {
      kind: "opened",
      store: new ProjectStore({
        ...{ model, store, history: new HistoryFile(file), file },
        secrets: secretsOf(model, options),
      }),
    };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { kind: "unusable", diagnostics: [storeFinding(file, error)] };
  }
}

async function openInDatabase(
  model: ConnectorModel,
  options: OpenStoreOptions & DatabaseOptions,
): Promise<OpenStoreResult> {
  let stores: PostgresStores | undefined;
  try {
    stores = await openToLook(options);
    const name = await chosenWorkspace(stores, options.workspace);
    const { reveal } = options;
    return { kind: "opened", store: await openWorkspaceStore(stores, name, { model, reveal, isLast: true }) };
  } catch (error) {
    await stores?.close();
    return { kind: "unusable", diagnostics: [storeFindingOf(error)] };
  }
}

/**
 * Opens the store of a workspace that is there.
 * @throws StoreError if it can't be opened
 */
export async function openWorkspaceStore(
  stores: PostgresStores,
  name: string,
  {
    model,
    reveal = false,
    isLast = false,
  }: {
    readonly model: ConnectorModel;
    readonly reveal?: boolean | undefined;
    /** Whether all stores of the database are closed with this one. */
    readonly isLast?: boolean;
  },
): Promise<ProjectStore> {
  const settings = await lookIntoSettings(stores, name);
  const known = typeof settings === "object" ? workspaceSecrets(model, settings) : [];
  const store = await stores.open(name);
  const closing = isLast ? { ...store, close: () => stores.close() } : store;
  const history = await stores.history(name);
  const secrets = reveal ? undefined : known;
  return new ProjectStore({ model, store: closing, history, file: undefined, secrets });
}

/** Secrets of the settings; undefined if all is to be shown. */
function secretsOf(
  model: ConnectorModel,
  { folder, reveal = false, environment = {} }: OpenStoreOptions,
): readonly string[] | undefined {
  return reveal ? undefined : settingsSecrets({ model, root: path.resolve(folder), environment });
}

/** An open store. Its methods throw UnknownNameError for a name that the connector does not have, and StoreError. */
export class ProjectStore {
  /** The store's file, absolute; undefined for one of a database. */
  readonly file: string | undefined;
  readonly #model: ConnectorModel;
  readonly #store: Store;
  readonly #places: RecordPlaces;
  readonly #history: RunHistory;
  readonly #views: Views;

  /** Made by `openProjectStore`. */
  constructor({
    model,
    store,
    history,
    file,
    secrets,
  }: {
    readonly model: ConnectorModel;
    readonly store: Store;
    /** What runs and actions of the store have asked. */
    readonly history: RunHistory;
    readonly file: string | undefined;
    /** What is masked wherever it stands; undefined if all is to be shown. */
    readonly secrets: readonly string[] | undefined;
  }) {
    this.file = file;
    this.#model = model;
    this.#store = store;
    this.#places = new RecordPlaces(store);
    this.#history = history;
    this.#views = new Views(model, secrets);
  }

  /** The data objects of the connector with this name; all if there is no name. */
  objects(choice: Choice = {}): readonly Pick<DataObjectModel, "name" | "dataPath">[] {
    return chosenObjects(this.#model, choice);
  }

  /** The records of the chosen data objects, in the order of their keys: of each, those that `options` name. */
  async *listRecords({ limit, offset, ...choice }: ListRecordsOptions): AsyncGenerator<RecordView> {
    for (const { dataPath } of chosenObjects(this.#model, choice)) {
      const start = offset === undefined ? {} : await this.#places.startAt(dataPath, offset);
      if (start === undefined) continue;
      for await (const record of this.#store.records.list(dataPath, { limit, ...start })) {
        yield this.#views.record(record);
      }
    }
  }

  /** What the store knows of the chosen data objects, in the order of the connector. */
  async summaries(choice: Choice = {}): Promise<readonly ObjectSummary[]> {
    const summaries: ObjectSummary[] = [];
    const chosen = new Set(chosenObjects(this.#model, choice));
    for (const { id: moduleId, dataObjects } of this.#model.modules) {
      for (const object of dataObjects.filter((candidate) => chosen.has(candidate))) {
        const { name, title, dataPath, readerType } = object;
        const [run] = await this.#store.runs.list(dataPath, 1);
        summaries.push({
          ...{ moduleId, name, title, dataPath, readerType },
          records: await this.#places.count(dataPath),
          rejected: await this.#store.rejected.count(dataPath),
          lastRun: run && this.#views.run(run),
          checkpoint: await this.#store.runs.checkpoint(dataPath),
        });
      }
    }
    return summaries;
  }

  /**
   * One value of a record as it is, sensitive or not; undefined if there is no such value.
   * @throws UnknownNameError if the connector has no such data object
   */
  async revealValue({ object, key, pointer }: RevealOptions): Promise<unknown> {
    return valueAt((await this.#stored(object, key))?.record, pointer);
  }

  /** How many records the cache has of the chosen data objects. */
  async countRecords(choice: Choice = {}): Promise<number> {
    let count = 0;
    for (const { dataPath } of chosenObjects(this.#model, choice)) {
      count += await this.#places.count(dataPath);
    }
    return count;
  }

  /**
   * The records with a key; an alternate one may lead to several.
   * @throws KeyValuesError if `values` are not as many as the key has properties
   */
  async findRecords({ object: name, values, by }: FindRecordsOptions): Promise<readonly RecordView[]> {
    const { records } = this.#store;
    const found: RecordView[] = [];
    for (const { dataPath, keys } of chosenObjects(this.#model, { object: name })) {
      const key = keyNamed(keys, by);
      if (key.propertyNames.length !== values.length) {
        throw new KeyValuesError(`The key "${key.name}" has these values: ${key.propertyNames.join(", ")}.`);
      }
      const text = recordKey(key.name, values);
      const matches = key.isPrimary
        ? [await records.get(dataPath, text)]
        : await records.find(dataPath, text);
      for (const record of matches) if (record !== undefined) found.push(this.#views.record(record));
    }
    return found;
  }

  /** The record with this primary key, such as `id/7`; undefined if there is none. */
  async getRecord({ object, key }: Pick<RevealOptions, "object" | "key">): Promise<RecordView | undefined> {
    const stored = await this.#stored(object, key);
    return stored && this.#views.record(stored);
  }

  /**
   * The change feed behind the sequence number `since`, in order: of the chosen data objects, at most `limit` changes, and
   * of these only the last `tail`.
   */
  async *listChanges({
    since: given,
    limit,
    tail,
    ...choice
  }: ListChangesOptions = {}): AsyncGenerator<ChangeView> {
    const since = given ?? (await this.#store.changes.removedTo());
    const isOfAll = choice.object === undefined && choice.moduleId === undefined;
    const objects = isOfAll
      ? [undefined]
      : chosenObjects(this.#model, choice).map(({ dataPath }) => dataPath);
    const changesAfter = (sequence: number) =>
      inOrder(objects.map((object) => this.#store.changes.since(sequence, { object, limit })));
    const chosen = firstOf(changesAfter(since), limit);
    if (tail === undefined) for await (const change of chosen) yield this.#views.change(change);
    else {
      const last =
        limit === undefined
          ? await lastChanges(changesAfter, {
              tail,
              since,
              end: await this.#store.changes.last(),
            })
          : await lastOf(chosen, tail);
      for (const change of last) yield this.#views.change(change);
    }
  }

  /**
   * A change of the feed with the record after it, which is null if there was none, and the record before it, if that was
   * kept; undefined if there is no such change any more.
   */
  async getChange(sequence: number): Promise<ChangeDetails | undefined> {
    const { changes } = this.#store;
    if (sequence <= (await changes.removedTo())) return undefined;
    let change: Change | undefined;
    let next: Change | undefined;
    for await (const each of changes.since(sequence - 1, { limit: MOST_LOOKED_AT })) {
      if (change === undefined) change = each;
      else if (each.object === change.object && each.key === change.key) {
        next = each;
        break;
      }
    }
    if (change?.sequence !== sequence) return undefined;
    const { record, ...shown } = this.#views.change(change);
    if (change.operation === "delete") return { ...shown, after: null, isNow: false };
    // What the next change of the record found is what this one left.
    if (next === undefined) return { ...shown, after: record, isNow: true };
    const { before } = this.#views.change(next);
    return before === undefined
      ? { ...shown, after: record, isNow: true }
      : { ...shown, after: before, isNow: false };
  }

  /** The kept runs of the chosen data objects, the newest first. */
  async listRuns({
    tail,
    isFailed = false,
    ...choice
  }: Choice & {
    /** Only the latest: how many. @default all that are kept, which is 100 of each data object */
    readonly tail?: number | undefined;
    /** Only those that have ended without success. @default false */
    readonly isFailed?: boolean | undefined;
  } = {}): Promise<readonly RunView[]> {
    const most = tail ?? Number.MAX_SAFE_INTEGER;
    const runs: RunSummary[] = [];
    for (const { dataPath } of chosenObjects(this.#model, choice)) {
      const kept = await this.#store.runs.list(dataPath, isFailed ? Number.MAX_SAFE_INTEGER : most);
      runs.push(...(isFailed ? kept.filter(hasFailed) : kept));
    }
    const newestFirst = runs.sort((left, right) => right.id - left.id);
    return newestFirst.slice(0, most).map((run) => this.#views.run(run));
  }

  /** The run with this number, or undefined if there is none, or none any more. */
  async getRun(id: number): Promise<RunView | undefined> {
    return (await this.listRuns()).find((run) => run.id === id);
  }

  /** The requests and the pages of a run, as far as they are kept. */
  async historyOfRun(run: RunView): Promise<HistoryOfRun> {
    return this.#views.texts(await this.#history.ofRun(run));
  }

  /** The attempts and the requests of an action, as far as they are kept. */
  async historyOfAction(action: Pick<ActionView, "id" | "queuedAt">): Promise<HistoryOfAction> {
    return this.#views.texts(await this.#history.ofAction(action));
  }

  /** The records of the chosen data objects that do not fit their schema. */
  async *listRejected(choice: Choice = {}): AsyncGenerator<RejectedView> {
    for (const { dataPath } of chosenObjects(this.#model, choice)) {
      for await (const rejected of this.#store.rejected.list(dataPath)) yield this.#views.rejected(rejected);
    }
  }

  /** The actions of the queue, oldest first: those of the chosen data objects and of one state, and only the last `tail`. */
  async *listActions({ state, tail, ...choice }: ListActionsOptions = {}): AsyncGenerator<ActionView> {
    const isOfAll = choice.object === undefined && choice.moduleId === undefined;
    // An action of an object that the connector no longer has is still in the queue.
    const wanted = new Set(isOfAll ? [] : chosenObjects(this.#model, choice).map(({ dataPath }) => dataPath));
    const { ledger } = this.#store;
    const chosen = filtered(ledger.list(state), ({ object }) => isOfAll || wanted.has(object));
    const actions = tail === undefined ? chosen : await lastOf(chosen, tail);
    for await (const action of actions) yield this.#views.action(action);
  }

  /** The action with this number, or undefined. */
  async getAction(id: number): Promise<ActionView | undefined> {
    const action = await this.#store.ledger.get(id);
    return action && this.#views.action(action);
  }

  /**
   * Queues an action again that failed, was given up or was cancelled, and lets one that waits for its time be due at
   * once; returns false if it is in another state or unknown.
   */
  async retryAction(id: number): Promise<boolean> {
    return this.#store.source.requeue(id);
  }

  /** Queues every action again that is in `state` now, and returns how many those are. */
  async retryActions(state: ActionState): Promise<number> {
    let count = 0;
    for await (const { id } of this.#store.ledger.list(state)) if (await this.retryAction(id)) count++;
    return count;
  }

  /** Cancels an action that waits; returns false if it is in another state or unknown. */
  async cancelAction(id: number): Promise<boolean> {
    return this.#store.source.cancel(id);
  }

  async #stored(object: string, key: string): Promise<StoredRecord | undefined> {
    for (const { dataPath } of chosenObjects(this.#model, { object })) {
      const stored = await this.#store.records.get(dataPath, key);
      if (stored !== undefined) return stored;
    }
    return undefined;
  }

  /** Closes the store; nothing can be read after that. */
  close(): Promise<void> {
    return this.#store.close();
  }
}

function hasFailed({ state }: RunSummary): boolean {
  return state !== "running" && state !== "succeeded";
}

/** @param end The number of the last change. */
async function lastChanges(
  changesAfter: (sequence: number) => AsyncIterable<Change>,
  { tail, since, end }: { readonly tail: number; readonly since: number; readonly end: number },
): Promise<readonly Change[]> {
  // Backwards in steps that grow: the last changes of most objects are near the end.
  for (let width = Math.max(tail, 1); ; width *= 4) {
    const start = Math.max(since, end - width);
    const last = await lastOf(changesAfter(start), tail);
    if (last.length >= tail || start === since) return last;
  }
}

/** The changes of several feeds by their numbers. */
async function* inOrder(feeds: readonly AsyncIterable<Change>[]): AsyncGenerator<Change> {
  const [only] = feeds;
  if (only !== undefined && feeds.length === 1) return yield* only;
  const iterators = feeds.map((feed) => feed[Symbol.asyncIterator]());
  const heads = await Promise.all(iterators.map((iterator) => iterator.next()));
  for (;;) {
    let next: number | undefined;
    heads.forEach(({ done, value }, index) => {
      if (done !== true && (next === undefined || value.sequence < heads[next]?.value.sequence)) next = index;
    });
    if (next === undefined) return;
    yield heads[next]?.value;
    heads[next] = (await iterators[next]?.next()) ?? { done: true, value: undefined };
  }
}

async function* filtered<Item>(
  items: AsyncIterable<Item>,
  isWanted: (item: Item) => boolean,
): AsyncGenerator<Item> {
  for await (const item of items) if (isWanted(item)) yield item;
}

async function* firstOf<Item>(
  items: AsyncIterable<Item>,
  limit: number = Number.POSITIVE_INFINITY,
): AsyncGenerator<Item> {
  let left = limit;
  if (left > 0)
    for await (const item of items) {
      yield item;
      if (--left <= 0) return;
    }
}

async function lastOf<Item>(items: AsyncIterable<Item>, count: number): Promise<readonly Item[]> {
  const last: Item[] = [];
  for await (const item of items) if (last.push(item) > count) last.shift();
  return last;
}

function keyNamed(keys: readonly KeyModel[], name: string | undefined): KeyModel {
  const key = keys.find((candidate) => (name === undefined ? candidate.isPrimary : candidate.name === name));
  if (key !== undefined) return key;
  const names = keys.map((candidate) => candidate.name);
  throw new UnknownNameError("key", name ?? "primary", names);
}

/** The value at a JSON pointer; undefined if nothing is there. */
function valueAt(record: unknown, pointer: string): unknown {
  return pointerSteps(pointer).reduce<unknown>(
    (value, name) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, name)
        ? (value as Readonly<Record<string, unknown>>)[name]
        : undefined,
    record,
  );
}

type Mask = (value: unknown) => unknown;

interface ObjectMasks {
  readonly key: (key: string) => string;
  readonly record: Mask;
}

/** What the store holds and what readers yield, without the values that must not be shown. */
export class Views {
  readonly #model: ConnectorModel;
  readonly #reveal: boolean;
  readonly #secrets: readonly string[];
  readonly #types: readonly RecordType[];
  readonly #redaction: Redaction;
  readonly #objects = new Map<string, ObjectMasks>();

  constructor(model: ConnectorModel, secrets: readonly string[] | undefined) {
    this.#model = model;
    this.#reveal = secrets === undefined;
    this.#secrets = secrets ?? [];
    this.#types = this.#reveal ? [] : sensitiveTypes(model);
    this.#redaction = this.#newRedaction();
  }

  record({ object, key, sequence, record }: StoredRecord): RecordView {
    const masks = this.#masksOf(object);
    return { object, key: masks.key(key), sequence, record: masks.record(record) };
  }

  change({ sequence, object, key, operation, at, record, before }: Change): ChangeView {
    const masks = this.#masksOf(object);
    return {
      ...{ sequence, object, key: masks.key(key), operation, at },
      record: record === null ? null : masks.record(record),
      ...(before !== undefined && { before: masks.record(before) }),
    };
  }

  /** A value of the tool's own, whose texts may name what has become secret since. */
  texts<Value>(value: Value): Value {
    return this.#reveal ? value : (this.#redaction.json(value) as Value);
  }

  run(run: RunSummary): RunView {
    if (this.#reveal || run.message === null) return run;
    // It came without secrets, but by the schemas of that time.
    return { ...run, message: this.#redaction.text(run.message) };
  }

  readonly previewed = (previewed: PreviewedObject): PreviewedObject => {
    const masks = this.#masksOf(previewed.dataPath);
    const records = previewed.records.map(({ key, record, findings, ...more }) => ({
      ...more,
      findings: this.#reveal ? findings : this.#redaction.findings(findings),
      key: key === null ? null : masks.key(key),
      record: record === undefined ? undefined : masks.record(record),
    }));
    return { ...previewed, records };
  };

  tried(trial: ActionTrial): ActionTrial {
    const changes = trial.changes.map(({ object, operation, key, record }) => {
      const masks = this.#masksOf(object);
      return { object, operation, key: masks.key(key), record: record && (masks.record(record) as object) };
    });
    return { ...trial, changes };
  }

  rejected({ object, operation, key, at, findings, record }: RejectedRecord): RejectedView {
    const masks = this.#masksOf(object);
    return {
      ...{ object, operation, at, findings: this.#reveal ? findings : this.#redaction.findings(findings) },
      key: key === undefined ? null : masks.key(key),
      record: record === null ? null : masks.record(JSON.parse(record)),
    };
  }

  action(entry: ActionEntry): ActionView {
    const { id, object, action, state, attempts, queuedAt, dueAt, inputJson, resultJson } = entry;
    const kept: unknown = resultJson === null ? null : JSON.parse(resultJson);
    const note = noteOf(entry);
    const input: unknown = JSON.parse(inputJson);
    const facts = { id, object, action, state, attempts, queuedAt, dueAt };
    if (this.#reveal) return { ...facts, input, result: kept, note };
    const model = this.#objectAt(object)?.actions.find((candidate) => candidate.urlPart === action);
    const inputSchema = model === undefined ? ALL_HIDDEN : typeOf(model.input).schema;
    // What a handler returns may quote its input.
    const redaction = this.#newRedaction();
    redaction.hide(sensitiveValues(input, inputSchema));
    return {
      ...facts,
      input: redaction.json(input, inputSchema),
      result: resultOf(kept, state, { model, redaction }),
      // A handler's note may hold anything.
      note: note && { stage: note.stage, detail: note.detail === null ? null : HIDDEN },
    };
  }

  #newRedaction(): Redaction {
    const redaction = createRedaction(this.#types);
    redaction.hide(this.#secrets);
    return redaction;
  }

  #masksOf(dataPath: string): ObjectMasks {
    const known = this.#objects.get(dataPath);
    if (known !== undefined) return known;
    const object = this.#objectAt(dataPath);
    const masks = this.#reveal
      ? { key: String, record: (record: unknown) => record }
      : object === undefined
        ? // Nobody knows what records of an object that the connector no longer has hold.
          { key: () => HIDDEN, record: maskAll }
        : masksOfObject(object, this.#redaction);
    this.#objects.set(dataPath, masks);
    return masks;
  }

  #objectAt(dataPath: string): DataObjectModel | undefined {
    return this.#model.modules
      .flatMap(({ dataObjects }) => dataObjects)
      .find((object) => object.dataPath === dataPath);
  }
}

const ALL_HIDDEN = { writeOnly: true };

function maskAll(value: unknown): unknown {
  return value === null ? null : mask(value, ALL_HIDDEN);
}

interface Performed {
  /** Undefined if the connector no longer has the action. */
  readonly model: ActionModel | undefined;
  readonly redaction: Redaction;
}

/** What is kept of the end of an action, or of its last attempt. */
function resultOf(kept: unknown, state: ActionState, { model, redaction }: Performed): unknown {
  if (state === "succeeded" || state === "failed") {
    if (model === undefined) return maskAll(kept);
    return redaction.json(kept, typeOf(state === "succeeded" ? model.output : model.failure).schema);
  }
  // Words of the processor's own, but for what the handler returned: it fits no schema.
  if (!isJsonObject(kept) || !("returned" in kept)) return redaction.json(kept);
  const { returned, ...words } = kept;
  return { ...(redaction.json(words) as object), returned: maskAll(returned) };
}

function masksOfObject(object: DataObjectModel, redaction: Redaction): ObjectMasks {
  const type = recordTypeOf(object);
  return {
    key: keysOf(type)?.maskKey ?? String,
    record: (record) => redaction.json(record, type.schema),
  };
}

/** The data object as the runtime knows it, with serialized names throughout. */
function recordTypeOf({ name, schema, keys }: DataObjectModel): RecordType {
  return {
    ...typeOf(schema),
    name,
    keys: keys.map((key) => ({
      name: key.name,
      isPrimary: key.isPrimary,
      properties: key.propertyNames,
    })),
  };
}

function keysOf(type: RecordType): RecordKeys | undefined {
  return type.keys?.some(({ isPrimary }) => isPrimary) === true ? recordKeys(type) : undefined;
}
