/** Authenticates the calls of CustomAuth: `Authorization: Token api=<token>`. */
import { type DelegatingHandler, headerHandler } from "connectorcli/client";
import type { CustomAuth } from "../generated/connections/custom-auth.js";

export function customAuthHandler(connection: CustomAuth): DelegatingHandler {
  return headerHandler({ name: "Authorization", value: () => `Token api=${connection.apiToken}` });
}
