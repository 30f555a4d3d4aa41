/** A store that keeps nothing sensitive as it is, above any driver: what drivers are given is sealed already. */
import type { DumpedRecord, StoreDump } from "../dump.js";
import type { HistoryStore, HistorySubject } from "../history.js";
import type {
  ActionAddress,
  ActionEntry,
  ActionLedger,
  ActionSource,
  ChangeFeed,
  PageWrite,
  RecordStore,
  RejectedRecord,
  RejectedStore,
  RejectedWrite,
  Run,
  RunStore,
  Store,
  StoredRecord,
  UnfitRecord,
} from "../store.js";
import type { KeyWrapper } from "./key-wrapper.js";
import { type DataKeyStore, isSealed, keylessSeal, openSeal, type Seal } from "./seal.js";
import { RecordSealing, type SealedObject } from "./sealed-records.js";

/** What a store seals, and with which key. */
export interface SealingOptions {
  /**
   * Wraps the data keys of the store. Inputs, notes and results of actions are sealed from the first opening with a key on,
   * and so are rejected records. Without the key nobody runs the connector on the store then, or sees what is sealed.
   */
  readonly key: KeyWrapper;
  /**
   * Data objects whose write-only members are sealed too, such as `dataObjects` of a cache writer of a connector that was
   * started. Values of keys stay readable, for records are found by them.
   * @default none
   */
  readonly objects?: readonly SealedObject[] | undefined;
  /**
   * Whether a store that nobody has sealed yet stays as it is, for whoever only looks into it.
   * @default false
   */
  readonly onlyOpens?: boolean | undefined;
}

/**
 * The store as `sealing` says. If there is no key, what is sealed can't be read, and a store that was sealed can't be
 * written.
 * @throws StoreError `sealed` if another key than the one that is given has sealed it.
 */
export async function openSealed(
  store: Store,
  keys: DataKeyStore,
  sealing: SealingOptions | undefined,
): Promise<Store> {
  return storeSealedBy(await sealFor(keys, sealing), store, sealing);
}

/** As {@link openSealed}, for whoever has found what seals. */
export function storeSealedBy(seal: FoundSeal, store: Store, sealing: SealingOptions | undefined): Store {
  if (seal.isLocked !== false) return sealedStore(store, seal, sealing?.objects);
  // Somebody else may seal it from now on. What is sealed then is no action that this one may perform.
  const records = new RecordSealing(seal, []);
  return {
    ...store,
    ledger: sealedLedger(store.ledger, { seal, records }),
    source: sealedSource(store.source, seal),
  };
}

function sealedStore(store: Store, seal: Seal, objects: readonly SealedObject[] = []): Store {
  const records = new RecordSealing(seal, objects);
  return {
    tenant: store.tenant,
    bind: (connection, options) => store.bind(connection, options),
    records: sealedRecords(store.records, records),
    changes: sealedChanges(store.changes, records),
    rejected: sealedRejected(store.rejected, seal),
    runs: sealedRuns(store.runs, { seal, records }),
    ledger: sealedLedger(store.ledger, { seal, records }),
    source: sealedSource(store.source, seal),
    close: () => store.close(),
  };
}

/** What seals for a tenant; without `isLocked` if the key was given. */
export type FoundSeal = Seal & { readonly isLocked?: boolean };

/**
 * What seals for a tenant as `sealing` says; without a key nothing is sealed.
 * @throws StoreError `sealed` if another key than the one that is given has sealed it.
 */
export async function sealFor(keys: DataKeyStore, sealing: SealingOptions | undefined): Promise<FoundSeal> {
  if (sealing !== undefined && sealing.onlyOpens !== true) return openSeal(keys, sealing.key);
  const seal = await keylessSeal(keys);
  return seal.isLocked && sealing !== undefined ? openSeal(keys, sealing.key) : seal;
}

/** A history of which nothing stands as it is in a store that is sealed; without the key, what is sealed is left out. */
export function historySealedBy(seal: FoundSeal, history: HistoryStore): HistoryStore {
  return {
    note: (subject, text) => history.note(subject, seal.seal(text, historyPlace(subject))),
    list: async (subject) => {
      const texts = await history.list(subject);
      const readable = seal.isLocked === true ? texts.filter((text) => !isSealed(text)) : texts;
      return Promise.all(readable.map((text) => seal.open(text, historyPlace(subject))));
    },
  };
}

/** A ledger that keeps the inputs of what is added as the ledger of the sealed store does. */
export function sealedAdding(ledger: Pick<ActionLedger, "add">, seal: Seal): Pick<ActionLedger, "add"> {
  return {
    add: async ({ object, action, inputJson }) => {
      const sealed = seal.seal(inputJson, inputPlace({ object, action }));
      return { ...(await ledger.add({ object, action, inputJson: sealed })), inputJson };
    },
  };
}

/** A dump whose texts are open, so that another store can be made of it. */
export function openedDump(dump: StoreDump, seal: Seal): StoreDump {
  const records = new RecordSealing(seal, []);
  return convertedDump(dump, {
    text: (text, place) => seal.openNow(text, place),
    record: (object, record) => openedRecord(records, object, record),
  });
}

function openedRecord(records: RecordSealing, object: string, record: DumpedRecord): DumpedRecord {
  const opened = records.openNow(object, record.key, JSON.parse(record.recordJson));
  if (opened === undefined) return record;
  const [whole, shown] = opened;
  return { ...record, recordJson: JSON.stringify(whole), shownJson: JSON.stringify(shown) };
}

/** A dump whose texts are sealed for the store that is made of it. */
export function sealedDump(dump: StoreDump, seal: Seal, objects: readonly SealedObject[] = []): StoreDump {
  const records = new RecordSealing(seal, objects);
  return convertedDump(dump, {
    text: (text, place) => seal.seal(text, place),
    record: (object, record) => sealedRecord(records, object, record),
  });
}

function sealedRecord(records: RecordSealing, object: string, dumped: DumpedRecord): DumpedRecord {
  const { key, hash, alternateKeys, recordJson, shownJson } = dumped;
  const record: object = JSON.parse(recordJson);
  const shown: unknown = shownJson === undefined ? undefined : JSON.parse(shownJson);
  const write = records.write(object, { operation: "upsert", key, hash, alternateKeys, record }, shown);
  if (write.operation === "delete" || write.record === record) return dumped;
  return { ...dumped, hash: write.hash, recordJson: JSON.stringify(write.record) };
}

interface Conversion {
  /** @param place To which a sealed text is bound. */
  readonly text: (text: string, place: readonly string[]) => string;
  readonly record: (object: string, record: DumpedRecord) => DumpedRecord;
}

/** The dump with everything that can be sealed converted. */
function convertedDump(dump: StoreDump, { text, record }: Conversion): StoreDump {
  const textOrNull = (given: string | null, place: readonly string[]) =>
    given === null ? null : text(given, place);
  return {
    ...dump,
    records: (object) => mapped(dump.records(object), (dumped) => record(object, dumped)),
    rejected: (object) =>
      mapped(dump.rejected(object), (write) => ({
        ...write,
        record: textOrNull(write.record, rejectedPlace(object, write)),
      })),
    actions: () =>
      mapped(dump.actions(), (entry) => ({
        ...entry,
        inputJson: text(entry.inputJson, inputPlace(entry)),
        noteJson: textOrNull(entry.noteJson, NOTE),
        resultJson: textOrNull(entry.resultJson, RESULT),
      })),
  };
}

function* mapped<Item, Made>(items: Iterable<Item>, make: (item: Item) => Made): Iterable<Made> {
  for (const item of items) yield make(item);
}

/** What seals the writes of a run or an action. */
interface Sealing {
  readonly seal: Seal;
  readonly records: RecordSealing;
}

// A note and a result are written by the number of an action alone.
const NOTE = ["action", "note"];
const RESULT = ["action", "result"];

function inputPlace({ object, action }: ActionAddress): readonly string[] {
  return ["action", object, action, "input"];
}

function historyPlace(subject: HistorySubject): readonly string[] {
  return ["history", subject];
}

function rejectedPlace(object: string, { identity }: RejectedWrite): readonly string[] {
  return ["rejected", object, identity];
}

function sealedRecords(store: RecordStore, records: RecordSealing): RecordStore {
  const open = async (stored: StoredRecord): Promise<StoredRecord> => ({
    ...stored,
    record: await records.open(stored.object, stored.key, stored.record),
  });
  return {
    get: async (object, key) => {
      const stored = await store.get(object, key);
      return stored && open(stored);
    },
    find: async (object, alternateKey) => Promise.all((await store.find(object, alternateKey)).map(open)),
    list: async function* (object, options) {
      for await (const stored of store.list(object, options)) yield await open(stored);
    },
    count: (object) => store.count(object),
    sharedKeys: (object, limit) => store.sharedKeys(object, limit),
  };
}

function sealedChanges(changes: ChangeFeed, records: RecordSealing): ChangeFeed {
  return {
    since: async function* (sequence, options) {
      for await (const change of changes.since(sequence, options)) {
        const { object, key, record, before } = change;
        yield {
          ...change,
          record: await records.open(object, key, record),
          ...(before !== undefined && { before: await records.open(object, key, before) }),
        };
      }
    },
    last: () => changes.last(),
    waitFor: (sequence, options) => changes.waitFor(sequence, options),
    removedTo: () => changes.removedTo(),
    advance: (consumer, sequence) => changes.advance(consumer, sequence),
    consumers: () => changes.consumers(),
    forget: (consumer) => changes.forget(consumer),
    prune: (options) => changes.prune(options),
  };
}

function sealedRejected(rejected: RejectedStore, seal: Seal): RejectedStore {
  return {
    list: async function* (object) {
      for await (const record of rejected.list(object)) yield await openRejected(seal, object, record);
    },
    count: (object) => rejected.count(object),
  };
}

function sealRejected(seal: Seal, object: string, write: RejectedWrite): RejectedWrite {
  if (write.record === null) return write;
  return { ...write, record: seal.seal(write.record, rejectedPlace(object, write)) };
}

async function openRejected<Kept extends RejectedWrite | RejectedRecord>(
  seal: Seal,
  object: string,
  write: Kept,
): Promise<Kept> {
  if (write.record === null) return write;
  return { ...write, record: await seal.open(write.record, rejectedPlace(object, write)) };
}

function sealedRuns(runs: RunStore, { seal, records }: Sealing): RunStore {
  return {
    start: async (options) => {
      seal.demandKey();
      const run = await runs.start(options);
      return run && sealedRun(run, options.object, { seal, records });
    },
    list: (object, limit) => runs.list(object, limit),
    checkpoint: (object) => runs.checkpoint(object),
    fullyReadAt: (object) => runs.fullyReadAt(object),
  };
}

function sealedRun(run: Run, object: string, { seal, records }: Sealing): Run {
  const sealPage = (page: PageWrite): PageWrite => ({
    ...page,
    records: page.records.map((write) => records.write(object, write)),
    rejected: page.rejected.map((write) => sealRejected(seal, object, write)),
  });
  const sealUnfit = (unfit: UnfitRecord): UnfitRecord => ({
    ...unfit,
    rejected: sealRejected(seal, object, unfit.rejected),
  });
  return {
    id: run.id,
    checkpoint: run.checkpoint,
    resumePoint: run.resumePoint,
    needsIndexing: run.needsIndexing,
    needsValidation: run.needsValidation,
    get counts() {
      return run.counts;
    },
    get repeatedKeys() {
      return run.repeatedKeys;
    },
    indexAlternateKeys: (writes, isLast) => run.indexAlternateKeys(writes, isLast),
    takeOut: (unfit, isLast) => run.takeOut(unfit.map(sealUnfit), isLast),
    previouslyRejected: async function* () {
      for await (const write of run.previouslyRejected()) yield await openRejected(seal, object, write);
    },
    commit: async (page) => run.commit(sealPage(page)),
    notMet: (identities) => run.notMet(identities),
    countNotRead: () => run.countNotRead(),
    deleteNotRead: () => run.deleteNotRead(),
    end: (state, message) => run.end(state, message),
  };
}

function sealedLedger(ledger: ActionLedger, { seal, records }: Sealing): ActionLedger {
  return {
    ...sealedAdding(ledger, seal),
    get: async (id) => {
      const entry = await ledger.get(id);
      return entry && openEntry(seal, entry);
    },
    list: async function* (state) {
      for await (const entry of ledger.list(state)) yield await openEntry(seal, entry);
    },
    note: async (attempt, noteJson) => ledger.note(attempt, seal.seal(noteJson, NOTE)),
    close: async (attempt, closing) =>
      ledger.close(attempt, {
        ...closing,
        resultJson: seal.seal(closing.resultJson, RESULT),
        changes: closing.changes?.map(({ object, records: writes }) => ({
          object,
          records: writes.map((write) => records.write(object, write)),
        })),
      }),
  };
}

function sealedSource(source: ActionSource, seal: Seal): ActionSource {
  return {
    take: async (options) => {
      seal.demandKey();
      const taken = await source.take(options);
      return taken && openEntry(seal, taken);
    },
    extendLease: (attempt, leaseMs) => source.extendLease(attempt, leaseMs),
    retry: async (attempt, failed) =>
      source.retry(attempt, { ...failed, failureJson: seal.seal(failed.failureJson, RESULT) }),
    giveBack: (attempt) => source.giveBack(attempt),
    requeue: (id) => source.requeue(id),
    cancel: (id) => source.cancel(id),
    cancelDueBefore: (time) => source.cancelDueBefore(time),
  };
}

async function openEntry<Entry extends ActionEntry>(seal: Seal, entry: Entry): Promise<Entry> {
  const { inputJson, noteJson, resultJson } = entry;
  return {
    ...entry,
    inputJson: await seal.open(inputJson, inputPlace(entry)),
    noteJson: noteJson === null ? null : await seal.open(noteJson, NOTE),
    resultJson: resultJson === null ? null : await seal.open(resultJson, RESULT),
  };
}
