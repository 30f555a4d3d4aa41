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

describe("values inside a record", () => {
  const address = objectSchema({
    city: {},
    street_name: SECRET,
    geo: objectSchema({ lat: SECRET, zone: {} }),
  });
  const Person = recordClass(
    "Person",
    {
      ...objectSchema({
        home: { $ref: "#/$defs/address" },
        former: { items: { anyOf: [{ type: "null" }, { $ref: "#/$defs/address" }] } },
        by_year: { additionalProperties: { $ref: "#/$defs/address" } },
        keys: { items: SECRET },
        card: { ...objectSchema({ number: {} }), writeOnly: true },
        tags: { items: {} },
      }),
      $defs: { address },
    },
    {
      properties: [
        ["home", "home", { properties: [["street", "street_name"]] }],
        ["byYear", "by_year", { each: { properties: [["street", "street_name"]] } }],
      ],
    },
  );
  const home = () => ({ city: "Ulm", street_name: "s3cret", geo: { lat: "s3cret", zone: 1 } });
  const json = () => ({
    ...{ home: home(), former: [null, home()], by_year: { 2020: home() }, keys: ["s3cret"] },
    ...{ card: { number: "s3cret" }, tags: ["shown"] },
  });
  type Values = Record<string, Record<string, Record<string, unknown>>>;

  it("hide what is sensitive when they are inspected on their own, in instances and drafts alike", () => {
    for (const person of [
      Person.from(json()),
      Person.draft(Person.from(json())),
      new Person(Person.from(json())),
    ]) {
      const { home, former, byYear, keys, card, tags } = person as Values;
      const parts = [home, home?.["geo"], former, former?.[1], byYear, byYear?.["2020"], keys, card];
      for (const part of parts) {
        for (const shown of [
          inspect(part),
          inspect({ part }),
          inspect([part], { depth: 9 }),
          inspect({ ...person }),
        ]) {
          expect(shown).to.include(H).and.to.not.include("s3cret");
        }
      }
      expect(inspect(home)).to.equal(
        `{\n  city: 'Ulm',\n  street_name: '${H}',\n  geo: { lat: '${H}', zone: 1 }\n}`,
      );
      expect(inspect(tags)).to.equal("[ 'shown' ]");
    }
  });

  it("are what they were to everything else", () => {
    const person = Person.from(json()) as Values;
    expect(JSON.parse(JSON.stringify(person))).to.deep.equal(json());
    const { city, geo, ...rest } = home();
    expect(person["home"]).to.deep.equal({ city, geo, street: rest.street_name });
    expect(person["card"]).to.deep.equal(json().card);
    expect(Object.keys(person["keys"] ?? {})).to.deep.equal(["0"]);
    expect(structuredClone(person["card"])).to.deep.equal(json().card);
    const frozen = Object.freeze({ number: "n" });
    expect((Person.draft({ card: frozen } as object) as Values)["card"]).to.equal(frozen);
  });

  it("may refer to themselves, as their schemas may", () => {
    const Node = recordClass("Node", objectSchema({ name: SECRET, next: { $ref: "#" } }));
    const next: Record<string, unknown> = { name: "s3cret" };
    next["next"] = next;
    const node = Node.draft({ next } as object) as Values;
    expect(inspect(node["next"])).to.include(H).and.to.not.include("s3cret");
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
