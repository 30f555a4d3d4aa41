/** One run of the cache writer for one data object: read, prepare, commit page by page, delete at the end. */
import { createRedaction } from "../host/log/redaction.js";
import { messageOf } from "../host/unsure.js";
import { sensitiveValues } from "../records/masked.js";
import type { ReaderContext } from "../registration/contracts.js";
import type { Run } from "../store/runs.js";
import { isObject } from "../validation/values.js";
import { needsApproval } from "./guard.js";
import { Pages } from "./pages.js";
import { type GivenRecord, type RecordPreparer, recordPreparer, serialized } from "./prepare-record.js";
import { rejectedTooMany, StoppedError } from "./sync-errors.js";
import type { SyncedObject, SyncOptions, SyncOutcome, SyncResult } from "./sync-options.js";

const PAGE_SIZE = 1_000;
const RESUME_WITHIN_MS = 24 * 60 * 60 * 1_000;
const SHARED_KEYS_SHOWN = 20;
const LONGEST_MESSAGE = 500;

/** What the parts of a run share. */
interface Sync<Client> {
  readonly object: SyncedObject<Client>;
  readonly options: SyncOptions<Client>;
  readonly preparer: RecordPreparer;
  readonly run: Run;
  readonly pages: Pages;
}

interface Ending {
  readonly outcome: SyncOutcome;
  readonly message: string | null;
  readonly error?: unknown;
  readonly held: number;
}

/**
 * Brings the cache of one object to what its reader yields. Never throws for what the reader, the target system or the
 * store does: the result says how it ended.
 */
export async function syncObject<Client>(
  object: SyncedObject<Client>,
  options: SyncOptions<Client>,
): Promise<SyncResult> {
  const { store, volatile, onProgress, resume = true, resumeWithinMs = RESUME_WITHIN_MS } = options;
  const facts = { object: object.name, dataPath: object.dataPath, read: 0, pages: 0, resumed: false };
  const counts = { unchanged: 0, inserted: 0, updated: 0, deleted: 0, rejected: 0, sharedKeys: [] };
  try {
    const preparer = recordPreparer(object.record, { volatile });
    const run = await store.runs.start({
      object: object.dataPath,
      kind: object.readerType,
      alternateKeys: preparer.keys.alternates,
      alternateKeysVersion: preparer.keys.alternatesVersion,
      resume,
      resumeWithinMs,
    });
    if (run === undefined) {
      const message = `${object.name}: another run of it is under way.`;
      return { ...facts, ...counts, outcome: "busy", message, held: 0 };
    }
    const onCommit = () => {
      onProgress?.({ object: object.name, read: pages.read, pages: pages.pages, ...pages.counts });
    };
    const pages: Pages = new Pages(run, { size: options.pageSize ?? PAGE_SIZE, onCommit });
    const sync = { object, options, preparer, run, pages };
    const ending = await performed(sync);
    const sharedKeys = ending.outcome === "failed" ? [] : await sharedKeysOf(sync);
    const { read, pages: count } = pages;
    const resumed = run.resumePoint !== null;
    return { ...facts, ...pages.counts, read, pages: count, resumed, sharedKeys, ...ending };
  } catch (error) {
    return { ...facts, ...counts, outcome: "failed", message: wordsOf(error, object), error, held: 0 };
  }
}

/** Runs to one of the ends, which is kept in the store as far as the store allows. */
async function performed<Client>(sync: Sync<Client>): Promise<Ending> {
  const { run, pages } = sync;
  try {
    await readAll(sync);
    const held = sync.object.readerType === "full" ? await deleteUnseen(sync) : undefined;
    if (held !== undefined) {
      pages.counts = await run.end("needs-approval", held.message);
      return { outcome: "needs-approval", ...held };
    }
    pages.counts = await run.end("succeeded");
    return { outcome: "succeeded", message: null, held: 0 };
  } catch (error) {
    const message = wordsOf(error, sync.object, pages.last);
    try {
      // Records that were read before the failure are none the worse for it.
      if (!isOfStore(error)) await pages.flush();
    } finally {
      await run.end("failed", message).catch(() => undefined);
    }
    return { outcome: "failed", message, error, held: 0 };
  }
}

async function readAll<Client>(sync: Sync<Client>): Promise<void> {
  const { object, options, run, pages, preparer } = sync;
  const { maxCount = Infinity, maxShare = 1 } = options.rejectedLimit ?? {};
  if (object.readerType === "incremental" && run.resumePoint === null) await retryRejected(sync);
  for await (const item of object.reader(contextOf(sync))) {
    if (options.signal.aborted) throw new StoppedError(object.name);
    pages.read++;
    const one = given(object, item);
    const prepared = preparer.prepare(one);
    pages.last = one.record;
    const committed = pages.add(prepared);
    if (committed !== undefined) await committed;
    const { rejected } = pages.counts;
    if (rejected > maxCount) throw rejectedTooMany(object.name, rejected, `more than ${maxCount}`);
  }
  // A reader that ends because it was told to stop has not read everything.
  if (options.signal.aborted) throw new StoppedError(object.name);
  await pages.flush();
  const { unchanged, inserted, updated, deleted, rejected } = pages.counts;
  const all = unchanged + inserted + updated + deleted + rejected;
  if (rejected > maxCount) throw rejectedTooMany(object.name, rejected, `more than ${maxCount}`);
  if (rejected > all * maxShare) {
    throw rejectedTooMany(object.name, rejected, `more than ${maxShare * 100} % of ${all}`);
  }
}

function contextOf<Client>({ object, options, run, pages }: Sync<Client>): ReaderContext<Client> {
  const { client, connection, log, signal } = options;
  const isFull = object.readerType === "full";
  return {
    client,
    connection,
    log,
    signal,
    checkpoint: isFull ? null : run.checkpoint,
    resumePoint: run.resumePoint,
    saveCheckpoint: (checkpoint) => {
      if (isFull) throw new Error(`${object.name}: a full reader has no checkpoint.`);
      pages.startNextAt(String(checkpoint));
    },
    saveResumePoint: (resumePoint) => pages.resumeAt(String(resumePoint)),
  };
}

/** An incremental reader does not yield again what was rejected: it is taken from where it was kept. */
async function retryRejected<Client>({ run, pages, preparer }: Sync<Client>): Promise<void> {
  for await (const { operation, record, identity } of run.retries()) {
    if (record === null) continue;
    const prepared = preparer.prepare({ operation, record: JSON.parse(record) });
    await pages.add(prepared, identity);
  }
  await pages.flush();
}

function given<Client>({ name, readerType }: SyncedObject<Client>, item: unknown): GivenRecord {
  if (readerType === "full") return { operation: "upsert", record: item };
  if (isObject(item)) {
    const { operation, record } = item;
    if (operation === "upsert" || operation === "delete") return { operation, record };
  }
  throw new Error(`${name}: an incremental reader yields { operation: "upsert" or "delete", record }.`);
}

/** Deletes what was not read again, or gives why not. */
async function deleteUnseen<Client>(
  sync: Sync<Client>,
): Promise<{ readonly message: string; readonly held: number } | undefined> {
  const { run, pages, options, object } = sync;
  const unseen = await run.unseen();
  if (unseen.unseen === 0) return undefined;
  const isNothing = pages.read === 0 && run.resumePoint === null;
  const reason = needsApproval(unseen, isNothing, options.guard);
  if (reason !== undefined && options.approveDeletes !== true) {
    return { message: `${object.name}: ${reason} Nothing was deleted.`, held: unseen.unseen };
  }
  pages.counts = await run.deleteUnseen();
  return undefined;
}

async function sharedKeysOf<Client>({ object, options, preparer }: Sync<Client>) {
  const { keys } = preparer;
  const shared = await options.store.records.sharedKeys(object.dataPath, SHARED_KEYS_SHOWN);
  return shared.map((one) => ({
    alternateKey: keys.shown(one.alternateKey),
    keys: one.keys.map((key) => keys.shown(key)),
  }));
}

function isOfStore(error: unknown): boolean {
  return error instanceof Error && error.name === "StoreError";
}

/** What a reader throws may quote a record: write-only members are hidden, and those values of the last one. */
function wordsOf<Client>(error: unknown, { record }: SyncedObject<Client>, last?: unknown): string {
  const redaction = createRedaction([record]);
  redaction.hide(sensitiveValues(serialized(record, last), record.schema));
  return redaction.text(messageOf(error)).slice(0, LONGEST_MESSAGE).toWellFormed();
}
