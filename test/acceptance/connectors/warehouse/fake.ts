/** What the warehouse answers, as its documentation says. */

import { from } from "connectorcli/runtime";
import { defineFake, type FakeCall, type FakeReply, TakenKeyError } from "connectorcli/testing";
import { Supplier } from "./generated/app/supplier.js";
import { orderReader } from "./modules/app/order-reader.js";

export const fake = defineFake({
  values: { Supplier: { code: (index: number) => `S/${index} & more` } },
  lists: {
    Warehouse: { list: "GET /warehouses", items: "$", pages: { kind: "one" } },
    Article: {
      list: "GET /articles",
      items: "articles",
      pages: { kind: "page", send: "page", size: { send: "per_page", value: 100 } },
    },
    StockLevel: {
      list: "GET /stock",
      items: "items",
      pages: { kind: "offset", send: "skip", total: "total", size: { send: "limit", value: 100 } },
    },
    Supplier: {
      list: "GET /suppliers",
      items: "data",
      pages: { kind: "cursor", send: "after", next: "next" },
    },
    Order: {
      list: "GET /orders",
      items: "orders",
      pages: { kind: "cursor", send: "after", next: "next", size: { send: "limit", value: 100 } },
      since: { property: "updated_at", send: "updated_since" },
      deletedWhen: { property: "state", is: "deleted" },
    },
    OrderLine: {
      list: "GET /orders/{order_id}/lines",
      path: { order_id: from(orderReader, "id") },
      items: "$",
      pages: { kind: "linkHeader", size: { send: "per_page", value: 50 } },
    },
  },
  routes: {
    "POST /orders": (call) => once(call, () => created(call, "Order", { state: "placed" })),
    "POST /articles": (call) => created(call, "Article"),
    "GET /articles/find": ({ query, objectOf }) => ({
      body: objectOf("Article")
        .records()
        .filter((article) => article["sku"] === query.get("sku")),
    }),
    "GET /articles/{id}": ({ variables, objectOf }) => {
      const found = objectOf("Article").records();
      const article = found.find(({ id }) => String(id) === variables["id"]);
      return article === undefined ? { status: 404 } : { body: article };
    },
    // The answer of a change has no content.
    "PATCH /articles/{id}": ({ variables, body, objectOf }) => {
      const articles = objectOf("Article");
      if (!articles.records().some(({ id }) => String(id) === variables["id"])) return { status: 404 };
      articles.change(`id/${variables["id"]}`, body as object);
      return { status: 204 };
    },
    "DELETE /suppliers/{code}": ({ variables, objectOf }) => {
      const suppliers = objectOf("Supplier");
      const found = suppliers.records().find(({ code }) => code === variables["code"]);
      if (found === undefined) return { status: 404 };
      suppliers.remove(Supplier.key(found));
      return { status: 204 };
    },
  },
});

function created({ body, objectOf }: FakeCall, name: string, members: object = {}): FakeReply {
  try {
    return { status: 201, body: objectOf(name).insert({ ...(body as object), ...members }) };
  } catch (error) {
    if (!(error instanceof TakenKeyError)) throw error;
    return { status: 409, body: { error: { message: error.message } } };
  }
}

/** What was answered, by idempotency key. */
const answered = new Map<string, FakeReply>();

function once({ headers }: FakeCall, act: () => FakeReply): FakeReply {
  const key = String(headers["idempotency-key"] ?? "");
  const reply = answered.get(key) ?? act();
  if (key !== "") answered.set(key, reply);
  return reply;
}
