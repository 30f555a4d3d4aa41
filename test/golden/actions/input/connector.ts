/** Actions reuse their object's schema with TypeBox's own means; annotations survive (§2.7). */
import { defineConnector, defineModule } from "connectorcli";
import * as orders from "./orders.js";

export const connector = defineConnector("Actions", {
  key: "actions",
  description: "Actions and their payloads.",
  connections: [],
  modules: [
    defineModule("Orders", {
      key: "orders",
      version: 2,
      description: "",
      dataObjects: [orders.Invoice, orders.Order],
      // Each action goes to its object, in this order.
      actions: [orders.Create, orders.UpdateMany, orders.Bill, orders.Cancel, orders.Search],
    }),
  ],
});
