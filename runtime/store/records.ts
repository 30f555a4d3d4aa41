/** The port to the cached records. */

/** A record as it is kept. */
export interface StoredRecord {
  /** Data path of the object. */
  readonly object: string;
  /** Value of the primary key, such as `id/7`. */
  readonly key: string;
  /** The serialized form; sensitive values are in it as they are. */
  readonly record: unknown;
  readonly hash: string;
  /** Sequence number of the change that made it so. */
  readonly sequence: number;
}

/**
 * What is to be written of a record: a valid one with its key and hash, or the key of one that is gone. Keys are
 * well-formed texts without NUL, as `recordKey` makes them; a hash is a word without spaces.
 */
export type RecordWrite =
  | {
      readonly operation: "upsert";
      readonly key: string;
      readonly hash: string;
      /** The serialized form, valid by its schema. */
      readonly record: object;
    }
  | { readonly operation: "delete"; readonly key: string };

/** The values of a record's alternate keys, such as `number/7/a`; asked for where a record is new or changed. */
export type AlternateKeys = (record: object) => readonly string[];

/** An alternate key that more than one record has. */
export interface SharedKey {
  readonly alternateKey: string;
  /** Primary keys of the records, the first ten in their order. */
  readonly keys: readonly string[];
}

export interface ListOptions {
  /** Only keys that come after this one. */
  readonly after?: string | undefined;
  /** At most so many records. By default all. */
  readonly limit?: number | undefined;
}

export interface RecordStore {
  /** The record with this primary key. */
  get(object: string, key: string): Promise<StoredRecord | undefined>;
  /** The records with this alternate key, in the order of their keys: one, unless the target system has more. */
  find(object: string, alternateKey: string): Promise<readonly StoredRecord[]>;
  /** Records in the order of their keys (by code point), in constant memory. */
  list(object: string, options?: ListOptions): AsyncIterable<StoredRecord>;
  count(object: string): Promise<number>;
  /** Alternate keys that more than one record has, the first `limit` in their order. */
  sharedKeys(object: string, limit: number): Promise<readonly SharedKey[]>;
}
