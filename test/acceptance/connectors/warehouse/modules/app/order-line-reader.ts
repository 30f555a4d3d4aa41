/** Reads the lines of every order, one order after the other. */
import { cursors, linkHeaders, path, ResponseError } from "connectorcli/client";
import type { ApiClient } from "../../client/api-client.js";
import type { OrderLineReaderContext } from "../../generated/app/contexts.js";
import type { OrderJson } from "../../generated/app/order.js";
import type { OrderLineJson } from "../../generated/app/order-line.js";

interface Page {
  readonly orders: readonly OrderJson[];
  readonly next: string | null;
}

export async function* orderLineReader({
  client,
  signal,
}: OrderLineReaderContext<ApiClient>): AsyncGenerator<OrderLineJson> {
  const pages = cursors({
    read: (after) => client.get<Page>("orders", { query: { after, limit: 100 }, signal }),
    cursorOf: ({ next }) => next,
  });
  for await (const { orders } of pages) {
    for (const order of orders) {
      const lines = linkHeaders<readonly OrderLineJson[]>(client.http, path`orders/${order.id}/lines`, {
        query: { per_page: 50 },
        signal,
      });
      try {
        for await (const items of lines) yield* items;
      } catch (error) {
        // The order has gone since its list was read.
        if (!(error instanceof ResponseError && error.statusCode === 404)) throw error;
      }
    }
  }
}
