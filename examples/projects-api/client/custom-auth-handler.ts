/** Authenticates the calls of CustomAuth: the token goes into the header Authorization, in the place of any that is there. */
import { headerHandler, type Middleware } from "connectorcli/client";
import type { CustomAuth } from "../generated/connections/custom-auth.js";

export function customAuthHandler(connection: CustomAuth): Middleware {
  return headerHandler({ name: "Authorization", value: () => `Token api=${connection.apiToken}` });
}
