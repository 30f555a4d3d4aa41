/** AppModule: its data objects and actions, in the platform's order. */
import { defineModule, defineServiceConfiguration, Type } from "connectorcli";
import { Article, ChangeArticle, CreateArticle } from "./article.js";
import { CreateOrder, Order } from "./order.js";
import { OrderLine } from "./order-line.js";
import { StockLevel } from "./stock-level.js";
import { DeleteSupplier, Supplier } from "./supplier.js";
import { Warehouse } from "./warehouse.js";

export const CacheWriterConfiguration = defineServiceConfiguration("CacheWriterConfiguration", {
  properties: {
    warehouseId: Type.Optional(
      Type.Integer({ title: "Warehouse", description: "Whose stock is read; all if empty.", minimum: 1 }),
    ),
  },
});

export const AppModule = defineModule("App", {
  key: "app",
  version: 1,
  description: "Articles, suppliers and orders.",
  dataObjects: [Warehouse, Article, StockLevel, Supplier, Order, OrderLine],
  actions: [CreateOrder, CreateArticle, ChangeArticle, DeleteSupplier],
  cacheWriter: CacheWriterConfiguration,
});
