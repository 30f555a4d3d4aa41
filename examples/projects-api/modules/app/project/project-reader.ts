/** Reads every project, or the active ones only. What it does not yield is deleted from the cache, so it throws if it can't go on. */
import { pageNumbers } from "connectorcli/client";
import type { ApiClient } from "../../../client/api-client.js";
import type { ProjectReaderContext } from "../../../generated/app/contexts.js";
import type { ProjectJson } from "../../../generated/app/project.js";

const PAGE_SIZE = 100;

export async function* readProject(context: ProjectReaderContext<ApiClient>): AsyncGenerator<ProjectJson> {
  const { client, registrationConfiguration, signal } = context;
  // What the user of the connector chose for the workspace. Without a status the platform sends all projects.
  const status = registrationConfiguration.projectStatus === "Active" ? "Active" : undefined;
  const pages = pageNumbers({
    read: (page) => {
      const query = { status, page, pageSize: PAGE_SIZE };
      return client.get<readonly ProjectJson[]>("projects", { query, signal });
    },
    itemsOf: (items) => items,
  });
  for await (const items of pages) yield* items;
}
