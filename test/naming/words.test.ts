import { expect } from "chai";
import { displayName, propertyTitle, urlPartOf } from "../../schemas/naming/words.js";

const CASES = [
  ["PCO", "P C O", "pco"],
  ["PCOs", "P C Os", "pc-os"],
  ["SignalR", "Signal R", "signal-r"],
  ["Schedulesv2", "Schedulesv2", "schedulesv-2"],
  [
    "ExtensionItemDetailsFileSignalR",
    "Extension Item Details File Signal R",
    "extension-item-details-file-signal-r",
  ],
  ["Create", "Create", "create"],
] as const;

describe("names of data objects", () => {
  for (const [className, name, urlPart] of CASES) {
    it(`shows ${className} as "${name}" and addresses it as "${urlPart}"`, () => {
      expect(displayName(className)).to.equal(name);
      expect(urlPartOf(className)).to.equal(urlPart);
    });
  }
});

describe("titles of properties", () => {
  for (const [name, title] of [
    ["baseUrl", "Base URL"],
    ["api_key", "API Key"],
    ["API_KEY", "API Key"],
    ["apiUrls", "API URLs"],
    ["oauth2ClientID", "OAuth 2 Client ID"],
    ["oAuthToken", "OAuth Token"],
    ["userName", "User Name"],
    ["ACMEToken", "ACME Token"],
    ["Straße", "Straße"],
  ] as const) {
    it(`are as a person writes them: ${title} for ${name}`, () => {
      expect(propertyTitle(name)).to.equal(title);
    });
  }
});
