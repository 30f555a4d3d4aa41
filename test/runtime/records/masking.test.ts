import { inspect } from "node:util";
import { expect } from "chai";
import { mask, sensitiveValues } from "../../../runtime/records/masking.js";
import { objectSchema, recordClass } from "../../support/registration.js";

const SECRET = { type: "string", writeOnly: true };
const H = "--hidden value--";

describe("mask", () => {
  it("hides what is write-only wherever a schema may say so", () => {
    const schemas: readonly (readonly [schema: object, value: unknown, expected: unknown])[] = [
      [objectSchema({ a: SECRET }), { a: "s", b: "t" }, { a: H, b: "t" }],
      [{ items: SECRET }, ["s"], [H]],
      [{ items: [{}, SECRET], additionalItems: SECRET }, ["t", "s", "s"], ["t", H, H]],
      [{ contains: SECRET }, ["s"], [H]],
      [
        { additionalProperties: SECRET, properties: { b: {} } },
        { a: "s", b: "t" },
        { a: H, b: "t" },
      ],
      [{ patternProperties: { "^x": SECRET } }, { xa: "s", b: "t" }, { xa: H, b: "t" }],
      [{ anyOf: [{}, objectSchema({ a: SECRET })] }, { a: "s" }, { a: H }],
      [{ not: objectSchema({ a: SECRET }) }, { a: "s" }, { a: H }],
      [{ dependencies: { b: objectSchema({ a: SECRET }) } }, { a: "s" }, { a: H }],
      [{ $ref: "#/$defs/x", $defs: { x: objectSchema({ a: SECRET }) } }, { a: "s" }, { a: H }],
    ];
    for (const [schema, value, expected] of schemas) expect(mask(value, schema)).to.deep.equal(expected);
  });

  it("hides a member that is called as a sensitive one but for its case", () => {
    expect(mask({ APIKEY: "s", other: "t" }, objectSchema({ apiKey: SECRET }))).to.deep.equal({
      APIKEY: H,
      other: "t",
    });
  });

  it("ends with schemas that refer to themselves twice, and with values that hold themselves twice", () => {
    const schema = {
      anyOf: [{ $ref: "#" }, { $ref: "#" }],
      properties: { a: SECRET },
      additionalProperties: { $ref: "#" },
    };
    const value: Record<string, unknown> = { a: "s" };
    value["b"] = value;
    value["c"] = value;
    expect(mask(value, schema)).to.deep.equal({ a: H, b: H, c: H });
  });

  it("hides by its own schema an instance that another one holds", () => {
    const Key = recordClass("Key", objectSchema({ api_key: SECRET }), {
      properties: [["apiKey", "api_key"]],
    });
    const Holder = recordClass("Holder", objectSchema({}));
    const holder = Holder.draft({
      key: Key.draft({ apiKey: "s3cret" }),
      list: [Key.draft({ apiKey: "s3cret" })],
    } as object);
    expect(inspect(holder, { depth: 9 }))
      .to.include(H)
      .and.to.not.include("s3cret");
  });

  it("hides a list of secrets in an instance that is inspected", () => {
    const Keys = recordClass("Keys", objectSchema({ pair: { items: [{}, SECRET] } }));
    expect(inspect(Keys.from({ pair: ["shown", "s3cret"] })))
      .to.include("shown")
      .and.to.not.include("s3cret");
  });
});

describe("sensitiveValues", () => {
  it("finds every text and number under what is write-only", () => {
    const schema = objectSchema({ a: SECRET, b: { writeOnly: true }, c: { items: SECRET }, d: {} });
    const value = {
      a: "one",
      b: { deep: [2, { x: "three" }], flag: true },
      c: ["four"],
      d: "not this",
      A: "five",
    };
    expect(sensitiveValues(value, schema)).to.deep.equal(["one", "2", "three", "four", "five"]);
  });
});
