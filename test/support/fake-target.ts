/** Target systems of items: what they hold, their readers, and what the cache is to hold after a read. */

import type { ReaderContext, RecordType } from "../../runtime/codegen/index.js";
import type { RegisteredObject } from "../../runtime/entries/runtime.js";
import { type Store, type SyncResult, syncObject } from "../../runtime/host/index.js";
import { fullObject, ITEM, type Item, incrementalObject, item, SILENT } from "./item-cache.js";

export interface Target {
  /** Version of each item by its id. */
  readonly versions: Readonly<Record<string, number>>;
  /** Items after which a resume point is said; none where the reader can't be resumed. */
  readonly resumeEvery?: number;
}

/** A version that ends in a nine makes a record that does not fit. */
export const TARGET_TYPE: RecordType = {
  ...ITEM,
  check: (value) => typeof (value as Item).name === "string",
};

export function targetItems({ versions }: Target): readonly Item[] {
  return Object.entries(versions).map(([id, version]) => targetItem(Number(id), version));
}

export function targetItem(id: number, version: number): Item {
  const isValid = version % 10 !== 9;
  return item(id, isValid ? { name: `v${version}`, filler: "x".repeat(200) } : {});
}

/** The object, with a reader that goes through `target` and fails before its item number `failAt`. */
export function targetObject(target: Target, failAt = Infinity): RegisteredObject {
  const items = targetItems(target);
  const { resumeEvery } = target;
  async function* reader({ resumePoint, saveResumePoint }: ReaderContext) {
    for (let index = Number(resumePoint ?? 0); index < items.length; index++) {
      if (index >= failAt) throw new Error("the target system went away");
      yield items[index];
      if (resumeEvery !== undefined && (index + 1) % resumeEvery === 0) saveResumePoint(String(index + 1));
    }
  }
  return fullObject(reader, TARGET_TYPE);
}

/** A run that reads `target`, with pages that are small enough to be cut. */
export function syncTarget(
  store: Store,
  target: Target,
  options: { readonly resume?: boolean; readonly failAt?: number } = {},
): Promise<SyncResult> {
  const { signal } = new AbortController();
  return syncObject(targetObject(target, options.failAt), {
    ...{ store, client: undefined, connection: {}, log: SILENT, signal },
    pageSize: 3,
    approveDeletes: true,
    rejectedLimit: { maxShare: 1 },
    resume: options.resume,
  });
}

/**
 * What the cache is to hold after a read of `target`, by key: its valid items, and what was there before of items that
 * are there and do not fit.
 */
export function oracle(
  target: Target,
  before: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const entries = targetItems(target).flatMap((item): [string, unknown][] => {
    const key = `id/a/${item.id}`;
    if (item.name !== undefined) return [[key, item]];
    return key in before ? [[key, before[key]]] : [];
  });
  return Object.fromEntries(entries);
}

/** An item with its new version; null where it was deleted. */
export interface Event {
  readonly id: number;
  readonly version: number | null;
}

/** The object, with a reader of what came after its checkpoint; it says where it is after every event. */
export function eventsObject(journal: readonly Event[]): RegisteredObject {
  async function* reader({ checkpoint, resumePoint, saveCheckpoint, saveResumePoint }: ReaderContext) {
    for (let index = Number(resumePoint ?? checkpoint ?? 0); index < journal.length; index++) {
      const event = journal[index];
      if (event === undefined) return;
      const operation = event.version === null ? ("delete" as const) : ("upsert" as const);
      yield { operation, record: eventItem(event) };
      saveCheckpoint(String(index + 1));
      saveResumePoint(String(index + 1));
    }
  }
  return incrementalObject(reader, TARGET_TYPE);
}

export function eventItem({ id, version }: Event): Item {
  return targetItem(id, version ?? 0);
}

/** What the cache is to hold, by key: the last valid version of every item that was not deleted after it. */
export function eventsOracle(journal: readonly Event[]): Readonly<Record<string, unknown>> {
  const records = new Map<string, unknown>();
  for (const event of journal) {
    const record = eventItem(event);
    const key = `id/a/${event.id}`;
    if (event.version === null) records.delete(key);
    else if (record.name !== undefined) records.set(key, record);
  }
  return Object.fromEntries(records);
}

export interface State {
  /** Items, before some were deleted. */
  readonly total: number;
  /** Whether every hundredth item has changed. */
  readonly changed: boolean;
  /** Whether every hundredth item, another one, is gone. */
  readonly deleted: boolean;
}

/** The item at `index`, with about 400 bytes as JSON; undefined where it is gone. Keys come in no order. */
export function itemOf(index: number, { changed, deleted }: State): Item | undefined {
  if (deleted && index % 100 === 1) return undefined;
  const scattered = Math.imul(index + 1, 0x9e3779b1) >>> 0;
  return item(scattered, {
    serial_number: `S-${index}`,
    name: changed && index % 100 === 0 ? "second" : "first",
    secret: `s-${scattered}`,
    description: "Concrete works at the northern abutment, second section, with formwork and steel. ",
    amount: index / 8,
    tags: ["site", "concrete", `crew ${index % 40}`],
    site: { place: "Berlin", code: "10115", since: "2024-02-29T10:00:00Z", open: index % 3 === 0 },
    updated_at: "2025-06-30T12:34:56.789Z",
  });
}
