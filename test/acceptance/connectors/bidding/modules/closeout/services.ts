/** The readers of CloseoutModule. */
import type { ApiClient } from "../../client/api-client.js";
import type { CloseoutModuleServices } from "../../generated/registration.js";
import { finalPriceReader } from "./final-price-reader.js";

export const closeoutModuleServices: CloseoutModuleServices<ApiClient> = {
  readers: {
    FinalPrice: finalPriceReader,
  },
  handlers: {},
};
