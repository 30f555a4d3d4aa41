/** The readers of ChangeOrderModule. */
import type { ApiClient } from "../../client/api-client.js";
import type { ChangeOrderModuleServices } from "../../generated/registration.js";
import { changeOrdersReader } from "./change-orders-reader.js";
import { contractCostDistributionReader } from "./contract-cost-distribution-reader.js";
import { contractQuoteLabelsReader } from "./contract-quote-labels-reader.js";
import { contractStatusesReader } from "./contract-statuses-reader.js";
import { contractsReader } from "./contracts-reader.js";

export const changeOrderModuleServices: ChangeOrderModuleServices<ApiClient> = {
  readers: {
    ContractCostDistribution: contractCostDistributionReader,
    ContractQuoteLabels: contractQuoteLabelsReader,
    Contracts: contractsReader,
    ContractStatuses: contractStatusesReader,
    ChangeOrders: changeOrdersReader,
  },
  handlers: {},
};
