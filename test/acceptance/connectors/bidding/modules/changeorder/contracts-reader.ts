/** Reads the contracts of every project. */
import type { ApiClient } from "../../client/api-client.js";
import type { ContractsReaderContext } from "../../generated/changeorder/contexts.js";
import type { ContractsJson } from "../../generated/changeorder/contracts.js";

export async function* contractsReader({
  client,
  signal,
}: ContractsReaderContext<ApiClient>): AsyncGenerator<ContractsJson> {
  yield* client.contracts(signal);
}
