/** Lists the articles of the brand that the workspace is for. */
import { answer, defineReader, setting } from "connectorcli/runtime";
import { Article, type ArticleJson } from "../../generated/app/article.js";

interface Answer {
  readonly data: readonly ArticleJson[];
  readonly total: number;
}

export const articleReader = defineReader(Article, {
  list: "GET /brands/{brand}/articles",
  path: { brand: setting("Brand") },
  answer: answer<Answer>(),
  items: "data",
  pages: { kind: "offset", send: "offset", total: "total", size: { send: "limit", value: 25 } },
});
