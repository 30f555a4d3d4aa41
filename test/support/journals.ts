/** A target system that keeps a journal of what changed, and the incremental reader of it. */
import type { SyncedObject } from "../../runtime/cache-writer/sync-options.js";
import type { ReaderContext } from "../../runtime/registration/contracts.js";
import { type Item, PATH } from "./items.js";
import { TARGET_TYPE, targetItem } from "./targets.js";

/** An item with its new version; null where it was deleted. */
export interface Event {
  readonly id: number;
  readonly version: number | null;
}

/** The object, with a reader of what came after its checkpoint; it says where it is after every event. */
export function eventsObject(journal: readonly Event[]): SyncedObject {
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
  return { name: "Item", dataPath: PATH, record: TARGET_TYPE, readerType: "incremental", reader };
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
