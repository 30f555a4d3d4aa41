/** CloseoutModule: its data objects and actions, in the platform's order. */
import { defineModule } from "connectorcli";
import { FinalPrice } from "./final-price.js";

export const CloseoutModule = defineModule("Closeout", {
  key: "closeout",
  version: 1,
  description: "What projects cost in the end.",
  dataObjects: [FinalPrice],
});
