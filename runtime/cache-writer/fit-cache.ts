/** Holds cached records to a schema that has changed since they were written: what no longer fits is taken out. */
import type { Redaction } from "../log/redaction.js";
import type { Run, RunCounts, Store, UnfitRecord } from "../store/store.js";
import { excessOfDeletes } from "./delete-guard.js";
import type { RecordPreparer } from "./prepare-record.js";
import type { DeleteGuard } from "./sync-options.js";

const PAGE_SIZE = 1_000;

/** What is held to which schema, and within which bounds. */
export interface FitOptions {
  readonly store: Store;
  readonly run: Run;
  /** Data path of the object. */
  readonly dataPath: string;
  readonly preparer: RecordPreparer;
  /** Takes secrets out of what is said of them. */
  readonly redaction: Redaction;
  readonly guard?: DeleteGuard | undefined;
  /** Takes them out whatever the guard says. */
  readonly approveDeletes?: boolean | undefined;
}

/** Cached records that no longer fit the schema. */
export interface FitResult {
  readonly noLongerFit: number;
  /** Why they were left where they are, in a sentence; undefined if they were taken out. */
  readonly reason: string | undefined;
  /** The counts of the run so far. */
  readonly counts: RunCounts;
}

/** Takes the records out that do not fit, and keeps them as rejected; leaves them if there are more than the guard allows. */
export async function takeOutUnfit(options: FitOptions): Promise<FitResult> {
  const { store, run, dataPath, guard, approveDeletes = false } = options;
  const noLongerFit = await countUnfit(options);
  const cached = await store.records.count(dataPath);
  const excess = approveDeletes ? undefined : excessOfDeletes(noLongerFit, cached, guard);
  if (excess !== undefined) {
    const what = `${noLongerFit} of ${cached} cached records no longer fit the schema`;
    return { noLongerFit, reason: `${what}: ${excess}.`, counts: run.counts };
  }
  let page: UnfitRecord[] = [];
  for await (const unfit of noLongerFit === 0 ? [] : unfitRecords(options)) {
    page.push(unfit);
    if (page.length < PAGE_SIZE) continue;
    await run.takeOut(page, false);
    page = [];
  }
  return { noLongerFit, reason: undefined, counts: await run.takeOut(page, true) };
}

/** How many cached records do not fit the schema. */
export async function countUnfit(
  options: Pick<FitOptions, "store" | "dataPath" | "preparer" | "redaction">,
): Promise<number> {
  let count = 0;
  for await (const _ of unfitRecords(options)) count++;
  return count;
}

async function* unfitRecords({
  store,
  dataPath,
  preparer,
  redaction,
}: Pick<FitOptions, "store" | "dataPath" | "preparer" | "redaction">): AsyncGenerator<UnfitRecord> {
  for await (const { key, sequence, record } of store.records.list(dataPath)) {
    const prepared = preparer.prepare({ operation: "upsert", record }, redaction);
    if ("rejected" in prepared)
      yield { key, sequence, rejected: { ...prepared.rejected, key, identity: key } };
  }
}
