/** Places an order. */
import { refusalOf, throwIfRetryable } from "connectorcli/client";
import { failed, succeeded } from "connectorcli/runtime";
import type { ApiClient } from "../../client/api-client.js";
import type { CreateOrderActionContext, CreateOrderActionResult } from "../../generated/app/contexts.js";
import type { CreateOrderInput, OrderJson } from "../../generated/app/order.js";

export async function createOrderHandler(
  input: CreateOrderInput,
  { client, idempotency, signal }: CreateOrderActionContext<ApiClient>,
): Promise<CreateOrderActionResult> {
  const response = throwIfRetryable(
    await client.post<OrderJson>("orders", input, {
      headers: { "Idempotency-Key": idempotency.key },
      signal,
    }),
  );
  const refusal = refusalOf(response);
  if (refusal !== null) return failed(refusal);
  const order = response.result;
  if (order === null) throw new Error("The warehouse names no order.");
  return succeeded({ id: order.id, number: order.number }, [
    { dataObject: "Order", operation: "upsert", record: order },
  ]);
}
