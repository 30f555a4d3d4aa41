/** Moves the embedded store of a project into a database: from one machine to many. */
import { existsSync } from "node:fs";
import type { MovedCounts } from "../../runtime/entries/postgres.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { sealingOf, withPostgresStores } from "./database.js";
import { type StoreFileOptions, storeFileOf, storeFindingOf } from "./store-file.js";

/** What is copied, and where to. */
export interface CopyStoreOptions extends StoreFileOptions {
  /** The project's folder; a relative one starts from the folder of the process. */
  readonly folder: string;
  /** The database, such as `postgres://user@host:5432/database`; `PGPASSWORD` gives a password that it leaves out. */
  readonly url: string;
  /** Name of the tenant whose store it becomes. */
  readonly workspace: string;
}

/** What was copied. */
export interface CopyStoreResult {
  /** How much was copied; absent if nothing was. */
  readonly moved?: MovedCounts;
  /** Why nothing was. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Copies records, change feed, rejected records, runs and actions; the store itself stays as it is. All of it is copied, or
 * nothing. The next run on the database changes nothing.
 */
export async function copyStore({
  url,
  workspace,
  storeKey,
  ...options
}: CopyStoreOptions): Promise<CopyStoreResult> {
  const file = storeFileOf(options);
  if (!existsSync(file)) {
    const reason = `There is no store ${file}, so there is nothing to copy`;
    return { diagnostics: [diagnostic("store-unusable", { file }, { reason })] };
  }
  const { dumpSqliteStore } = await import("../../runtime/host/index.js");
  try {
    const dump = await dumpSqliteStore(file, sealingOf(storeKey)?.key);
    try {
      return await withPostgresStores({ database: url, storeKey }, async (stores) => ({
        moved: await stores.load(dump, workspace),
        diagnostics: [],
      }));
    } finally {
      dump.close();
    }
  } catch (error) {
    return { diagnostics: [storeFindingOf(error, file)] };
  }
}
