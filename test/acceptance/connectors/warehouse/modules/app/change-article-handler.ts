/** Changes what an article is called and what it costs. */
import { path, recordAfter, refusalOf, throwIfRetryable } from "connectorcli/client";
import { failed, succeeded } from "connectorcli/runtime";
import type { ApiClient } from "../../client/api-client.js";
import { Article, type ArticleJson, type ChangeArticleInput } from "../../generated/app/article.js";
import type { ChangeArticleActionContext, ChangeArticleActionResult } from "../../generated/app/contexts.js";

export async function changeArticleHandler(
  { id, title, price }: ChangeArticleInput,
  { client, signal }: ChangeArticleActionContext<ApiClient>,
): Promise<ChangeArticleActionResult> {
  const target = path`articles/${id}`;
  const response = throwIfRetryable(await client.patch<ArticleJson>(target, { title, price }, { signal }));
  const refusal = refusalOf(response);
  if (refusal !== null) return failed(refusal);
  // The answer may be empty: the article is read then.
  const article = await recordAfter(response, Article, () => client.get<ArticleJson>(target, { signal }));
  return succeeded(
    { id },
    article === null ? [] : [{ dataObject: "Article", operation: "upsert", record: article }],
  );
}
