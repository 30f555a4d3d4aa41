/** What a worker notes of the runs and actions that it works at: their requests, pages and attempts. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { AttemptReport, ProcessorOptions } from "../action-processor/processor-options.js";
import type { SyncOptions } from "../cache-writer/sync-options.js";
import type { HistoryEntry, MadeCall } from "../history/history.js";
import { noteCalls, timed } from "../history/note-calls.js";
import type { StoredHistory } from "../history/stored-history.js";
import type { Redaction } from "../log/redaction.js";
import type { Transport } from "../registration/http-messages.js";
import type { HistorySubject } from "../store/history.js";
import type { Store } from "../store/store.js";

/** On whose behalf something is done. */
interface Noted {
  readonly history: StoredHistory;
  readonly of: NonNullable<MadeCall["of"]>;
  /** Undefined until the run has begun. */
  subject: HistorySubject | undefined;
}

const underWay = new AsyncLocalStorage<Noted>();

function note(entry: HistoryEntry): void {
  const { history, subject } = underWay.getStore() ?? {};
  if (subject !== undefined) history?.note(subject, entry);
}

/** A transport that notes the requests of whatever run or attempt makes them. A client is kept from one to the next. */
export function notingTransport(redaction: Redaction): Transport {
  return noteCalls(
    redaction,
    () => underWay.getStore()?.of ?? null,
    (call) => note({ kind: "call", ...call }),
  );
}

/** Makes attempts of actions, and notes them. */
export function notingAttempts(
  history: StoredHistory,
  redaction: Redaction,
): NonNullable<ProcessorOptions["around"]> {
  return ({ id }, attempt) => {
    const of = { action: id };
    return underWay.run({ history, of, subject: `action/${id}` }, async () => {
      const { result, at, ms } = await timed<AttemptReport>(attempt);
      const { attempts, outcome, dueAt } = result;
      const message = result.message === null ? null : redaction.text(result.message);
      note({ kind: "attempt", of, at, ms, attempts, outcome, dueAt, message });
      return result;
    });
  };
}

/**
 * Reads a data object, and notes it as its run.
 * @param read Has to read with the options that it is given.
 */
export function notingRead<Result>(
  { store, history }: { readonly store: Store; readonly history: StoredHistory },
  object: string,
  read: (options: Pick<SyncOptions, "store" | "onProgress">) => Promise<Result>,
): Promise<Result> {
  const noted: Noted = { history, of: { object }, subject: undefined };
  const told = storeTelling(store, (run) => {
    noted.subject = `run/${run}`;
  });
  return underWay.run(noted, () =>
    read({
      store: told,
      onProgress: ({ read: count, pages }) =>
        note({ kind: "page", of: { object }, at: new Date().toISOString(), read: count, pages }),
    }),
  );
}

/** The same store, which tells the number of a run that it begins. */
function storeTelling(store: Store, onRun: (id: number) => void): Store {
  const { runs } = store;
  return {
    ...store,
    runs: {
      start: async (options) => {
        const run = await runs.start(options);
        if (run !== undefined) onRun(run.id);
        return run;
      },
      list: (object, limit) => runs.list(object, limit),
      checkpoint: (object) => runs.checkpoint(object),
      fullyReadAt: (object) => runs.fullyReadAt(object),
    },
  };
}
