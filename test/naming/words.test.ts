import { expect } from "chai";
import { displayName, urlPartOf } from "../../schemas/naming/words.js";

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
