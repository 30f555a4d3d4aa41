/** ChangeOrderModule: its data objects and actions, in the platform's order. */
import { defineModule } from "connectorcli";
import { ChangeOrders } from "./change-orders.js";
import { ContractCostDistribution } from "./contract-cost-distribution.js";
import { ContractQuoteLabels } from "./contract-quote-labels.js";
import { ContractStatuses } from "./contract-statuses.js";
import { Contracts } from "./contracts.js";

export const ChangeOrderModule = defineModule("ChangeOrder", {
  key: "changeorder",
  version: 1,
  description: "Contracts, and how they change.",
  dataObjects: [ContractCostDistribution, ContractQuoteLabels, Contracts, ContractStatuses, ChangeOrders],
});
