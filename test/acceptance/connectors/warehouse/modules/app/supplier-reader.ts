/** Reads every supplier; a run that was interrupted goes on behind the last page. */
import { resultOrThrow } from "connectorcli/client";
import type { ApiClient } from "../../client/api-client.js";
import type { SupplierReaderContext } from "../../generated/app/contexts.js";
import type { SupplierJson } from "../../generated/app/supplier.js";

interface Page {
  readonly data: readonly SupplierJson[];
  readonly next: string | null;
}

export async function* supplierReader({
  client,
  resumePoint,
  saveResumePoint,
  signal,
}: SupplierReaderContext<ApiClient>): AsyncGenerator<SupplierJson> {
  let after = resumePoint;
  for (;;) {
    const response = await client.get<Page>("suppliers", { query: { after }, signal });
    const page = resultOrThrow(response);
    for (const supplier of page.data) yield supplier;
    if (page.next === null) return;
    if (page.next === after) throw new Error("The list of suppliers goes in a circle.");
    after = page.next;
    saveResumePoint(after);
  }
}
