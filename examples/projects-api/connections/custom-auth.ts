/** CustomAuth: a token, sent as `Authorization: Token api=<token>`, and the environment that it belongs to. */
import { defineConnection, Type } from "connectorcli";

export const CustomAuth = defineConnection("CustomAuth", {
  authType: "Custom",
  title: "API token",
  description: "The token that the company's administrator creates under Settings, API.",
  properties: {
    apiToken: Type.String({
      title: "API token",
      description: "Starts with pt_.",
      isSensitive: true,
      minLength: 8,
    }),
  },
  baseUrl: {
    Production: "https://api.projects-platform.com/v2",
    Test: "https://sandbox.projects-platform.com/v2",
  },
});
