/** Opens the embedded store; who does not never loads SQLite. */
import type { OpenStore } from "./sqlite/open-store.js";
import type { Store } from "./store.js";

export type { OpenStore } from "./sqlite/open-store.js";

/** @throws StoreError where the file can't be used: locked, read-only, damaged, of a newer version. */
export async function openSqliteStore(options: OpenStore): Promise<Store> {
  const driver = await import("./sqlite/open-store.js");
  return driver.openSqliteStore(options);
}
