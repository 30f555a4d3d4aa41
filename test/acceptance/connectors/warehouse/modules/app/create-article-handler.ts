/** Adds an article. The warehouse takes no key for that, so an attempt that follows another looks first. */
import { refusalOf, resultOrThrow, throwIfRetryable } from "connectorcli/client";
import { failed, succeeded } from "connectorcli/runtime";
import type { ApiClient } from "../../client/api-client.js";
import type { ArticleJson, CreateArticleInput } from "../../generated/app/article.js";
import type { CreateArticleActionContext, CreateArticleActionResult } from "../../generated/app/contexts.js";

export async function createArticleHandler(
  input: CreateArticleInput,
  { client, idempotency, signal }: CreateArticleActionContext<ApiClient>,
): Promise<CreateArticleActionResult> {
  if (idempotency.previous !== null) {
    const query = { sku: input.sku };
    const found = resultOrThrow(await client.get<readonly ArticleJson[]>("articles/find", { query, signal }));
    const article = found.find(({ sku }) => sku === input.sku);
    if (article !== undefined) return done(article);
  }
  await idempotency.note("sent");
  const response = throwIfRetryable(await client.post<ArticleJson>("articles", input, { signal }));
  const refusal = refusalOf(response);
  if (refusal !== null) return failed(refusal);
  if (response.result === null) throw new Error("The warehouse names no article.");
  return done(response.result);
}

function done(article: ArticleJson): CreateArticleActionResult {
  return succeeded({ id: article.id, sku: article.sku }, [
    { dataObject: "Article", operation: "upsert", record: article },
  ]);
}
