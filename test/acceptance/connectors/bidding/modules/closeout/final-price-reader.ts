/** Reads the final prices of every project: the next page begins behind the last price. */
import { path, resultOrThrow } from "connectorcli/client";
import type { ApiClient } from "../../client/api-client.js";
import type { FinalPriceReaderContext } from "../../generated/closeout/contexts.js";
import type { FinalPriceJson } from "../../generated/closeout/final-price.js";

export async function* finalPriceReader({
  client,
  signal,
}: FinalPriceReaderContext<ApiClient>): AsyncGenerator<FinalPriceJson> {
  for await (const { projectId } of client.projects(signal)) {
    const address = path`projects/${projectId}/final-prices`;
    let behind: string | undefined;
    for (;;) {
      const query = { behind, limit: 50 };
      const response = await client.get<readonly FinalPriceJson[]>(address, { query, signal });
      // The project has gone since its list was read.
      if (response.statusCode === 404) break;
      const prices = resultOrThrow(response);
      yield* prices;
      behind = prices.at(-1)?.id;
      if (behind === undefined) break;
    }
  }
}
