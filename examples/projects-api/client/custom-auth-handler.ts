/** Authenticates the calls of CustomAuth: the token goes into the header Authorization, in the place of any that is there. */
import { type DelegatingHandler, headerHandler } from "connectorcli/client";
import type { CustomAuth } from "../generated/connections/custom-auth.js";

export function customAuthHandler(connection: CustomAuth): DelegatingHandler {
  return headerHandler({ name: "Authorization", value: () => `Token api=${connection.apiToken}` });
}
