/** Reads how the costs of every contract are distributed. */
import { path } from "connectorcli/client";
import { type ApiClient, untilGone } from "../../client/api-client.js";
import type { ContractCostDistributionReaderContext } from "../../generated/changeorder/contexts.js";
import type { ContractCostDistributionJson } from "../../generated/changeorder/contract-cost-distribution.js";

export async function* contractCostDistributionReader({
  client,
  signal,
}: ContractCostDistributionReaderContext<ApiClient>): AsyncGenerator<ContractCostDistributionJson> {
  for await (const { id } of client.contracts(signal)) {
    yield* untilGone(client.all<ContractCostDistributionJson>(path`contracts/${id}/costs`, signal));
  }
}
