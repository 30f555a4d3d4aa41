/** Reads every warehouse: there are few, so the list has no pages. */
import { resultOrThrow } from "connectorcli/client";
import type { ApiClient } from "../../client/api-client.js";
import type { WarehouseReaderContext } from "../../generated/app/contexts.js";
import type { WarehouseJson } from "../../generated/app/warehouse.js";

export async function* warehouseReader({
  client,
  signal,
}: WarehouseReaderContext<ApiClient>): AsyncGenerator<WarehouseJson> {
  yield* resultOrThrow(await client.get<readonly WarehouseJson[]>("warehouses", { signal }));
}
