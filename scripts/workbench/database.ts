/** Opens the stores of a database for as long as something is done with them. */
import type { PostgresOptions, PostgresStores } from "../../runtime/entries/postgres.js";
import type { openForWork } from "../../runtime/store/postgres/open-store.js";
import { localKeys } from "../../runtime/store/sealing/key-wrapper.js";
import { StoreError } from "../../runtime/store/store.js";
import { didYouMean } from "../../schemas/naming/nearest.js";

/** Which database. */
export interface DatabaseOptions {
  /** Address of the database, such as `postgres://user@host:5432/connectors`. */
  readonly database: string;
  /** Text of the key that seals. @default none */
  readonly storeKey?: string | undefined;
}

/** The stores of a database, with what is asked and told of the settings of workspaces. */
export type OpenStores = Awaited<ReturnType<typeof openForWork>>;

/**
 * The stores of a database, for looking into them; whoever opened them closes them. A store that nobody has sealed stays as
 * it is.
 * @throws StoreError if the database can't be used
 */
export async function openToLook({ database, storeKey }: DatabaseOptions): Promise<OpenStores> {
  const { openForWork } = await import("../../runtime/store/postgres/open-store.js");
  return openForWork({ url: database, sealing: sealingToLook(storeKey) });
}

/** Workspaces that a message names. */
const MAX_NAMES = 20;

/**
 * The workspace of a database that is meant: the one with the name, or the only one.
 * @throws StoreError if there is none
 */
export async function chosenWorkspace(
  stores: Pick<PostgresStores, "tenants">,
  name: string | undefined,
): Promise<string> {
  const names = await stores.tenants();
  const chosen = name ?? (names.length === 1 ? names[0] : undefined);
  if (chosen !== undefined && names.includes(chosen)) return chosen;
  throw new StoreError("unavailable", `${noWorkspaceWords(chosen, names)}.`);
}

/** Why none of these workspaces of a database is meant: none has the name, or several are there and none is named. */
export function noWorkspaceWords(name: string | undefined, names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(", ");
  const there = names.length === 0 ? "none" : `${shown}${names.length > MAX_NAMES ? ", …" : ""}`;
  if (name === undefined)
    return names.length === 0
      ? "The database has no workspaces"
      : `The database has several workspaces, say which one: ${there}`;
  return `The database has no workspace "${name}": there is ${there}.${didYouMean(name, names)}`;
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
