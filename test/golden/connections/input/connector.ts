/** The five auth types, and the three ways to a base address (§2.1, §5.1). */
import { defineConnector } from "connectorcli";
import * as connections from "./connections.js";

export const connector = defineConnector("Connections", {
  key: "connections",
  description: "Connection definitions.",
  connections: [
    connections.ApiKeyAuth,
    connections.BasicAuth,
    connections.OAuth2CodeFlow,
    connections.OAuth2ClientCredentials,
    connections.CustomAuth,
  ],
  modules: [],
});
