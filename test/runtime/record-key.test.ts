import { expect } from "chai";
import fc from "fast-check";
import { recordKey } from "../../runtime/entries/runtime.js";

describe("recordKey", () => {
  it("joins the key's name and the values of its properties in the listed order", () => {
    expect(recordKey("id", [7, "a", true])).to.equal("id/7/a/true");
  });

  it("never gives two different lists of values the same key", () => {
    const values = fc.array(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("/", "%", "2", "F", "a") })),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(values, values, (a, b) => {
        fc.pre(a.length === b.length && JSON.stringify(a) !== JSON.stringify(b));
        expect(recordKey("id", a)).to.not.equal(recordKey("id", b));
      }),
    );
  });
});
