/** Reads the stock of every warehouse, or of the one that the cache writer is for. */
import { offsets } from "connectorcli/client";
import type { ApiClient } from "../../client/api-client.js";
import type { StockLevelReaderContext } from "../../generated/app/contexts.js";
import type { StockLevelJson } from "../../generated/app/stock-level.js";

const LIMIT = 100;

interface Page {
  readonly items: readonly StockLevelJson[];
  readonly total: number;
}

export async function* stockLevelReader({
  client,
  serviceConfiguration,
  signal,
}: StockLevelReaderContext<ApiClient>): AsyncGenerator<StockLevelJson> {
  const pages = offsets({
    read: (skip) => {
      const query = { skip, limit: LIMIT, warehouse_id: serviceConfiguration.warehouseId };
      return client.get<Page>("stock", { query, signal });
    },
    itemsOf: ({ items }) => items,
    totalOf: ({ total }) => total,
  });
  for await (const { items } of pages) yield* items;
}
