/** Opens the embedded store. SQLite is loaded only by programs that open one. */

import type { StoreDump } from "../store/dump.js";
import type { KeyWrapper } from "../store/sealing/key-wrapper.js";
import type { RotatedKeys } from "../store/sealing/seal.js";
import type { RotateSqliteOptions, SqliteStoreOptions } from "../store/sqlite/open-store.js";
import type { Store } from "../store/store.js";

export type { RotateSqliteOptions, SqliteStoreOptions } from "../store/sqlite/open-store.js";

/**
 * Opens an embedded store to read all of it, as it is now, for another driver: {@link StoreDump}. What is sealed is open in
 * the dump.
 * @param key What the store was sealed with. Default: none.
 * @throws StoreError if the file can't be used, is not there, or is sealed by another key.
 */
export async function dumpSqliteStore(file: string, key?: KeyWrapper): Promise<StoreDump> {
  const driver = await import("../store/sqlite/dump-store.js");
  return driver.dumpSqliteStore(file, key);
}

/**
 * Wraps the data keys of an embedded store with the key that is given, and adds a new one if the options say so.
 * @throws StoreError if the file can't be used, or `key` can't open what was wrapped.
 */
export async function rotateSqliteKeys(options: RotateSqliteOptions): Promise<RotatedKeys> {
  const driver = await import("../store/sqlite/open-store.js");
  return driver.rotateSqliteKeys(options);
}

/**
 * Opens the embedded store of a tenant.
 * @throws StoreError if the file can't be used: locked, read-only, damaged, of a newer version or another tenant.
 * @throws RangeError if `maxQueuedActions` is no whole number.
 * @example
 * const store = await openSqliteStore({ file: "acme.db", tenant: "acme" });
 * for await (const { sequence, object, operation, key } of store.changes.since(0)) {
 *   console.log(sequence, object, operation, key);
 * }
 * await store.close();
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const driver = await import("../store/sqlite/open-store.js");
  return driver.openSqliteStore(options);
}
