/** Authenticates the calls of ApiKeyAuth: the key goes into a header. */
import { apiKeyHandler, type Middleware } from "connectorcli/client";
import type { ApiKeyAuth } from "../generated/connections/api-key-auth.js";

export function apiKeyAuthHandler(connection: ApiKeyAuth): Middleware {
  return apiKeyHandler({ name: "X-Api-Key", key: connection.apiKey });
}
