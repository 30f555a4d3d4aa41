/** Reads the quote labels of every contract. */
import { path } from "connectorcli/client";
import { type ApiClient, untilGone } from "../../client/api-client.js";
import type { ContractQuoteLabelsReaderContext } from "../../generated/changeorder/contexts.js";
import type { ContractQuoteLabelsJson } from "../../generated/changeorder/contract-quote-labels.js";

export async function* contractQuoteLabelsReader({
  client,
  signal,
}: ContractQuoteLabelsReaderContext<ApiClient>): AsyncGenerator<ContractQuoteLabelsJson> {
  for await (const { id } of client.contracts(signal)) {
    yield* untilGone(client.all<ContractQuoteLabelsJson>(path`contracts/${id}/quote-labels`, signal));
  }
}
