/** Reads every article, or those of the status that the workspace is for. */
import { pageNumbers } from "connectorcli/client";
import type { ApiClient } from "../../client/api-client.js";
import type { ArticleJson } from "../../generated/app/article.js";
import type { ArticleReaderContext } from "../../generated/app/contexts.js";

const PAGE_SIZE = 100;

interface Page {
  readonly articles: readonly ArticleJson[];
}

export async function* articleReader({
  client,
  registrationConfiguration,
  signal,
}: ArticleReaderContext<ApiClient>): AsyncGenerator<ArticleJson> {
  const { articleStatus = "All" } = registrationConfiguration;
  const status = articleStatus === "All" ? undefined : articleStatus;
  const pages = pageNumbers({
    read: (page) => client.get<Page>("articles", { query: { page, per_page: PAGE_SIZE, status }, signal }),
    itemsOf: ({ articles }) => articles,
  });
  for await (const { articles } of pages) yield* articles;
}
