/** OAuth2CodeFlow: what a user enters to reach the bidding system. */
import { defineConnection } from "connectorcli";

export const OAuth2CodeFlow = defineConnection("OAuth2CodeFlow", {
  authType: "OAuth2CodeFlow",
  title: "OAuth 2",
  description: "Signing in at the bidding system",
  properties: {},
  baseUrl: {
    Production: "https://api.bidding-platform.com",
    Test: "https://sandbox.bidding-platform.com",
  },
});
