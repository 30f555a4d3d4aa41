/** Removes a supplier. */
import { path, refusalOf, throwIfRetryable } from "connectorcli/client";
import { failed, succeeded } from "connectorcli/runtime";
import type { ApiClient } from "../../client/api-client.js";
import type {
  DeleteSupplierActionContext,
  DeleteSupplierActionResult,
} from "../../generated/app/contexts.js";
import type { DeleteSupplierInput } from "../../generated/app/supplier.js";

export async function deleteSupplierHandler(
  { code }: DeleteSupplierInput,
  { client, signal }: DeleteSupplierActionContext<ApiClient>,
): Promise<DeleteSupplierActionResult> {
  const response = throwIfRetryable(await client.delete(path`suppliers/${code}`, { signal }));
  // The record is gone already: an earlier attempt may have deleted it, and its answer was lost.
  const isGone = response.statusCode === 404 || response.statusCode === 410;
  const refusal = isGone ? null : refusalOf(response);
  if (refusal !== null) return failed(refusal);
  return succeeded({}, [{ dataObject: "Supplier", operation: "delete", record: { code } }]);
}
