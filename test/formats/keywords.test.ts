import { createRequire } from "node:module";
import type { Ajv } from "ajv";
import { expect } from "chai";
import { fromPlain, toPlain } from "../../schemas/json.js";
import { innerSchemas, isAnnotation, isDeciding, KEYWORDS, keywordNames } from "../../schemas/keywords.js";

const require = createRequire(import.meta.url);
const dialects: readonly { readonly dialect: string; readonly ajv: Ajv }[] = [
  { dialect: "draft-07", ajv: new (require("ajv").Ajv)() },
  { dialect: "2019-09", ajv: new (require("ajv/dist/2019").Ajv2019)() },
  { dialect: "2020-12", ajv: new (require("ajv/dist/2020").Ajv2020)() },
];

describe("the table of keywords", () => {
  for (const { dialect, ajv } of dialects) {
    it(`has every keyword by which ajv refuses values of ${dialect}, for the types that ajv tries it on`, () => {
      const groups = ajv.RULES.rules.flatMap(({ type, rules }) =>
        rules.map(({ keyword }) => ({ keyword, type })),
      );
      expect(groups.length).to.be.above(20);
      for (const { keyword, type } of groups.filter(({ keyword }) => !isAnnotation(keyword))) {
        const known = KEYWORDS.get(keyword);
        expect(isDeciding(keyword), keyword).to.equal(true);
        if (type !== undefined) expect(known?.types, keyword).to.include(type);
      }
    });
  }

  it("finds the schemas in every form of a keyword, and none in another form", () => {
    const stepsIn = (keyword: string, value: unknown) =>
      innerSchemas(keyword, fromPlain(value)).map(({ steps, schema }) => [steps.join("/"), toPlain(schema)]);
    expect(stepsIn("not", { type: "null" })).to.deep.equal([["not", { type: "null" }]]);
    expect(stepsIn("items", true)).to.deep.equal([["items", true]]);
    expect(stepsIn("items", [true, {}])).to.deep.equal([
      ["items/0", true],
      ["items/1", {}],
    ]);
    expect(stepsIn("patternProperties", { "^a/": false })).to.deep.equal([["patternProperties/^a/", false]]);
    expect(stepsIn("dependencies", { a: ["b"], c: {} })).to.deep.equal([["dependencies/c", {}]]);
    expect(stepsIn("anyOf", { type: "null" })).to.deep.equal([]);
    expect(stepsIn("enum", [{}])).to.deep.equal([]);
  });

  it("names what the schemas inside describe, but for definitions", () => {
    expect(keywordNames(({ holds, subject }) => holds !== undefined && subject === undefined)).to.deep.equal([
      "$defs",
      "definitions",
    ]);
  });
});
