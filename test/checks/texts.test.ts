import fullFormats from "ajv-formats/dist/formats.js";
import { expect } from "chai";
import { isPlaceholder } from "../../schemas/checks/rules/descriptions.js";
import { FORMATS } from "../../schemas/keywords.js";

describe("the list of formats", () => {
  it("is that of ajv-formats", () => {
    expect([...FORMATS.keys()].sort()).to.deep.equal([...fullFormats.formatNames].sort());
  });
});

describe("placeholder texts", () => {
  for (const text of [
    "TODO: describe",
    "Add a description.",
    "<description>",
    "Example description of the object.",
    "???",
    "Represents a(n) Pay Slip.",
    "n/a",
    "Description of the property",
    "PaySlip",
  ]) {
    it(`are seen in "${text}"`, () => {
      expect(isPlaceholder(text, ["PaySlip"])).to.equal(true);
    });
  }

  for (const text of [
    "Todos of the user.",
    "Whether the description is shown.",
    "A",
    "Test result of the unit.",
    "Represents a pay slip of an employee",
    "文字",
    "Enter date of the building",
  ]) {
    it(`are not seen in "${text}"`, () => {
      expect(isPlaceholder(text, ["PaySlip"])).to.equal(false);
    });
  }
});
