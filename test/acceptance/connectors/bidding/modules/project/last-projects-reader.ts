/** Reads the projects of every database that somebody has worked on lately. */
import { path, resultOrThrow } from "connectorcli/client";
import type { ApiClient } from "../../client/api-client.js";
import type { LastProjectsReaderContext } from "../../generated/project/contexts.js";
import type { LastProjectsJson } from "../../generated/project/last-projects.js";

export async function* lastProjectsReader({
  client,
  signal,
}: LastProjectsReaderContext<ApiClient>): AsyncGenerator<LastProjectsJson> {
  for (const { token } of await client.databases(signal)) {
    const address = path`databases/${token}/last-projects`;
    const response = await client.get<readonly LastProjectsJson[]>(address, { signal });
    // The user has lost access to the database since its list was read.
    if (response.statusCode === 404) continue;
    yield* resultOrThrow(response);
  }
}
