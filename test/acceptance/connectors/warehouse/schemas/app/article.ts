/** Article: what is bought and sold. */
import { defineAction, defineDataObject, Nullable, StringEnum, Type } from "connectorcli";

export const Article = defineDataObject("Article", {
  description: "What is bought and sold.",
  primaryKey: "id",
  alternateKeys: ["sku"],
  namingConvention: "snake_case",
  properties: {
    id: Type.Integer({ description: "Identifier of the article.", minimum: 1 }),
    sku: Type.String({ description: "Number that the dealer gives it.", pattern: "^[A-Z]{2}-\\d{2,6}$" }),
    title: Type.String({ description: "What it is called.", minLength: 1, maxLength: 100 }),
    status: StringEnum(["Active", "Retired"], { description: "Whether it is still sold." }),
    price: Nullable(Type.Number({ description: "In the dealer's currency.", minimum: 0 })),
    weight: Type.Optional(Type.Number({ description: "In kilograms.", minimum: 0 })),
    supplierNote: Type.Optional(
      Type.String({ description: "What the supplier says of it.", maxLength: 200, writeOnly: true }),
    ),
  },
});

export const CreateArticle = defineAction("Create", {
  dataObject: Article,
  description: "Adds an article.",
  namingConvention: "snake_case",
  input: Type.Omit(Article.schema, ["id"]),
  output: Type.Pick(Article.schema, ["id", "sku"]),
});

export const ChangeArticle = defineAction("Change", {
  dataObject: Article,
  description: "Changes what an article is called and what it costs.",
  namingConvention: "snake_case",
  input: Type.Pick(Article.schema, ["id", "title", "price"]),
  output: Type.Pick(Article.schema, ["id"]),
});
