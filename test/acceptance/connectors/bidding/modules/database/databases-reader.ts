/** Reads every database that the user has access to. */
import type { ApiClient } from "../../client/api-client.js";
import type { DatabasesReaderContext } from "../../generated/database/contexts.js";
import type { DatabasesJson } from "../../generated/database/databases.js";

export async function* databasesReader({
  client,
  signal,
}: DatabasesReaderContext<ApiClient>): AsyncGenerator<DatabasesJson> {
  yield* await client.databases(signal);
}
