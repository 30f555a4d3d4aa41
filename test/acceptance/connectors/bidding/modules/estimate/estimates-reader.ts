/** Reads the estimates of every project. */
import { path } from "connectorcli/client";
import { type ApiClient, untilGone } from "../../client/api-client.js";
import type { EstimatesReaderContext } from "../../generated/estimate/contexts.js";
import type { EstimatesJson } from "../../generated/estimate/estimates.js";

export async function* estimatesReader({
  client,
  signal,
}: EstimatesReaderContext<ApiClient>): AsyncGenerator<EstimatesJson> {
  for await (const { projectId } of client.projects(signal)) {
    yield* untilGone(client.all<EstimatesJson>(path`projects/${projectId}/estimates`, signal));
  }
}
