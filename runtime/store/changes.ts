/** The port to the change feed: every insert, update and delete of the cache, in order. */

export interface Change {
  /** Counts up by one from 1 over all objects of the store. */
  readonly sequence: number;
  /** Data path of the object. */
  readonly object: string;
  readonly key: string;
  readonly operation: "insert" | "update" | "delete";
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The record as it is now, serialized; null where it has been deleted since. */
  readonly record: unknown;
}

export interface ChangesOptions {
  /** Changes of one object only, by its data path. */
  readonly object?: string | undefined;
  /** At most so many changes. By default all there are. */
  readonly limit?: number | undefined;
}

/**
 * A change is seen by readers only when every change with a lower number is, also under concurrent writers: who goes
 * on from the last number seen misses nothing.
 */
export interface ChangeFeed {
  /** Changes after the number `since`, in order and in constant memory. 0 starts at the first. */
  since(since: number, options?: ChangesOptions): AsyncIterable<Change>;
  /** Number of the last change; 0 where there is none. */
  last(): Promise<number>;
}
