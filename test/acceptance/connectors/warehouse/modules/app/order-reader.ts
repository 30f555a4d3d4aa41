/** Reads every order that has changed since the last run, those that were deleted too. */
import { cursors } from "connectorcli/client";
import type { RecordChange } from "connectorcli/runtime";
import type { ApiClient } from "../../client/api-client.js";
import type { OrderReaderContext } from "../../generated/app/contexts.js";
import type { OrderJson } from "../../generated/app/order.js";

/** A change may become visible later than its time says. */
const OVERLAP_MS = 2 * 60_000;

interface Page {
  readonly orders: readonly OrderJson[];
  readonly next: string | null;
}

export async function* orderReader(
  context: OrderReaderContext<ApiClient>,
): AsyncGenerator<RecordChange<OrderJson>> {
  const { client, checkpoint, signal } = context;
  let latest = 0;
  const pages = cursors({
    read: (after) =>
      client.get<Page>("orders", { query: { after, updated_since: checkpoint, limit: 100 }, signal }),
    cursorOf: ({ next }) => next,
  });
  for await (const { orders } of pages) {
    for (const order of orders) {
      latest = Math.max(latest, Date.parse(order.updated_at));
      yield { operation: order.state === "deleted" ? "delete" : "upsert", record: order };
    }
  }
  if (latest > 0) context.saveCheckpoint(new Date(latest - OVERLAP_MS).toISOString());
}
