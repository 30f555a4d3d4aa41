/** What the bidding system answers, as its documentation says. */
import { from } from "connectorcli/runtime";
import { defineFake } from "connectorcli/testing";
import { contractsReader } from "./modules/changeorder/contracts-reader.js";
import { databasesReader } from "./modules/database/databases-reader.js";
import { projectsReader } from "./modules/project/projects-reader.js";

const limit = { send: "limit", value: 50 } as const;
const byCursor = {
  items: "items",
  pages: { kind: "cursor", send: "after", next: "next", size: limit },
} as const;
const ofDatabase = { token: from(databasesReader, "token") };
const ofProject = { projectId: from(projectsReader, "projectId") };
const ofContract = { contractId: from(contractsReader, "id") };

export const fake = defineFake({
  values: { Databases: { token: (index: number) => `dGVuYW50/${index}+==` } },
  lists: {
    Databases: { list: "GET /databases", items: "databases", pages: { kind: "one" } },
    Projects: {
      list: "GET /databases/{token}/projects",
      path: ofDatabase,
      items: "items",
      pages: {
        kind: "page",
        send: "pageIndex",
        first: 0,
        total: "totalRows",
        size: { send: "pageSize", value: 50 },
      },
    },
    LastProjects: {
      list: "GET /databases/{token}/last-projects",
      path: ofDatabase,
      items: "$",
      pages: { kind: "one" },
    },
    Estimates: { list: "GET /projects/{projectId}/estimates", path: ofProject, ...byCursor },
    EstimatesByDueDate: {
      list: "GET /estimates/due",
      items: "$",
      pages: { kind: "linkHeader", size: limit },
    },
    FinalPrice: {
      list: "GET /projects/{projectId}/final-prices",
      path: ofProject,
      items: "$",
      pages: { kind: "cursor", send: "behind", next: { lastItem: "id" }, size: limit },
    },
    Contracts: {
      list: "GET /projects/{projectId}/contracts",
      path: ofProject,
      items: "items",
      pages: { kind: "offset", send: "skip", total: "totalRows", size: { send: "take", value: 50 } },
    },
    ContractStatuses: {
      list: "GET /contracts/{contractId}/statuses",
      path: ofContract,
      items: "$",
      pages: { kind: "one" },
    },
    ContractQuoteLabels: { list: "GET /contracts/{contractId}/quote-labels", path: ofContract, ...byCursor },
    ContractCostDistribution: { list: "GET /contracts/{contractId}/costs", path: ofContract, ...byCursor },
    ChangeOrders: {
      list: "GET /contracts/{contractId}/change-orders",
      path: ofContract,
      items: "items",
      pages: { kind: "page", send: "page", total: "totalRows", size: { send: "pageSize", value: 50 } },
    },
  },
});
