/** Reads the statuses of every contract. */
import { path, resultOrThrow } from "connectorcli/client";
import type { ApiClient } from "../../client/api-client.js";
import type { ContractStatusesReaderContext } from "../../generated/changeorder/contexts.js";
import type { ContractStatusesJson } from "../../generated/changeorder/contract-statuses.js";

export async function* contractStatusesReader({
  client,
  signal,
}: ContractStatusesReaderContext<ApiClient>): AsyncGenerator<ContractStatusesJson> {
  for await (const { id } of client.contracts(signal)) {
    const address = path`contracts/${id}/statuses`;
    const response = await client.get<readonly ContractStatusesJson[]>(address, { signal });
    // The contract has gone since its list was read.
    if (response.statusCode === 404) continue;
    yield* resultOrThrow(response);
  }
}
