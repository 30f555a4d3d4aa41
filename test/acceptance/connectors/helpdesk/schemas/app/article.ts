/** Article: what customers can read for themselves. */
import { defineDataObject, Type } from "connectorcli";

export const Article = defineDataObject("Article", {
  description: "What customers can read for themselves.",
  primaryKey: "slug",
  properties: {
    slug: Type.String({ description: "Its part of an address.", pattern: "^[a-z]{3,8}-\\d{1,5}$" }),
    title: Type.String({ description: "What it is about.", maxLength: 200 }),
    words: Type.Integer({ description: "Length of the text.", minimum: 0 }),
    rating: Type.Optional(Type.Number({ description: "From readers.", minimum: 1, maximum: 5 })),
  },
});
