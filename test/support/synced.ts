/** Runs the cache writer on items, with a store of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { syncObject } from "../../runtime/cache-writer/sync-object.js";
import type { SyncOptions, SyncResult } from "../../runtime/cache-writer/sync-options.js";
import type { RecordType } from "../../runtime/records/record-type.js";
import type { ReaderContext, RecordChange } from "../../runtime/registration/contracts.js";
import { openSqliteStore } from "../../runtime/store/sqlite/open-store.js";
import type { Store } from "../../runtime/store/store.js";
import { all, ITEM, PATH, SILENT } from "./items.js";

export type Options = Partial<SyncOptions> & { readonly type?: RecordType };
type Reader<Item> = (context: ReaderContext) => AsyncIterable<Item>;

/** A store in a folder of its own. */
export async function syncedItems(): Promise<SyncedItems> {
  const folder = mkdtempSync(join(tmpdir(), "connectorcli-cache-"));
  const file = join(folder, "cache.db");
  return new SyncedItems(folder, file, await openSqliteStore({ file }));
}

/** What tests do with a store. */
export class SyncedItems {
  constructor(
    readonly folder: string,
    readonly file: string,
    readonly store: Store,
  ) {}

  async remove(): Promise<void> {
    await this.store.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  /** A run of a full reader; a list is read as it stands. */
  full(source: readonly unknown[] | Reader<unknown>, options: Options = {}): Promise<SyncResult> {
    const reader = typeof source === "function" ? source : () => listed(source);
    const { type = ITEM, ...rest } = options;
    const object = { name: type.name, dataPath: PATH, record: type, readerType: "full" as const, reader };
    return syncObject(object, { ...this.#defaults(), ...rest });
  }

  incremental(reader: Reader<RecordChange<unknown>>, options: Options = {}): Promise<SyncResult> {
    const { type = ITEM, ...rest } = options;
    const object = {
      name: type.name,
      dataPath: PATH,
      record: type,
      readerType: "incremental" as const,
      reader,
    };
    return syncObject(object, { ...this.#defaults(), ...rest });
  }

  /** What is in the cache, by key. */
  async contents(): Promise<Readonly<Record<string, unknown>>> {
    const records = await all(this.store.records.list(PATH));
    return Object.fromEntries(records.map(({ key, record }) => [key, record]));
  }

  async rejectedKeys(): Promise<readonly (string | undefined)[]> {
    return (await all(this.store.rejected.list(PATH))).map(({ key }) => key);
  }

  #defaults(): SyncOptions {
    const { signal } = new AbortController();
    return { store: this.store, client: undefined, connection: {}, log: SILENT, signal, pageSize: 3 };
  }
}

/** Counts in one line: unchanged, inserted, updated, deleted, rejected. */
export function counts(result: SyncResult): string {
  const { outcome, unchanged, inserted, updated, deleted, rejected } = result;
  return `${outcome} ${unchanged} ${inserted} ${updated} ${deleted} ${rejected}`;
}

export async function* listed<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  for (const value of values) yield value;
}
