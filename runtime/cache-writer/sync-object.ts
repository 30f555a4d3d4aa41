/** Runs of the cache writer: read, prepare, commit page by page, and delete at the end what a full read did not meet. */
import { isJsonObject } from "../../schemas/json.js";
import { durationMs } from "../duration.js";
import { type Redaction, redactedErrorMessage, serviceRedaction } from "../log/redaction.js";
import { requestsByPosition } from "../read-by-position.js";
import { sensitiveValues } from "../records/masking.js";
import { serializedForm } from "../records/serialized-form.js";
import type { ReaderContext, RecordChange, StopSignal } from "../registration/contracts.js";
import type { AnyService, RegisteredObject } from "../registration/registration.js";
import { type ServiceSettings, type StartedObject, settingsFor } from "../registration/started.js";
import { isFullReadDue, NO_COUNTS } from "../store/run-progress.js";
import {
  type AlternateKeyWrite,
  type NotReadCount,
  type RecordWrite,
  type Run,
  type RunKind,
  type SharedKey,
  type Store,
  storeProblemOf,
} from "../store/store.js";
import { errorChain, safeGet } from "../untrusted.js";
import { BatchWriter } from "./batch-writer.js";
import { excessOfDeletes } from "./delete-guard.js";
import { countUnfit, type FitResult, takeOutUnfit } from "./fit-cache.js";
import { inexactPaths } from "./inexact-numbers.js";
import {
  type PreparedRecord,
  type RecordPreparer,
  recordPreparer,
  schemaVersionOf,
} from "./prepare-record.js";
import type {
  CacheWriterOptions,
  DeleteGuard,
  RejectedLimit,
  SyncOptions,
  SyncOutcome,
  SyncResult,
} from "./sync-options.js";

const PAGE_SIZE = 1_000;
const RESUME_WITHIN_MS = 24 * 60 * 60 * 1_000;
const MAX_SHARED_KEYS = 20;
const MAX_BLANK_KEYS = 20;
const MAX_INEXACT_NUMBERS = 20;
const MAX_REJECTED_SHARE = 0.5;
/** One bad change among few says nothing of the reader; without a checkpoint the changes are all there is. */
const ALWAYS_REJECTED = 10;
const MAX_MESSAGE_LENGTH = 500;
/** What a reader throws speaks of a record that it has yielded not long ago. */
const RECENT_RECORDS = 100;

/** The run was told to stop. */
export class StoppedError extends Error {
  override readonly name = "StoppedError";
  /** The next run resumes from the last resume point, or starts over. */
  readonly retry = "later";

  constructor(object: string) {
    super(`${object}: the run was stopped. The next run resumes from its last resume point, or starts over.`);
  }
}

/** What ended a run: StoppedError if a call of the reader ended because the run was told to stop, else `error`. */
export function endingError(error: unknown, object: string, { aborted, reason }: StopSignal): unknown {
  if (!aborted) return error;
  const isStop = [...errorChain(error)].some(
    (cause) => cause === reason || safeGet(cause, "name") === "AbortError",
  );
  return isStop ? new StoppedError(object) : error;
}

const LIMIT_WORDS =
  "rejectedLimit (connectorcli.run.cacheWriter in package.json) says how many may be rejected, --max-rejected says it for one run.";

/** More records were rejected than the run may have. */
export class RejectedLimitError extends Error {
  override readonly name = "RejectedLimitError";
  /** The same records are rejected again until the schema or the reader is mended. */
  readonly retry = "never";

  constructor(object: string, count: number, limit: string) {
    const what = count === 1 ? "1 record does not fit" : `${count} records do not fit`;
    super(
      `${object}: ${what} the schema, ${limit}. Look at what was rejected, and mend the schema or the reader. ${LIMIT_WORDS}`,
    );
  }
}

/**
 * Syncs every object that is switched on, one after the other, and returns their results in this order. An object that
 * fails does not keep the others from running; after a stop the rest is left out.
 * @example
 * const store = await openSqliteStore({ file: "cache.db" });
 * const services = connect(connector, container, { signal });
 * const run = { store, ...services, log: connector.log, signal };
 * for (const { cacheWriter } of connector.modules) {
 *   for (const { object, outcome, message } of await runCacheWriter(cacheWriter.dataObjects, run)) {
 *     connector.log.info(`${object}: ${outcome}`, { message });
 *   }
 * }
 */
export async function runCacheWriter<Client>(
  objects: readonly StartedObject<Client>[],
  options: CacheWriterOptions<Client>,
): Promise<readonly SyncResult[]> {
  const { settings = {}, ...shared } = options;
  const results: SyncResult[] = [];
  for (const object of objects) {
    if (!object.uploadObject || options.signal.aborted) continue;
    const own = Object.hasOwn(settings, object.dataPath) ? settings[object.dataPath] : undefined;
    results.push(await syncObject(object, { ...shared, ...own }));
  }
  return results;
}

/**
 * Brings the cache of one object to what its reader yields. Never throws for what the reader, the target system or the
 * store does: the result says how the run ended. Take the object from the started connector: one that was only
 * registered knows no settings, and its reader gets empty ones.
 */
export async function syncObject<Client>(
  object: SyncedObject<Client>,
  options: SyncOptions<Client>,
): Promise<SyncResult> {
  const { store, volatile, onProgress, resume = true, resumeWithinMs = RESUME_WITHIN_MS } = options;
  const { name, dataPath } = object;
  const redaction = redactionOf(object, options);
  const nothing = {
    read: 0,
    pages: 0,
    resumed: false,
    secondLook: false,
    withheldDeletes: 0,
    noLongerFit: 0,
    ...NOTHING_NOTICED,
    ...NO_COUNTS,
  };
  try {
    if (options.identity !== undefined) await store.bind(options.identity);
    const preparer = recordPreparer(object.record, { volatile });
    const { alternateKeysVersion } = preparer.keys;
    const kind = await kindOfRun(object, store);
    const run = await store.runs.start({
      ...{ object: dataPath, kind, resume, resumeWithinMs },
      ...{ alternateKeysVersion, schemaVersion: schemaVersionOf(object.record) },
    });
    if (run === undefined) {
      const message = `${name}: another run of it is under way.`;
      return { object: name, dataPath, ...nothing, outcome: "busy", message };
    }
    const onCommit = () => {
      onProgress?.({ object: name, read: sync.read, pages: writer.pages, ...writer.counts });
    };
    const writer: BatchWriter = new BatchWriter(run, { pageSize: options.pageSize ?? PAGE_SIZE, onCommit });
    const sync: Sync<Client> = {
      object,
      options,
      preparer,
      kind,
      run,
      writer,
      read: 0,
      retriedInVain: 0,
      secondLook: false,
      blankKeys: new Set(),
      inexactNumbers: new Set(),
      redaction,
      recent: [],
    };
    const ending = await runToEnd(sync);
    const sharedKeys = ending.outcome === "failed" ? [] : await findSharedKeys(sync);
    const { read } = sync;
    const resumed = run.resumePoint !== null;
    const repeatedKeys = run.repeatedKeys.map(preparer.keys.maskKey);
    const blankKeys = [...sync.blankKeys].map(preparer.keys.maskKey);
    const inexactNumbers = [...sync.inexactNumbers];
    const { secondLook } = sync;
    const facts = { object: name, dataPath, read, pages: writer.pages, resumed, secondLook };
    const noticed = { sharedKeys, repeatedKeys, blankKeys, inexactNumbers };
    return { ...facts, ...noticed, ...writer.counts, withheldDeletes: 0, noLongerFit: 0, ...ending };
  } catch (error) {
    const message = redactedMessage(error, { object, redaction, recent: [] });
    return { object: name, dataPath, ...nothing, outcome: "failed", message, error };
  }
}

/** An object as it was registered, or as it was started. */
export type SyncedObject<Client> = RegisteredObject<Client> & Partial<ServiceSettings>;

/**
 * Whether a run reads everything. A full read of an incremental reader stays due until one has succeeded, so that the run
 * after one that was interrupted goes on with it.
 */
async function kindOfRun<Client>(object: SyncedObject<Client>, store: Store): Promise<RunKind> {
  if (object.readerType === "full" || object.reader.full === undefined) return object.readerType;
  const everyMs = durationMs(String(object.reader.full.every));
  if (everyMs === undefined)
    throw new TypeError(
      `${object.name}: full.every of its reader is an ISO 8601 duration, such as "P7D" or "PT12H".`,
    );
  const isDue = isFullReadDue(await store.runs.fullyReadAt(object.dataPath), everyMs);
  return isDue ? "full" : "incremental";
}

const NOTHING_NOTICED = { sharedKeys: [], repeatedKeys: [], blankKeys: [], inexactNumbers: [] };

/** What the steps of a run share. */
interface Sync<Client> {
  readonly object: SyncedObject<Client>;
  readonly options: SyncOptions<Client>;
  readonly preparer: RecordPreparer;
  /** Whether everything is read: always for a full reader, at times for an incremental one. */
  readonly kind: RunKind;
  readonly run: Run;
  readonly writer: BatchWriter;
  /** Records that the reader has yielded. */
  read: number;
  /** Whether the list was read again before anything was deleted. */
  secondLook: boolean;
  /** Records of earlier runs that were rejected once more; of a run that was resumed, all of its earlier parts. */
  retriedInVain: number;
  /** Primary keys with a blank value in them, as far as they are named. */
  readonly blankKeys: Set<string>;
  /** Paths of numbers that may have lost digits, as far as they are named. */
  readonly inexactNumbers: Set<string>;
  /** Hides the secrets of the connection and of all settings. */
  readonly redaction: Redaction;
  /** The records that the reader yielded last. */
  readonly recent: unknown[];
}

interface Ending {
  readonly outcome: SyncOutcome;
  readonly message: string | null;
  readonly error?: unknown;
  readonly withheldDeletes?: number;
  readonly noLongerFit?: number;
}

/** Runs to one of the ends, which is kept in the store as far as the store allows. */
async function runToEnd<Client>(sync: Sync<Client>): Promise<Ending> {
  const { run, writer } = sync;
  try {
    if (run.needsIndexing) await indexAlternateKeys(sync);
    const before = requestsByPosition();
    await readAll(sync);
    const isByPosition = requestsByPosition() > before;
    const notRead = sync.kind === "full" ? await deleteNotRead(sync, { isByPosition }) : undefined;
    if (notRead !== undefined) {
      writer.counts = await run.end("needs-approval", notRead.message);
      return { outcome: "needs-approval", ...notRead, noLongerFit: await countNoLongerFit(sync) };
    }
    const { noLongerFit, reason } = await takeOutNoLongerFit(sync);
    if (reason !== undefined) {
      const message = `${sync.object.name}: ${reason} They were left as they are.`;
      writer.counts = await run.end("needs-approval", message);
      return { outcome: "needs-approval", message, withheldDeletes: noLongerFit, noLongerFit };
    }
    writer.counts = await run.end("succeeded");
    return { outcome: "succeeded", message: null, noLongerFit };
  } catch (thrown) {
    const error = endingError(thrown, sync.object.name, sync.options.signal);
    const message = redactedMessage(error, sync);
    let noLongerFit = 0;
    try {
      // Records that were read before the failure are none the worse for it.
      if (storeProblemOf(error) === undefined) {
        await writer.flush();
        noLongerFit = await countNoLongerFit(sync);
      }
    } finally {
      await run.end("failed", message).catch(() => undefined);
    }
    return { outcome: "failed", message, error, noLongerFit };
  }
}

/** Cached records that do not fit the schema, if that has changed since they were written. */
async function countNoLongerFit<Client>({
  object: { dataPath },
  options: { store },
  preparer,
  redaction,
  run,
}: Sync<Client>): Promise<number> {
  return run.needsValidation ? countUnfit({ store, dataPath, preparer, redaction }) : 0;
}

/** Takes these records out, or says why the guard withholds that. */
async function takeOutNoLongerFit<Client>({
  object: { dataPath },
  options: { store, guard, approveDeletes },
  preparer,
  redaction,
  run,
  writer,
}: Sync<Client>): Promise<Pick<FitResult, "noLongerFit" | "reason">> {
  if (!run.needsValidation) return { noLongerFit: 0, reason: undefined };
  const result = await takeOutUnfit({
    ...{ store, run, dataPath, preparer, redaction },
    ...{ guard, approveDeletes },
  });
  writer.counts = result.counts;
  return result;
}

/** Makes the index of alternate keys anew: the schema declares other ones than when the records were written. */
async function indexAlternateKeys<Client>({ object, options, preparer, run }: Sync<Client>): Promise<void> {
  let page: AlternateKeyWrite[] = [];
  for await (const { key, sequence, record } of options.store.records.list(object.dataPath)) {
    page.push({ key, sequence, alternateKeys: preparer.keys.alternateKeys(record) ?? [] });
    if (page.length < PAGE_SIZE) continue;
    await run.indexAlternateKeys(page, false);
    page = [];
  }
  await run.indexAlternateKeys(page, true);
}

async function readAll<Client>(sync: Sync<Client>): Promise<void> {
  const { object, options, run, writer, preparer, redaction } = sync;
  const { maxCount = Infinity } = options.rejectedLimit ?? {};
  if (sync.kind === "incremental") {
    if (run.resumePoint === null) await retryRejected(sync);
    // Which of them an earlier part has tried again, nobody knows any more.
    sync.retriedInVain = writer.counts.rejected;
  }
  for await (const item of object.reader(contextOfRun(sync))) {
    if (options.signal.aborted) throw new StoppedError(object.name);
    sync.read++;
    const change = toRecordChange(object, item);
    noteRecent(sync, change.record);
    const prepared = preparer.prepare(change, redaction);
    if ("write" in prepared) {
      noteBlankKey(sync, prepared.write.key);
      if (prepared.isInexact === true) noteInexactNumbers(sync, prepared.write);
    }
    const committed = writer.add(prepared);
    if (committed !== undefined) await committed;
    if (writer.counts.rejected > maxCount) checkRejected(sync);
  }
  // A reader that ends because it was told to stop has not read everything.
  if (options.signal.aborted) throw new StoppedError(object.name);
  await writer.flush();
  checkRejected(sync);
}

export function noteRecent({ recent }: Pick<Sync<unknown>, "recent">, record: unknown): void {
  recent.push(record);
  if (recent.length > RECENT_RECORDS) recent.shift();
}

function noteBlankKey<Client>({ blankKeys }: Sync<Client>, key: string): void {
  if (blankKeys.size < MAX_BLANK_KEYS && BLANK_VALUE.test(key)) blankKeys.add(key);
}

/** Most often a value that is missing in truth: all records without it would share one key. */
const BLANK_VALUE = /\/\s*(?:\/|$)/;

function noteInexactNumbers<Client>({ inexactNumbers }: Sync<Client>, write: RecordWrite): void {
  if (write.operation === "delete" || inexactNumbers.size >= MAX_INEXACT_NUMBERS) return;
  const room = MAX_INEXACT_NUMBERS - inexactNumbers.size;
  const found = inexactPaths(write.record).filter((path) => !inexactNumbers.has(path));
  for (const path of found.slice(0, room)) inexactNumbers.add(path);
}

/** @throws RejectedLimitError if more records were rejected than the options allow. */
function checkRejected<Client>(sync: Sync<Client>): void {
  const { object, options, run, writer } = sync;
  const { maxCount = Infinity, maxShare = MAX_REJECTED_SHARE }: RejectedLimit = options.rejectedLimit ?? {};
  const { unchanged, inserted, updated, deleted, rejected } = writer.counts;
  const total = unchanged + inserted + updated + deleted + rejected;
  if (rejected > maxCount) throw new RejectedLimitError(object.name, rejected, `more than ${maxCount}`);
  const newlyRejected = rejected - sync.retriedInVain;
  const read = total - sync.retriedInVain;
  if (newlyRejected <= read * maxShare) return;
  const isDefault = options.rejectedLimit?.maxShare === undefined;
  const goesOn = sync.kind === "incremental" && run.checkpoint !== null;
  if (isDefault && goesOn && newlyRejected <= ALWAYS_REJECTED) return;
  throw new RejectedLimitError(object.name, newlyRejected, `more than ${maxShare * 100} % of ${read}`);
}

function contextOfRun<Client>(sync: Sync<Client>): ReaderContext<Client, AnyService> {
  const { checkpoint, resumePoint } = sync.run;
  const run = { checkpoint: sync.kind === "full" ? null : checkpoint, resumePoint };
  return contextOf({ ...sync, run });
}

/** What a reader is given: what comes from a run, and where it saves. */
export function contextOf<Client>({
  object,
  options,
  run,
  writer,
}: Pick<Sync<Client>, "object"> & {
  readonly options: Pick<SyncOptions<Client>, "client" | "connection" | "log" | "signal">;
  readonly run: Pick<Run, "checkpoint" | "resumePoint">;
  readonly writer: Pick<BatchWriter, "setCheckpoint" | "setResumePoint">;
}): ReaderContext<Client, AnyService> {
  const { client, connection, log, signal } = options;
  const isFull = object.readerType === "full";
  const context: ReaderContext<Client> = {
    client,
    connection,
    ...settingsFor(object),
    log,
    signal,
    checkpoint: run.checkpoint,
    resumePoint: run.resumePoint,
    saveCheckpoint: (checkpoint) => {
      if (isFull) throw new Error(`${object.name}: a full reader has no checkpoint.`);
      writer.setCheckpoint(String(checkpoint));
    },
    saveResumePoint: (resumePoint) => writer.setResumePoint(String(resumePoint)),
  };
  return context as ReaderContext<Client, AnyService>;
}

/** An incremental reader does not yield again what was rejected: it is taken from where it was kept. */
async function retryRejected<Client>({ run, writer, preparer, redaction }: Sync<Client>): Promise<void> {
  for await (const { operation, record, identity } of run.previouslyRejected()) {
    if (record === null) continue;
    await writer.add(preparer.prepare({ operation, record: JSON.parse(record) }, redaction), identity);
  }
  await writer.flush();
}

/** @throws Error if an incremental reader yields something else than a change. */
export function toRecordChange<Client>(
  { name, readerType }: RegisteredObject<Client>,
  item: unknown,
): RecordChange<unknown> {
  if (readerType === "full") return { operation: "upsert", record: item };
  if (isJsonObject(item)) {
    const { operation, record } = item;
    if (operation === "upsert" || operation === "delete") return { operation, record };
  }
  throw new Error(`${name}: an incremental reader yields { operation: "upsert" or "delete", record }.`);
}

interface Withheld {
  readonly message: string;
  readonly withheldDeletes: number;
}

/**
 * Deletes what was not read again; returns why not if the guard withholds it. A list that was read by position is read
 * again before: what was not read the first time may have moved past the reader.
 */
async function deleteNotRead<Client>(
  sync: Sync<Client>,
  { isByPosition }: { readonly isByPosition: boolean },
): Promise<Withheld | undefined> {
  const { run, writer } = sync;
  let count = await run.countNotRead();
  if (count.notRead > 0 && isByPosition && withheldDeletes(sync, count) === undefined) {
    await lookAgain(sync);
    count = await run.countNotRead();
  }
  if (count.notRead === 0) return undefined;
  const withheld = withheldDeletes(sync, count);
  if (withheld === undefined) writer.counts = await run.deleteNotRead();
  return withheld;
}

/** Reads the list again, for what the first read has not met: only that is written and counted. */
async function lookAgain<Client>(sync: Sync<Client>): Promise<void> {
  const { object, options, writer, run, preparer, redaction } = sync;
  sync.secondLook = true;
  let page: PreparedRecord[] = [];
  const addNotMet = async () => {
    const notMet = await run.notMet(page.map(identityOf));
    for (const prepared of page) if (notMet.has(identityOf(prepared))) await writer.add(prepared);
    page = [];
  };
  // The checkpoint stays that of the first read: what has changed since is written by the next run.
  const saved = { saveResumePoint: () => undefined, saveCheckpoint: () => undefined };
  const context = { ...contextOfRun(sync), resumePoint: null, ...saved };
  for await (const item of object.reader(context)) {
    if (options.signal.aborted) throw new StoppedError(object.name);
    const change = toRecordChange(object, item);
    noteRecent(sync, change.record);
    page.push(preparer.prepare(change, redaction));
    if (page.length >= (options.pageSize ?? PAGE_SIZE)) await addNotMet();
  }
  if (options.signal.aborted) throw new StoppedError(object.name);
  await addNotMet();
  await writer.flush();
  checkRejected(sync);
}

function identityOf(prepared: PreparedRecord): string {
  return "write" in prepared ? prepared.write.key : prepared.rejected.identity;
}

/** Why the guard withholds these deletes; undefined if it does not. */
function withheldDeletes<Client>(
  { writer, options, object }: Sync<Client>,
  count: NotReadCount,
): Withheld | undefined {
  if (options.approveDeletes === true) return undefined;
  const { unchanged, inserted, updated, rejected } = writer.counts;
  const isNothingValid = unchanged + inserted + updated === 0;
  const reason = isNothingValid ? nothingValidReason(count, rejected) : approvalReason(count, options.guard);
  if (reason === undefined) return undefined;
  return { message: `${object.name}: ${reason} Nothing was deleted.`, withheldDeletes: count.notRead };
}

/** Why these deletes need approval, in a sentence; undefined if they do not. */
function approvalReason(
  { notRead, cached, unidentified }: NotReadCount,
  guard: DeleteGuard | undefined,
): string | undefined {
  const what = notReadWords(notRead, cached);
  if (unidentified > 0) {
    const others = unidentified === 1 ? "1 record was" : `${unidentified} records were`;
    return `${what}, but ${others} rejected without a valid key, and may be among them.`;
  }
  const excess = excessOfDeletes(notRead, cached, guard);
  return excess === undefined ? undefined : `${what}: ${excess}.`;
}

/** Why nothing is deleted unasked after a read without one valid record. */
function nothingValidReason({ notRead, cached }: NotReadCount, rejected: number): string {
  const why =
    rejected === 0 ? "the reader yielded nothing" : "none of the records that the reader yielded is valid";
  return `${notReadWords(notRead, cached)}: ${why}.`;
}

function notReadWords(notRead: number, cached: number): string {
  return `${notRead} of ${cached} records were not read again`;
}

async function findSharedKeys<Client>({
  object,
  options,
  preparer,
}: Sync<Client>): Promise<readonly SharedKey[]> {
  const { maskKey } = preparer.keys;
  const shared = await options.store.records.sharedKeys(object.dataPath, MAX_SHARED_KEYS);
  return shared.map(({ alternateKey, keys }) => ({
    alternateKey: maskKey(alternateKey),
    keys: keys.map((key) => maskKey(key)),
  }));
}

/** Knows what no message of a run may show: secrets of the connection and of the settings, and all that the log hides. */
export function redactionOf<Client>(
  { record, registrationConfiguration, serviceConfiguration }: SyncedObject<Client>,
  { connection, log }: Pick<SyncOptions<Client>, "connection" | "log">,
): Redaction {
  const settings = [connection, registrationConfiguration, serviceConfiguration];
  const secrets = settings.flatMap((instance) => sensitiveValues(instance, true));
  return serviceRedaction({ schemas: [record], secrets, log });
}

/**
 * What a reader throws may quote a record or the connection: write-only members are hidden, and so are such values of the
 * connection, of the settings and of the records that were yielded last.
 */
export function redactedMessage<Client>(
  error: unknown,
  { object: { record }, redaction, recent }: Pick<Sync<Client>, "object" | "redaction" | "recent">,
): string {
  for (const yielded of recent) redaction.hideIn(serializedForm(record, yielded), record.schema);
  return redactedErrorMessage(error, redaction).slice(0, MAX_MESSAGE_LENGTH).toWellFormed();
}
