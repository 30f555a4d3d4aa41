/** Keeps stores in order, embedded ones and those of a database: versions, the change feed's end, keys. */
import { existsSync } from "node:fs";
import type { PostgresStores } from "../../runtime/entries/postgres.js";
import { openSqliteStore, rotateSqliteKeys } from "../../runtime/host/open-store.js";
import { localKeys } from "../../runtime/store/sealing/key-wrapper.js";
import type { RotatedKeys, RotateOptions } from "../../runtime/store/sealing/seal.js";
import type { Consumer, PrunedChanges, PruneOptions, Store } from "../../runtime/store/store.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { withPostgresStores } from "./database.js";
import { type StoreFileOptions, storeFileOf, storeFindingOf } from "./store-file.js";

/** Which stores are kept in order: the embedded one of a project, or those of a database. */
export interface KeptStoresOptions extends StoreFileOptions {
  /** The project's folder; a relative one starts from the folder of the process. */
  readonly folder: string;
  /** Address of a database, such as `postgres://user@host:5432/connectors`. @default the embedded store of the project */
  readonly database?: string | undefined;
  /** The only workspace of the database. @default all */
  readonly workspace?: string | undefined;
}

/** What was done, store by store. */
export interface KeptStores<Result> {
  /** One for each store, with the name of its workspace, which is null for an embedded store; absent if nothing was done. */
  readonly results?: readonly (Result & { readonly workspace: string | null })[];
  /** Why nothing was done, or not to all. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The version of the tables of a database. */
export interface MigratedDatabase {
  /** The version before, and now; absent if nothing was done. */
  readonly versions?: { readonly from: number; readonly to: number };
  /** Why nothing was done. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Brings the tables of a database to the version of this package, or makes them. */
export async function migrateDatabase({
  database,
}: {
  /** Address of the database. */
  readonly database: string;
}): Promise<MigratedDatabase> {
  try {
    const { migratePostgres } = await import("../../runtime/entries/postgres.js");
    return { versions: await migratePostgres({ url: database }), diagnostics: [] };
  } catch (error) {
    return { diagnostics: [storeFindingOf(error)] };
  }
}

/** Removes changes that are old enough and that no living consumer waits for. */
export function pruneStores({
  keepMs,
  consumerMs,
  ...options
}: KeptStoresOptions & PruneOptions): Promise<KeptStores<PrunedChanges>> {
  return eachStore(options, (store) => store.changes.prune({ keepMs, consumerMs }));
}

/** The programs that follow the change feed, and how far each is. */
export function listConsumers(
  options: KeptStoresOptions,
): Promise<KeptStores<{ readonly consumers: readonly Consumer[]; readonly last: number }>> {
  return eachStore(options, async ({ changes }) => ({
    consumers: await changes.consumers(),
    last: await changes.last(),
  }));
}

/** Which consumer. */
export interface ConsumerOptions extends KeptStoresOptions {
  /** Name of the consumer. */
  readonly consumer: string;
}

/**
 * Notes that a consumer has dealt with all changes up to a number.
 * @throws RangeError if there is no change with this number.
 */
export function advanceConsumer({
  consumer,
  sequence,
  ...options
}: ConsumerOptions & {
  /** Number of the last change that it has dealt with. */
  readonly sequence: number;
}): Promise<KeptStores<object>> {
  return eachStore(options, async ({ changes }) => {
    await changes.advance(consumer, sequence);
    return {};
  });
}

/** Forgets a consumer, so that it holds nothing any more. */
export function forgetConsumer({
  consumer,
  ...options
}: ConsumerOptions): Promise<KeptStores<{ readonly isForgotten: boolean }>> {
  return eachStore(options, async ({ changes }) => ({ isForgotten: await changes.forget(consumer) }));
}

/** Wraps the data keys of sealed stores with the first key of `storeKey`, and makes new ones if asked to. */
export async function rotateStoreKeys({
  newDataKey,
  ...options
}: KeptStoresOptions & RotateOptions & { readonly storeKey: string }): Promise<KeptStores<RotatedKeys>> {
  const key = localKeys(options.storeKey);
  const { database } = options;
  if (database === undefined)
    return ofFile(options, async (file) => rotateSqliteKeys({ file, key, newDataKey }));
  return ofWorkspaces({ ...options, database }, (stores, name) => stores.rotateKeys(name, { newDataKey }));
}

function eachStore<Result extends object>(
  options: KeptStoresOptions,
  use: (store: Store) => Promise<Result>,
): Promise<KeptStores<Result>> {
  const { database } = options;
  // The feed can be looked after without the key of a sealed store.
  if (database === undefined) return ofFile(options, (file) => closing(openSqliteStore({ file }), use));
  const { storeKey: _, ...rest } = options;
  return ofWorkspaces({ ...rest, database }, (stores, name) => closing(stores.open(name), use));
}

async function closing<Result>(
  opening: Promise<Store>,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await opening;
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function ofFile<Result extends object>(
  options: KeptStoresOptions,
  use: (file: string) => Promise<Result>,
): Promise<KeptStores<Result>> {
  const file = storeFileOf(options);
  if (!existsSync(file)) {
    const reason = `There is no store ${file}`;
    return { diagnostics: [diagnostic("store-unusable", { file }, { reason })] };
  }
  try {
    return { results: [{ ...(await use(file)), workspace: null }], diagnostics: [] };
  } catch (error) {
    return { diagnostics: [storeFindingOf(error, file)] };
  }
}

async function ofWorkspaces<Result extends object>(
  { database, workspace, storeKey }: KeptStoresOptions & { readonly database: string },
  use: (stores: PostgresStores, name: string) => Promise<Result>,
): Promise<KeptStores<Result>> {
  const results: (Result & { readonly workspace: string | null })[] = [];
  try {
    return await withPostgresStores({ database, storeKey }, async (stores): Promise<KeptStores<Result>> => {
      const known = await stores.tenants();
      if (workspace !== undefined && !known.includes(workspace)) {
        const reason = `The database has no workspace "${workspace}": there is ${known.join(", ") || "none"}`;
        return { diagnostics: [diagnostic("store-unusable", {}, { reason })] };
      }
      for (const name of workspace === undefined ? known : [workspace])
        results.push({ ...(await use(stores, name)), workspace: name });
      return { results, diagnostics: [] };
    });
  } catch (error) {
    return { ...(results.length > 0 && { results }), diagnostics: [storeFindingOf(error)] };
  }
}
