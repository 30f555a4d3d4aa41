/** Runs the cache writer of a connector: every data object that is switched on, one after the other. */
import { syncObject } from "./sync-object.js";
import type { SyncedObject, SyncOptions, SyncResult, SyncSettings } from "./sync-options.js";

/** A data object with its switch (spec §2.8). */
export type SwitchedObject<Client = unknown> = SyncedObject<Client> & { readonly uploadObject: boolean };

export interface CacheWriterOptions<Client = unknown> extends SyncOptions<Client> {
  /** Settings of single objects by data path, above those of all. */
  readonly settings?: Readonly<Record<string, SyncSettings>> | undefined;
}

/**
 * What became of each object whose `UploadObject` is on, in their order. One that fails does not keep the others from
 * running; after a stop the rest is left out.
 */
export async function runCacheWriter<Client>(
  objects: readonly SwitchedObject<Client>[],
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
