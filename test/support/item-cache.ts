/** A data object with a composite key, an alternate key and a write-only property, and a cache of its records. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReaderContext, RecordChange, RecordType } from "../../runtime/codegen/index.js";
import { findings, type Log, type RegisteredObject } from "../../runtime/entries/runtime.js";
import { type Store, type SyncOptions, type SyncResult, syncObject } from "../../runtime/host/index.js";
import { openSqliteStore } from "../../runtime/store/sqlite/open-store.js";
import { all, listed } from "./promises.js";

/** A record as its target system has it. */
export interface Item {
  readonly company: string;
  readonly id: number;
  readonly serial_number: string;
  readonly name?: string | null;
  readonly secret?: string;
  readonly [other: string]: unknown;
}

const SCHEMA = {
  type: "object",
  properties: {
    company: { type: "string" },
    id: { type: "integer" },
    serial_number: { type: "string" },
    name: { type: ["string", "null"], maxLength: 20 },
    secret: { type: "string", maxLength: 30, writeOnly: true },
  },
  required: ["company", "id", "serial_number"],
};

export const ITEM: RecordType = {
  name: "Item",
  schema: SCHEMA,
  check: (value) => findings(SCHEMA, value).length === 0,
  names: { properties: [["serialNumber", "serial_number"]] },
  keys: [
    { name: "id", isPrimary: true, properties: ["company", "id"] },
    { name: "number", isPrimary: false, properties: ["serialNumber"] },
  ],
};

export const PATH = "tests/app/1/item";

/** The data object with a full reader. */
export function fullObject<Client>(
  reader: (context: ReaderContext<Client>) => AsyncIterable<unknown>,
  record: RecordType = ITEM,
): RegisteredObject<Client> {
  return { ...objectOf(record), readerType: "full", reader };
}

/** The data object with an incremental reader. */
export function incrementalObject<Client>(
  reader: (context: ReaderContext<Client>) => AsyncIterable<RecordChange<unknown>>,
  record: RecordType = ITEM,
): RegisteredObject<Client> {
  return { ...objectOf(record), readerType: "incremental", reader };
}

function objectOf(record: RecordType) {
  return { name: record.name, urlPart: "item", dataPath: PATH, record, switchName: "ItemConfig" };
}

/** What configurations say to a reader or handler if they say nothing. */
export const NO_SETTINGS = { registrationConfiguration: {}, serviceConfiguration: {}, settings: {} };

export function item(id: number, more: Partial<Item> = {}): Item {
  return { company: "a", id, serial_number: `n${id}`, ...more };
}

export const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

export type Options = Partial<SyncOptions> & { readonly type?: RecordType };
type Reader<Item> = (context: ReaderContext) => AsyncIterable<Item>;

/** A store in a folder of its own. */
export async function openItemCache(): Promise<ItemCache> {
  const folder = mkdtempSync(join(tmpdir(), "connectorcli-cache-"));
  const file = join(folder, "cache.db");
  return new ItemCache(folder, file, await openSqliteStore({ file }));
}

/** What tests do with a store. */
export class ItemCache {
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
    return syncObject(fullObject(reader, type), { ...this.#defaults(), ...rest });
  }

  incremental(reader: Reader<RecordChange<unknown>>, options: Options = {}): Promise<SyncResult> {
    const { type = ITEM, ...rest } = options;
    return syncObject(incrementalObject(reader, type), { ...this.#defaults(), ...rest });
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

/** The outcome of a run and its counts, without those that are 0. */
export function endOf({ outcome, ...result }: SyncResult) {
  const { unchanged, inserted, updated, deleted, rejected } = result;
  const counts = Object.entries({ unchanged, inserted, updated, deleted, rejected });
  return { outcome, ...Object.fromEntries(counts.filter(([, count]) => count > 0)) };
}

export class Replica {
  #seen = 0;
  readonly #records = new Map<string, unknown>();
  /** How often each key was inserted, updated or deleted. */
  readonly changes = new Map<string, number>();

  /** @throws Error where a change is missing. */
  async follow(store: Store): Promise<void> {
    for await (const { sequence, key, operation, record } of store.changes.since(this.#seen, {
      object: PATH,
    })) {
      if (sequence !== this.#seen + 1) throw new Error(`change ${sequence} came after ${this.#seen}`);
      this.#seen = sequence;
      this.changes.set(key, (this.changes.get(key) ?? 0) + 1);
      if (operation === "delete" || record === null) this.#records.delete(key);
      else this.#records.set(key, record);
    }
  }

  get records(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.#records);
  }
}
