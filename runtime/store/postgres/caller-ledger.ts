/** A ledger that adds actions within a transaction of the caller's own, on the caller's connection. */
import { safeGet } from "../../untrusted.js";
import { type ActionLedger, StoreError } from "../store.js";
import { addAction, type LedgerPlace } from "./actions.js";
import type { Database, Queries, Row } from "./database.js";
import { toStoreError } from "./errors.js";

/** A connection as `pg` has it: a `Client`, or what `connect` of a `Pool` gives. */
export interface PostgresClient {
  /** Executes a statement, and gives its rows as lists. */
  query(statement: {
    readonly text: string;
    // As `pg` types it.
    readonly values: unknown[];
    readonly rowMode: "array";
  }): Promise<{ readonly rows: unknown[][] }>;
}

const IS_THERE = "SELECT 1 FROM connectorcli.workspaces WHERE id = $1 AND name = $2";
/** Statements of one transaction are told the same, down to the microsecond. */
const BEGUN = "SELECT transaction_timestamp()::text";

const UNDEFINED_TABLE = "42P01";

interface CallerLedgerOptions extends LedgerPlace {
  readonly database: Database;
}

/** @throws StoreError `unavailable` if the client has no open transaction, or is connected to another database. */
export async function callerLedger(
  client: PostgresClient,
  { database, workspace, tenant, limit }: CallerLedgerOptions,
): Promise<Pick<ActionLedger, "add">> {
  const name = database.nameOf(tenant);
  const queries = queriesOf(client, name);
  const isElsewhere = () =>
    new StoreError("unavailable", `${name}: the client is connected to another database.`);
  const begun = await queries.row(BEGUN);
  const found = await queries.row(IS_THERE, workspace, tenant).catch((error: unknown) => {
    throw safeGet(error, "code") === UNDEFINED_TABLE ? isElsewhere() : error;
  });
  if (found === undefined) throw isElsewhere();
  if ((await queries.row(BEGUN))?.[0] !== begun?.[0]) {
    const advice = "Execute BEGIN on it first; a pool is no connection.";
    throw new StoreError("unavailable", `${name}: the client has no open transaction. ${advice}`);
  }
  return {
    add: (action) => addAction(queries, { workspace, limit, name }, action),
  };
}

/** The name of a prepared statement could be one of the caller's. */
function queriesOf(client: PostgresClient, name: string): Pick<Queries, "row"> {
  return {
    row: async (text, ...values) => {
      try {
        const { rows } = await client.query({ text, values: [...values], rowMode: "array" });
        return rows[0] as Row | undefined;
      } catch (error) {
        throw toStoreError(error, name);
      }
    },
  };
}
