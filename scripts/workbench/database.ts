/** Opens the stores of a database for as long as something is done with them. */
import type { PostgresOptions, PostgresStores } from "../../runtime/entries/postgres.js";
import { localKeys } from "../../runtime/store/sealing/key-wrapper.js";

/** Which database. */
export interface DatabaseOptions {
  /** Address of the database, such as `postgres://user@host:5432/connectors`. */
  readonly database: string;
  /** Text of the key that seals. @default none */
  readonly storeKey?: string | undefined;
}

/**
 * The stores of a database, for looking into them; whoever opened them closes them. A store that nobody has sealed stays as
 * it is.
 * @throws StoreError if the database can't be used
 */
export async function openToLook({ database, storeKey }: DatabaseOptions): Promise<PostgresStores> {
  const { openPostgres } = await import("../../runtime/entries/postgres.js");
  return openPostgres({ url: database, sealing: sealingToLook(storeKey) });
}

/** @throws StoreError if the database can't be used; what `use` throws. */
export async function withPostgresStores<Result>(
  { database, storeKey, maxQueuedActions }: DatabaseOptions & Pick<PostgresOptions, "maxQueuedActions">,
  use: (stores: PostgresStores) => Promise<Result>,
): Promise<Result> {
  const { openPostgres } = await import("../../runtime/entries/postgres.js");
  const stores = await openPostgres({ url: database, sealing: sealingOf(storeKey), maxQueuedActions });
  try {
    return await use(stores);
  } finally {
    await stores.close();
  }
}

/** How stores are opened with the text of a key, and none is sealed. @throws KeyError if it holds none. */
export function sealingToLook(storeKey: string | undefined) {
  const sealing = sealingOf(storeKey);
  return sealing && { ...sealing, onlyOpens: true };
}

/** How stores are sealed with the text of a key. @throws KeyError if it holds none. */
export function sealingOf(storeKey: string | undefined) {
  return storeKey === undefined ? undefined : { key: localKeys(storeKey) };
}
