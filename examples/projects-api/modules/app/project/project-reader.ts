/** Reads every project. What it does not yield is deleted from the cache, so it throws where it can't go on. */
import { pageNumbers } from "connectorcli/client";
import type { ReaderContext } from "connectorcli/runtime";
import type { ApiClient } from "../../../client/api-client.js";
import type { ProjectJson } from "../../../generated/app/project.js";

// Adapt to the target system: the path of the list, and how it is asked for a page.
const LIST = "projects";
const PAGE_SIZE = 100;

export async function* readProject(context: ReaderContext<ApiClient>): AsyncGenerator<ProjectJson> {
  const { client, signal } = context;
  const pages = pageNumbers({
    read: (page) => {
      const query = { page, pageSize: PAGE_SIZE };
      return client.get<readonly ProjectJson[]>(LIST, { query, signal });
    },
    itemsOf: (items) => items,
  });
  for await (const items of pages) yield* items;
}
