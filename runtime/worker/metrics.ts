/** What a worker counts, as a page that Prometheus reads. No workspace is named: there may be ten thousand. */

import type { SyncResult } from "../cache-writer/sync-options.js";
import type { WakeKind } from "../engine/engine.js";
import type { WaitingCounts } from "../workspaces/workspaces.js";

const CHANGES = ["unchanged", "inserted", "updated", "deleted", "rejected"] as const;

interface Shown {
  readonly isDraining: boolean;
  /** Undefined if the database does not answer. */
  readonly waiting: WaitingCounts | undefined;
}

/** The counters of one worker. */
export class WorkerMetrics {
  readonly #slots: Readonly<Record<WakeKind, number>>;
  readonly #used = { act: 0, sync: 0 };
  readonly #wakeUps = new Counter();
  readonly #errors = new Counter();
  readonly #seconds = new Counter();
  readonly #attempts = new Counter();
  readonly #reads = new Counter();
  readonly #records = new Counter();
  #lost = 0;

  constructor(slots: Readonly<Record<WakeKind, number>>) {
    this.#slots = slots;
  }

  /** A wake-up is being served. @returns To be called when it was. */
  began(kind: WakeKind): () => void {
    const start = performance.now();
    this.#wakeUps.add(kind);
    this.#used[kind]++;
    return () => {
      this.#used[kind]--;
      this.#seconds.add(kind, (performance.now() - start) / 1_000);
    };
  }

  failed(kind: WakeKind): void {
    this.#errors.add(kind);
  }

  lost(): void {
    this.#lost++;
  }

  attempted(outcome: string): void {
    this.#attempts.add(outcome);
  }

  read(result: SyncResult): void {
    this.#reads.add(result.outcome);
    for (const change of CHANGES) this.#records.add(change, result[change]);
  }

  /** All of it, with what waits in the database. */
  text({ isDraining, waiting }: Shown): string {
    const both = (values: Readonly<Record<WakeKind, number>>) => Object.entries(values);
    const families = [
      family("wakeups_total", "counter", "Wake-ups served, by kind", "kind", this.#wakeUps.entries()),
      family(
        "wakeup_errors_total",
        "counter",
        "Wake-ups that ended in an error",
        "kind",
        this.#errors.entries(),
      ),
      family("busy_seconds_total", "counter", "Time spent on wake-ups", "kind", this.#seconds.entries()),
      family("turns_lost_total", "counter", "Workspaces that another worker took over", "", [
        ["", this.#lost],
      ]),
      family(
        "attempts_total",
        "counter",
        "Attempts of actions, by outcome",
        "outcome",
        this.#attempts.entries(),
      ),
      family("reads_total", "counter", "Reads of data objects, by outcome", "outcome", this.#reads.entries()),
      family(
        "records_total",
        "counter",
        "Records read, by what became of them",
        "change",
        this.#records.entries(),
      ),
      family("slots", "gauge", "Workspaces that can be served at the same time", "kind", both(this.#slots)),
      family(
        "slots_used",
        "gauge",
        "Workspaces that are being served by this worker",
        "kind",
        both(this.#used),
      ),
      family("draining", "gauge", "1 while the worker ends", "", [["", isDraining ? 1 : 0]]),
      family("database_up", "gauge", "1 if the database answers", "", [["", waiting === undefined ? 0 : 1]]),
      ...(waiting === undefined ? [] : waitingFamilies(waiting)),
    ];
    return `${families.filter((lines) => lines !== "").join("\n")}\n`;
  }
}

function waitingFamilies(waiting: WaitingCounts): readonly string[] {
  const gauge = (name: string, help: string, value: number) => family(name, "gauge", help, "", [["", value]]);
  return [
    gauge("due_actions", "Actions that wait and are due, of all workspaces", waiting.dueActions),
    gauge("oldest_due_action_seconds", "How long the longest of them has waited", waiting.oldestDueSeconds),
    gauge("waiting_reads", "Data objects that wait to be read", waiting.waitingReads),
    gauge("workers", "Workers that live", waiting.workers),
    gauge("served_workspaces", "Workspaces that are being served by any worker", waiting.turns),
  ];
}

/** Numbers by the value of a label. */
class Counter {
  readonly #values = new Map<string, number>();

  add(label: string, value = 1): void {
    this.#values.set(label, (this.#values.get(label) ?? 0) + value);
  }

  entries(): readonly (readonly [string, number])[] {
    return [...this.#values];
  }
}

/** A family of series in the text format; empty if it has none. */
function family(
  name: string,
  type: "counter" | "gauge",
  help: string,
  label: string,
  values: readonly (readonly [string, number])[],
): string {
  if (values.length === 0) return "";
  const full = `connectorcli_${name}`;
  const lines = values.map(
    ([text, value]) => `${full}${label === "" ? "" : `{${label}="${text}"}`} ${value}`,
  );
  return [`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...lines].join("\n");
}
