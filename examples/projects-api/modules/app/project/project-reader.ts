/** Reads every project. What it does not yield is deleted from the cache, so it throws where it can't go on. */
import { pageNumbers } from "connectorcli/client";
import type { ReaderContext } from "connectorcli/runtime";
import type { ApiClient } from "../../../client/api-client.js";
import type { ProjectJson } from "../../../generated/app/project.js";

const PAGE_SIZE = 100;

export async function* projectReader(context: ReaderContext<ApiClient>): AsyncGenerator<ProjectJson> {
  const { client, signal } = context;
  const pages = pageNumbers({
    read: (page) => client.getProjects(page, PAGE_SIZE, signal),
    itemsOf: (items) => items,
  });
  for await (const projects of pages) yield* projects;
}
