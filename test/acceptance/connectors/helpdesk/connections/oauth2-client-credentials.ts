/** OAuth2ClientCredentials: what a user enters to reach the help desk. */
import { defineConnection } from "connectorcli";

export const OAuth2ClientCredentials = defineConnection("OAuth2ClientCredentials", {
  authType: "OAuth2ClientCredentials",
  title: "OAuth 2 for services",
  description: "The client that the company's administrator registers under Settings, Integrations.",
  properties: {},
  baseUrl: {
    Production: "https://api.helpdesk-platform.com/v1",
    Test: "https://sandbox.helpdesk-platform.com/v1",
  },
});
