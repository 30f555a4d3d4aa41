/** Tries a reader: a few records, checked as a run checks them. There is no store, and nothing is kept. */
import { oneAtATime } from "../one-at-a-time.js";
import { serializedForm } from "../records/serialized-form.js";
import type { RecordChange } from "../registration/contracts.js";
import { safeGet } from "../untrusted.js";
import type { Finding } from "../validation/finding.js";
import { recordPreparer } from "./prepare-record.js";
import {
  contextOf,
  endingError,
  noteRecent,
  redactedMessage,
  redactionOf,
  StoppedError,
  type SyncedObject,
  toRecordChange,
} from "./sync-object.js";
import type { SyncOptions } from "./sync-options.js";

/** How a reader is tried. */
export interface PreviewOptions<Client = unknown>
  extends Pick<SyncOptions<Client>, "client" | "connection" | "log" | "signal"> {
  /**
   * The reader is stopped after so many records.
   * @default Infinity
   */
  readonly limit?: number | undefined;
  /**
   * The records before this page of the list, counted from 1, are left out. A declared reader of pages by number or offset
   * begins with it; any other reads up to it, and tells its pages apart by its resume points.
   * @default 1
   */
  readonly page?: number | undefined;
}

/** A record that a reader yielded. */
export interface PreviewedRecord {
  /** What a run would do with it. */
  readonly operation: "upsert" | "delete";
  /** Value of the primary key; null if the record does not have one that fits its schema. */
  readonly key: string | null;
  /** The serialized form, sensitive values as they are; undefined if the record can't be read. */
  readonly record: unknown;
  /** Why the record does not fit its schema; none if it does. Sensitive values are hidden. */
  readonly findings: readonly Finding[];
}

/** What a reader yielded, and how it ended. */
export interface PreviewResult {
  /** Name of the object's class. */
  readonly object: string;
  /** Data path of the object. */
  readonly dataPath: string;
  /** `failed` if the reader threw, or was told to stop. */
  readonly outcome: "succeeded" | "failed";
  /** The records, in the order in which they came. */
  readonly records: readonly PreviewedRecord[];
  /** Whether the reader came to its end, and did not only come to the limit. */
  readonly isWhole: boolean;
  /** Why it failed, in a sentence without secrets; null if it did not. */
  readonly message: string | null;
  /** What was thrown; absent if nothing was. */
  readonly error?: unknown;
}

/**
 * Reads the first records of an object, from the beginning, whether its switch is on or off. Never throws for what the
 * reader or the target system does: the result says how it ended.
 */
export async function previewObject<Client>(
  object: SyncedObject<Client>,
  options: PreviewOptions<Client>,
): Promise<PreviewResult> {
  const { signal, limit = Number.POSITIVE_INFINITY, page = 1 } = options;
  const records: PreviewedRecord[] = [];
  const ended = { object: object.name, dataPath: object.dataPath, records };
  const redaction = redactionOf(object, options);
  const recent: unknown[] = [];
  try {
    const { prepare } = recordPreparer(object.record);
    const preview = (change: RecordChange<unknown>): PreviewedRecord => {
      const prepared = prepare(change, redaction);
      const shown = { operation: change.operation, record: plainForm(object, change.record) };
      if ("write" in prepared) return { ...shown, key: prepared.write.key, findings: [] };
      const { key = null, findings } = prepared.rejected;
      return { ...shown, key, findings };
    };
    const resumePoint = page === 1 ? null : resumePointAt(object.reader, page);
    let reached = resumePoint === null ? 1 : page;
    const saved = { setCheckpoint: () => {}, setResumePoint: () => reached++ };
    const run = { checkpoint: null, resumePoint };
    const context = oneAtATime(contextOf({ object, options, run, writer: saved }));
    for await (const item of object.reader(context)) {
      if (signal.aborted) throw new StoppedError(object.name);
      if (reached < page) continue;
      const change = toRecordChange(object, item);
      noteRecent({ recent }, change.record);
      records.push(preview(change));
      if (records.length >= limit) return { ...ended, outcome: "succeeded", isWhole: false, message: null };
    }
    if (signal.aborted) throw new StoppedError(object.name);
    if (reached < page)
      throw new RangeError(`${object.name} has no page ${page}: its list ended with page ${reached}.`);
    return { ...ended, outcome: "succeeded", isWhole: true, message: null };
  } catch (thrown) {
    const error = endingError(thrown, object.name, signal);
    const message = redactedMessage<Client>(error, { object, redaction, recent });
    return { ...ended, outcome: "failed", isWhole: false, message, error };
  }
}

/** From where a reader begins with `page`; null if it has to read up to it. */
function resumePointAt(reader: unknown, page: number): string | null {
  const tell: unknown = safeGet(reader, "resumePointAt");
  return typeof tell === "function" ? ((tell(page) as string | undefined) ?? null) : null;
}

/** As JSON gives it: what the result holds can be sent to another process. */
function plainForm<Client>({ record }: SyncedObject<Client>, value: unknown): unknown {
  try {
    const text = JSON.stringify(serializedForm(record, value));
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
