import { expect } from "chai";
import fc from "fast-check";
import { hiding } from "../../scripts/test-settings/hiding.js";
import { runs } from "../support/repository.js";

describe("hiding", () => {
  it("finds a secret plain, in JSON, in addresses, in base64 and as the password of a user", () => {
    const secret = fc
      .string({ unit: "grapheme", minLength: 4, maxLength: 40 })
      .filter((text) => text.isWellFormed());
    fc.assert(
      fc.property(secret, (text) => {
        const forms = [
          text,
          JSON.stringify({ text }),
          new URLSearchParams({ text }).toString(),
          encodeURIComponent(text),
          Buffer.from(text).toString("base64"),
          Buffer.from(`user:${text}`).toString("base64"),
        ];
        for (const form of forms) expect(hiding([text], ["user"])(form)).to.not.equal(form);
      }),
      { numRuns: runs(200) },
    );
  });

  it("hides each line of a secret of several lines, and leaves short words alone", () => {
    const hide = hiding(["first line\nsecond line", "no"]);
    expect(hide("the second line, no?")).to.equal("the --hidden value--, no?");
  });
});
