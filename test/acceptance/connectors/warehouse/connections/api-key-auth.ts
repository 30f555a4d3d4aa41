/** ApiKeyAuth: what a user enters to reach the warehouse. */
import { defineConnection, Type } from "connectorcli";

export const ApiKeyAuth = defineConnection("ApiKeyAuth", {
  authType: "ApiKey",
  title: "API key",
  description: "The key that the dealer's administrator creates under Settings, Keys.",
  properties: {
    apiKey: Type.String({ title: "API key", description: "The key.", isSensitive: true, minLength: 8 }),
  },
  baseUrl: {
    Production: "https://api.warehouse-platform.com/v3",
    Test: "https://sandbox.warehouse-platform.com/v3",
  },
});
