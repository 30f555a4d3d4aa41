/** Reads the change orders of every contract. */
import { pageNumbers, path } from "connectorcli/client";
import { type ApiClient, type CountedPage, untilGone } from "../../client/api-client.js";
import type { ChangeOrdersJson } from "../../generated/changeorder/change-orders.js";
import type { ChangeOrdersReaderContext } from "../../generated/changeorder/contexts.js";

const PAGE_SIZE = 50;

export async function* changeOrdersReader({
  client,
  signal,
}: ChangeOrdersReaderContext<ApiClient>): AsyncGenerator<ChangeOrdersJson> {
  for await (const { id } of client.contracts(signal)) {
    const pages = pageNumbers({
      read: (page) => {
        const query = { page, pageSize: PAGE_SIZE };
        return client.get<CountedPage<ChangeOrdersJson>>(path`contracts/${id}/change-orders`, {
          query,
          signal,
        });
      },
      itemsOf: ({ items }) => items,
    });
    for await (const { items } of untilGone(pages)) yield* items;
  }
}
