/** The readers of EstimateModule. */
import type { ApiClient } from "../../client/api-client.js";
import type { EstimateModuleServices } from "../../generated/registration.js";
import { estimatesByDueDateReader } from "./estimates-by-due-date-reader.js";
import { estimatesReader } from "./estimates-reader.js";

export const estimateModuleServices: EstimateModuleServices<ApiClient> = {
  readers: {
    Estimates: estimatesReader,
    EstimatesByDueDate: estimatesByDueDateReader,
  },
  handlers: {},
};
