/** Runs what a recording is of, on a store of its own, and says in digests what came of it. */
import { createHash } from "node:crypto";
import { isJsonObject } from "../../../schemas/json.js";
import type { SyncResult, SyncSettings } from "../../cache-writer/sync-options.js";
import type * as Host from "../../host/index.js";
import { oneAtATime } from "../../one-at-a-time.js";
import type { ClientHost, ConnectionContainer } from "../../registration/connection-contracts.js";
import type { Log, ReaderContext, StopSignal } from "../../registration/contracts.js";
import type { Transport } from "../../registration/http-messages.js";
import type { AnyService, ConnectorRegistration } from "../../registration/registration.js";
import type { StartedConnector, StartedObject } from "../../registration/started.js";
import type { Store } from "../../store/store.js";
import { withoutIndexes } from "../../validation/finding.js";
import type { RestartableClock } from "./fixed-time.js";
import {
  type RecordedCache,
  type RecordedRun,
  type RecordedSubject,
  type Recording,
  RecordingError,
} from "./recording.js";
import { withSortedMembers } from "./sorted-members.js";

/** What a connector is run with, beside its answers. */
export interface SubjectRun {
  readonly registration: ConnectorRegistration;
  readonly subject: RecordedSubject;
  readonly connection: ConnectionContainer;
  readonly settings: Recording["settings"];
  readonly limit: number | null;
  /** How the cache is written. */
  readonly sync?: SyncSettings | undefined;
  readonly clock: RestartableClock;
  readonly host: Pick<ClientHost, "environment" | "saveProperties" | "lockProperties"> & {
    readonly transport: Transport;
  };
  readonly signal: StopSignal;
  /** Called before each run: its answers come next. */
  readonly begin: (run: string) => void;
  /** Called after each run. */
  readonly end?: ((run: string) => void) | undefined;
  /** Called with each record that a reader yields, in serialized form or as an instance. */
  readonly onRecord?: ((record: unknown) => void) | undefined;
  /** Whether each run is made twice, with the same answers: the second time nothing may change. */
  readonly isRepeated: boolean;
}

/** What came of it. */
export interface SubjectResult {
  readonly runs: readonly RecordedRun[];
  /** Why a run did not succeed; without secrets. */
  readonly messages: readonly string[];
  /** What a second run with the same answers has changed, a sentence each. */
  readonly changedAgain: readonly string[];
}

const SILENT: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/**
 * @throws StartError or ConnectionError if the connector does not start with these settings; RecordingError if its calls do
 * not go through the transport.
 */
export async function runSubject(options: SubjectRun): Promise<SubjectResult> {
  const { registration, subject, settings, connection, host, clock, signal } = options;
  // Loaded here: who only wants records or a fake needs neither log nor store.
  const hosting: typeof Host = await import("../../host/index.js");
  const connector = hosting.startConnector(registration, { ...(settings as Host.StartOptions), log: SILENT });
  let isInUse = false;
  const transport: Transport = (next) => {
    isInUse = true;
    return host.transport(next);
  };
  const services = hosting.connect(connector, connection, { ...host, transport, clock, signal });
  if (!isInUse) throw new RecordingError("its API client does not go through ClientHost.transport");
  const started: Started = { ...options, hosting, connector, services };
  return subject.action === undefined ? runReader(started) : runAction(started, subject.action);
}

interface Started extends SubjectRun {
  readonly hosting: typeof Host;
  readonly connector: StartedConnector;
  readonly services: Host.ConnectedServices<unknown>;
}

async function runReader(started: Started): Promise<SubjectResult> {
  const { hosting, subject } = started;
  const object = objectOf(started);
  const store = await hosting.openSqliteStore({ file: ":memory:" });
  try {
    const first = await readOnce(started, object, { run: "first", store, checkpoint: null });
    const results = [first];
    const { checkpoint } = first.recorded;
    if (
      object.readerType === "incremental" &&
      typeof checkpoint === "string" &&
      first.recorded.outcome === "succeeded"
    )
      results.push(await readOnce(started, object, { run: "next", store, checkpoint }));
    return {
      runs: results.map(({ recorded }) => recorded),
      messages: results.flatMap(({ message }) => (message === null ? [] : [message])),
      changedAgain: results.flatMap(({ changedAgain }) => changedAgain),
    };
  } finally {
    await store.close();
  }

  function objectOf({ connector }: Started): StartedObject {
    const found = connector.modules
      .flatMap(({ cacheWriter }) => cacheWriter.dataObjects)
      .find(({ dataPath }) => dataPath === subject.object);
    if (found === undefined) throw new RangeError(`The connector has no data object ${subject.object}.`);
    return found;
  }
}

interface ReadRun {
  readonly run: string;
  readonly store: Store;
  readonly checkpoint: string | null;
}

async function readOnce(started: Started, object: StartedObject, { run, store, checkpoint }: ReadRun) {
  const saved: { checkpoint: string | null } = { checkpoint: null };
  const read = async (from: string | null | undefined) => {
    begin(started, run);
    const limited = limitedObject(object, { started, saved, checkpoint: from });
    const { hosting, services, sync = {}, signal } = started;
    return hosting.syncObject(limited, { ...sync, ...services, store, log: SILENT, signal });
  };
  const result = await read(undefined);
  started.end?.(run);
  const recorded: RecordedRun = {
    run,
    outcome: result.outcome,
    counts: countsOf(result),
    rejected: await rejectedOf(store, object.dataPath),
    checkpoint: saved.checkpoint,
    cache: await cacheOf(store, object.dataPath),
  };
  const again = started.isRepeated && result.outcome === "succeeded" ? await read(checkpoint) : undefined;
  return { recorded, message: result.message, changedAgain: again === undefined ? [] : changesWords(again) };
}

/** Each run has the same time and the same random numbers, so that it can be made again. */
function begin({ clock, ...started }: Started, run: string): void {
  clock.restart();
  started.begin(run);
}

function countsOf({ unchanged, inserted, updated, deleted, rejected }: SyncResult) {
  return { unchanged, inserted, updated, deleted, rejected };
}

function changesWords({ outcome, message, inserted, updated, deleted }: SyncResult): readonly string[] {
  if (outcome !== "succeeded")
    return [`read again with the same answers, it ended as ${outcome}: ${message}`];
  const counts = Object.entries({ inserted, updated, deleted }).filter(([, count]) => count > 0);
  if (counts.length === 0) return [];
  const words = counts.map(([name, count]) => `${count} ${name}`).join(", ");
  return [`read again with the same answers, it changed the cache: ${words}`];
}

/** The object with a reader that ends after so many records, and that asks for nothing ahead. */
function limitedObject(
  object: StartedObject,
  {
    started: { limit, onRecord },
    saved,
    checkpoint,
  }: {
    readonly started: Started;
    readonly saved: { checkpoint: string | null };
    readonly checkpoint: string | null | undefined;
  },
): StartedObject {
  const { reader } = object;
  const limited = async function* (given: ReaderContext<unknown, AnyService>) {
    const context = {
      ...given,
      ...(checkpoint !== undefined && { checkpoint }),
      // A run that goes on somewhere in the middle asks for less than was recorded.
      resumePoint: null,
      saveResumePoint: () => {},
      saveCheckpoint: (text: string) => {
        saved.checkpoint = String(text);
        given.saveCheckpoint(text);
      },
    };
    let count = 0;
    for await (const item of reader(oneAtATime(context) as never)) {
      onRecord?.(isJsonObject(item) && object.readerType === "incremental" ? item["record"] : item);
      yield item;
      if (limit !== null && ++count >= limit) return;
    }
  };
  return {
    ...object,
    reader: Object.assign(limited, { full: (reader as { full?: unknown }).full }),
  } as StartedObject;
}

async function rejectedOf(store: Store, object: string): Promise<Readonly<Record<string, number>>> {
  const counts = new Map<string, number>();
  for await (const { findings } of store.rejected.list(object)) {
    for (const { instancePath, keyword } of findings) {
      const place = `${withoutIndexes(instancePath)} ${keyword}`;
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function cacheOf(store: Store, object: string): Promise<RecordedCache> {
  const keys = createHash("sha256");
  const properties = new Map<string, ReturnType<typeof createHash>>();
  let records = 0;
  for await (const { key, record } of store.records.list(object)) {
    records++;
    keys.update(JSON.stringify(key));
    for (const [name, value] of Object.entries(Object(record))) {
      const digest = properties.get(name) ?? createHash("sha256");
      properties.set(name, digest.update(JSON.stringify([key, withSortedMembers(value)])));
    }
  }
  const ended = [...properties].map(([name, digest]) => [name, shortDigest(digest)] as const);
  return {
    records,
    keys: shortDigest(keys),
    properties: Object.fromEntries(ended.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function shortDigest(digest: ReturnType<typeof createHash>): string {
  return digest.digest("base64url").slice(0, 22);
}

async function runAction(started: Started, action: string): Promise<SubjectResult> {
  const { hosting, connector, services, subject, signal } = started;
  begin(started, "action");
  const options = { ...services, log: SILENT, signal };
  const tried = await hosting.tryAction(
    connector.modules,
    { object: subject.object, action, input: subject.input },
    options,
  );
  started.end?.("action");
  const changes = tried.changes.map(({ object, operation, key, record }) => {
    const digest = shortDigest(createHash("sha256").update(JSON.stringify(withSortedMembers(record))));
    return `${operation} ${object} ${key} ${digest}`;
  });
  const findings = tried.findings.map(({ message }) => message);
  return {
    runs: [{ run: "action", outcome: tried.outcome, result: tried.result, changes }],
    messages: tried.message === null ? findings : [tried.message, ...findings],
    changedAgain: [],
  };
}
