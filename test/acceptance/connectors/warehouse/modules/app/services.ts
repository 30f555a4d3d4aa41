/** The readers and handlers of AppModule. */
import type { ApiClient } from "../../client/api-client.js";
import type { AppModuleServices } from "../../generated/registration.js";
import { articleReader } from "./article-reader.js";
import { changeArticleHandler } from "./change-article-handler.js";
import { createArticleHandler } from "./create-article-handler.js";
import { createOrderHandler } from "./create-order-handler.js";
import { deleteSupplierHandler } from "./delete-supplier-handler.js";
import { orderLineReader } from "./order-line-reader.js";
import { orderReader } from "./order-reader.js";
import { stockLevelReader } from "./stock-level-reader.js";
import { supplierReader } from "./supplier-reader.js";
import { warehouseReader } from "./warehouse-reader.js";

export const appModuleServices: AppModuleServices<ApiClient> = {
  readers: {
    Warehouse: warehouseReader,
    Article: articleReader,
    StockLevel: stockLevelReader,
    Supplier: supplierReader,
    Order: orderReader,
    OrderLine: orderLineReader,
  },
  handlers: {
    CreateOrder: createOrderHandler,
    CreateArticle: createArticleHandler,
    ChangeArticle: changeArticleHandler,
    DeleteSupplier: deleteSupplierHandler,
  },
};
