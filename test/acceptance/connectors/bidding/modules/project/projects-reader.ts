/** Reads the projects of every database. */
import type { ApiClient } from "../../client/api-client.js";
import type { ProjectsReaderContext } from "../../generated/project/contexts.js";
import type { ProjectsJson } from "../../generated/project/projects.js";

export async function* projectsReader({
  client,
  signal,
}: ProjectsReaderContext<ApiClient>): AsyncGenerator<ProjectsJson> {
  yield* client.projects(signal);
}
