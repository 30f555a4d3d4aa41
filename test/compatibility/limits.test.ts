import { expect } from "chai";
import { compareSchemas } from "../../schemas/compatibility/compare-schemas.js";
import type { SchemaNode } from "../../schemas/compatibility/schema-node.js";
import type { JsonObject, JsonValue } from "../../schemas/json.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const text = { type: "string" };
const nullable = { type: ["string", "null"] };

describe("comparing what is deep, large or entangled", () => {
  it("compares schemas 1,000 levels deep, or says that it can't", () => {
    const deep = (depth: number, leaf: JsonObject) =>
      nest(depth, leaf, (inner) => ({ type: "object", properties: { a: inner } }));
    for (const depth of [450, 1_000]) {
      const { changes } = compare(deep(depth, text), deep(depth, nullable));
      expect(changes.map(({ severity }) => severity)).to.deep.equal(["major"]);
    }
    // A file can't be nested more deeply than this.
    expect(compare(deep(450, text), deep(450, text)).changes).to.deep.equal([]);
  }).timeout(SLOW_TEST_MS);

  it("says that it can't where schemas are too deep for any program", () => {
    const deep = (leaf: JsonObject) => nest(100_000, leaf, (inner) => ({ items: inner }));
    const { changes, oldFitsNew } = compare(deep(text), deep(nullable));
    expect(changes.map(({ code }) => code)).to.deep.equal(["schema-undecided"]);
    expect(oldFitsNew).to.equal("unknown");
  });

  it("tells of every one of 10,000 changes, the first ones with a witness", () => {
    const wide = (schema: JsonObject): SchemaNode => ({
      type: "object",
      properties: Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, schema])),
    });
    // Each property has a schema of its own, as in a file.
    const { changes } = compare(copy(wide(text)), copy(wide(nullable)));
    expect(changes).to.have.length(10_000);
    expect(changes[0]?.witness?.value).to.equal(null);
    expect(changes.at(-1)?.witness).to.equal(null);
  }).timeout(SLOW_TEST_MS);

  it("shows a whole document where a schema has no more than 2,500 parts, else the value alone", () => {
    // The schema, the list of its properties, and each of these.
    const partsOf = (count: number, first: JsonObject): SchemaNode => ({
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length: count - 2 }, (_, index) => [`p${index}`, index === 0 ? first : { ...text }]),
      ),
    });
    const shown = (count: number) => {
      const { changes } = compare(partsOf(count, { ...text }), partsOf(count, { type: "integer" }));
      return changes[0]?.witness?.scope;
    };
    expect([2_499, 2_500, 2_501].map(shown)).to.deep.equal(["document", "document", "value"]);
  }).timeout(SLOW_TEST_MS);

  it("gives up on combinations that multiply, and says so", () => {
    const entangle = (leaf: JsonObject): SchemaNode => ({
      allOf: Array.from({ length: 30 }, (_, index) => ({
        anyOf: [{ required: [`a${index}`] }, { required: [`b${index}`] }, leaf],
      })),
    });
    const { changes } = compare(
      copy(entangle({ maxProperties: 5 })),
      copy(entangle({ maxProperties: 4, minProperties: 1 })),
    );
    expect(changes.length).to.be.above(0);
    expect(changes.some(({ severity }) => severity === "major")).to.equal(true);
  }).timeout(SLOW_TEST_MS);

  it("takes a recursive schema under another name for what it is", () => {
    const tree = (name: string, leaf: JsonObject): SchemaNode => ({
      $ref: `#/$defs/${name}`,
      $defs: { [name]: { type: "object", properties: { value: leaf, next: { $ref: `#/$defs/${name}` } } } },
    });
    expect(compare(tree("A", text), tree("B", text))).to.deep.include({
      oldFitsNew: "yes",
      newFitsOld: "yes",
    });
    const { changes, oldFitsNew } = compare(tree("A", text), tree("B", nullable));
    expect(changes.map(({ code }) => code)).to.deep.equal(["null-accepted"]);
    expect(oldFitsNew).to.equal("yes");
  });

  it("compares a dictionary that holds itself", () => {
    const inAnyLevel = {
      properties: { a: { $ref: "#" }, b: { $ref: "#" } },
      additionalProperties: { $ref: "#" },
    };
    const { changes } = compare({ properties: { a: true } }, inAnyLevel);
    expect(changes.map(({ code }) => code)).to.not.include("schema-undecided");
  });

  it("leaves the schemas as they are", () => {
    // ajv adds "null" to the types beside `nullable`.
    const old = { type: ["string", "integer"], nullable: true, minimum: 1 };
    const next = { type: ["string", "integer"], nullable: true, minimum: 2 };
    expect(compare(old, next).changes.map(({ code }) => code)).to.deep.equal(["limit-tightened"]);
    expect([old.type, next.type]).to.deep.equal([
      ["string", "integer"],
      ["string", "integer"],
    ]);
  });

  it("proves nothing by a reference that leads to itself", () => {
    const loop = (keyword: string): SchemaNode => ({
      $ref: "#/$defs/A",
      $defs: { A: { [keyword]: [{ $ref: "#/$defs/A" }] } },
    });
    expect(compare({ type: "string" }, loop("anyOf")).oldFitsNew).to.not.equal("yes");
    expect(compare({ type: "string" }, loop("allOf")).oldFitsNew).to.not.equal("yes");
  });
});

function compare(old: SchemaNode, next: SchemaNode) {
  return compareSchemas({
    old,
    new: next,
    role: "record",
    what: "the value",
    oldPointer: "",
    newPointer: "",
  });
}

function copy(value: SchemaNode): SchemaNode {
  return JSON.parse(JSON.stringify(value)) as SchemaNode;
}

function nest(depth: number, leaf: JsonObject, around: (inner: JsonValue) => JsonObject): SchemaNode {
  let schema = leaf;
  for (let level = 0; level < depth; level++) schema = around(schema);
  return schema;
}
