import { expect } from "chai";
import type { RecordType } from "../../../runtime/codegen/index.js";
import { keptMembers } from "../../../runtime/records/known-members.js";
import { endOf, ITEM, type ItemCache, item, openItemCache, PATH } from "../../support/item-cache.js";
import { all } from "../../support/promises.js";
import { objectSchema, recordType } from "../../support/registration.js";

const DROPPING: RecordType = { ...ITEM, unknownMembers: "drop" };
const TEXT = { type: "string" };

function kept(schema: object, value: unknown): unknown {
  return keptMembers({ ...recordType("A", schema), unknownMembers: "drop" }, value);
}

describe("members that the schema does not know", () => {
  it("are left out at any depth, whatever keyword says what is known", () => {
    const inner = objectSchema({ a: TEXT });
    const ab = { a: "1", b: "2" };
    const cases: readonly (readonly [schema: object, value: unknown, expected: unknown])[] = [
      [inner, ab, { a: "1" }],
      [objectSchema({ x: inner }), { x: ab, y: ab }, { x: { a: "1" } }],
      [
        objectSchema({ x: { type: ["object", "null"], properties: { a: TEXT } } }),
        { x: ab },
        { x: { a: "1" } },
      ],
      [{ type: "array", items: inner }, [ab, "text", null], [{ a: "1" }, "text", null]],
      [
        { items: [TEXT, inner], additionalItems: { properties: { b: TEXT } } },
        [ab, ab, ab, ab],
        [ab, { a: "1" }, { b: "2" }, { b: "2" }],
      ],
      [
        { ...inner, patternProperties: { "^x": TEXT } },
        { ...ab, xy: "3" },
        { a: "1", xy: "3" },
      ],
      [{ additionalProperties: inner }, { k: ab, l: ab }, { k: { a: "1" }, l: { a: "1" } }],
      [{ allOf: [inner, objectSchema({ c: TEXT })] }, { ...ab, c: "3" }, { a: "1", c: "3" }],
      [{ anyOf: [inner, objectSchema({ b: TEXT })] }, { ...ab, c: "3" }, ab],
      [{ oneOf: [inner, { required: ["c"] }] }, { ...ab, c: "3" }, { a: "1" }],
      [{ ...inner, additionalProperties: false }, ab, { a: "1" }],
      [{ $ref: "#/$defs/x", $defs: { x: inner } }, ab, { a: "1" }],
      [
        objectSchema({ ["__proto__"]: TEXT }),
        JSON.parse('{"__proto__":"1","b":2}'),
        JSON.parse('{"__proto__":"1"}'),
      ],
    ];
    for (const [schema, value, expected] of cases) {
      expect(kept(schema, value), JSON.stringify(schema)).to.deep.equal(expected);
      expect(kept(schema, expected), "nothing is left to drop").to.equal(expected);
    }
  });

  it("are kept where a schema takes anything, or describes no object", () => {
    const value = { a: { b: 1 } };
    const schemas = [
      {},
      { type: "object" },
      { description: "Any." },
      { type: "string" },
      objectSchema({ a: true }),
      objectSchema({ a: {} }),
      { ...objectSchema({ c: TEXT }), additionalProperties: true },
      { anyOf: [objectSchema({ c: TEXT }), {}] },
      { anyOf: [objectSchema({ c: TEXT }), true] },
    ];
    for (const schema of schemas) expect(kept(schema, value), JSON.stringify(schema)).to.equal(value);
    expect(keptMembers(recordType("A", objectSchema({})), value)).to.equal(value);
  });

  it("are left out of recursive records, and of those too deep to be checked none are", () => {
    const schema = objectSchema({ next: { $ref: "#" }, list: { type: "array", items: { $ref: "#" } } });
    expect(kept(schema, { x: 1, next: { x: 1, list: [{ x: 1, next: {} }] } })).to.deep.equal({
      next: { list: [{ next: {} }] },
    });
    let deep: object = {};
    for (let level = 0; level < 100_000; level++) deep = { next: deep };
    expect(kept(schema, deep)).to.equal(deep);
  });
});

describe("a data object that drops unknown members", () => {
  let cache: ItemCache;
  beforeEach(async () => {
    cache = await openItemCache();
  });
  afterEach(() => cache.remove());

  it("stores, compares and rejects its records without them", async () => {
    const more = (seen: number) => ({ seen_at: seen, token: "t0ken" });
    await cache.full([item(1, more(1))], { type: DROPPING });
    expect(await cache.contents()).to.deep.equal({ "id/a/1": item(1) });
    expect(endOf(await cache.full([item(1, more(2))], { type: DROPPING }))).to.deep.equal({
      outcome: "succeeded",
      unchanged: 1,
    });
    await cache.full([item(1), item(2, { ...more(1), name: "x".repeat(21) })], { type: DROPPING });
    const [rejected] = await all(cache.store.rejected.list(PATH));
    expect(rejected?.findings.map(({ instancePath }) => instancePath)).to.deep.equal(["/name"]);
    expect(JSON.parse(rejected?.record ?? "")).to.deep.equal(item(2, { name: "x".repeat(21) }));
  });

  it("updates each record once when it begins to drop them", async () => {
    const records = [item(1, { seen: 1 }), item(2)];
    await cache.full(records);
    const begun = await cache.full(records, { type: DROPPING });
    expect(endOf(begun)).to.deep.equal({ outcome: "succeeded", unchanged: 1, updated: 1 });
    expect(endOf(await cache.full(records, { type: DROPPING }))).to.deep.equal({
      outcome: "succeeded",
      unchanged: 2,
    });
  });
});
