/** Opens the embedded store. SQLite is loaded only by programs that open one. */

import type { StoreDump } from "../store/dump.js";
import type { SqliteStoreOptions } from "../store/sqlite/open-store.js";
import type { Store } from "../store/store.js";

export type { SqliteStoreOptions } from "../store/sqlite/open-store.js";

/**
 * Opens an embedded store to read all of it, as it is now, for another driver: {@link StoreDump}.
 * @throws StoreError if the file can't be used, or is not there.
 */
export async function dumpSqliteStore(file: string): Promise<StoreDump> {
  const driver = await import("../store/sqlite/dump-store.js");
  return driver.dumpSqliteStore(file);
}

/**
 * Opens the embedded store of a tenant.
 * @throws StoreError if the file can't be used: locked, read-only, damaged, of a newer version or another tenant.
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
