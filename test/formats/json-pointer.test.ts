import { expect } from "chai";
import fc from "fast-check";
import { fragmentOf, fragmentSteps, jsonPointer, pointerSteps } from "../../schemas/json.js";

const steps = fc.array(fc.string({ unit: "grapheme" }));

describe("JSON pointers", () => {
  it("give back the steps that they were made from", () => {
    fc.assert(
      fc.property(steps, (some) => {
        expect(pointerSteps(jsonPointer(some))).to.deep.equal(some);
      }),
    );
  });

  it("give back the steps of a reference into the same document", () => {
    const named = steps.filter((some) => some.length !== 1 || some[0] !== "");
    fc.assert(
      fc.property(named, (some) => {
        expect(fragmentSteps(fragmentOf(some))).to.deep.equal(some);
      }),
    );
  });

  it("refuse a reference that leads elsewhere or can't be read", () => {
    for (const reference of ["other.json", "#name", "https://example.com/#/a", "#/%E0%A4%A"]) {
      expect(fragmentSteps(reference), reference).to.equal(undefined);
    }
  });
});
