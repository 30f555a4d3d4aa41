/** What a target system holds at one time, and the reader of it. */
import { syncObject } from "../../runtime/cache-writer/sync-object.js";
import type { SyncedObject, SyncResult } from "../../runtime/cache-writer/sync-options.js";
import type { RecordType } from "../../runtime/records/record-type.js";
import type { ReaderContext } from "../../runtime/registration/contracts.js";
import type { Store } from "../../runtime/store/store.js";
import { ITEM, type Item, item, PATH, SILENT } from "./items.js";

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
export function targetObject(target: Target, failAt = Infinity): SyncedObject {
  const items = targetItems(target);
  const { resumeEvery } = target;
  async function* reader({ resumePoint, saveResumePoint }: ReaderContext) {
    for (let index = Number(resumePoint ?? 0); index < items.length; index++) {
      if (index >= failAt) throw new Error("the target system went away");
      yield items[index];
      if (resumeEvery !== undefined && (index + 1) % resumeEvery === 0) saveResumePoint(String(index + 1));
    }
  }
  return { name: "Item", dataPath: PATH, record: TARGET_TYPE, readerType: "full", reader };
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
  const entries = targetItems(target).flatMap((one): [string, unknown][] => {
    const key = `id/a/${one.id}`;
    if (one.name !== undefined) return [[key, one]];
    return key in before ? [[key, before[key]]] : [];
  });
  return Object.fromEntries(entries);
}
