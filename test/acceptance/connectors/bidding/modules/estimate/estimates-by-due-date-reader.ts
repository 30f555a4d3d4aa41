/** Reads the estimates that are due from the day on that the workspace is for. */
import { linkHeaders } from "connectorcli/client";
import type { ApiClient } from "../../client/api-client.js";
import type { EstimatesByDueDateReaderContext } from "../../generated/estimate/contexts.js";
import type { EstimatesByDueDateJson } from "../../generated/estimate/estimates-by-due-date.js";

export async function* estimatesByDueDateReader({
  client,
  registrationConfiguration,
  signal,
}: EstimatesByDueDateReaderContext<ApiClient>): AsyncGenerator<EstimatesByDueDateJson> {
  const query = { dueFrom: registrationConfiguration.estimatesDueFrom, limit: 50 };
  const pages = linkHeaders<readonly EstimatesByDueDateJson[]>(client.http, "estimates/due", {
    query,
    signal,
  });
  for await (const items of pages) yield* items;
}
