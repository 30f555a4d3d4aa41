import { expect } from "chai";
import fc from "fast-check";
import { typedValue } from "../../../runtime/codegen/index.js";
import { type ReadOptions, RecordError } from "../../../runtime/entries/runtime.js";
import { adaptInput } from "../../../runtime/records/read-options.js";
import { objectSchema, recordClass, recordType } from "../../support/registration.js";
import { runs, SLOW_TEST_MS } from "../../support/repository.js";

const ORDER = objectSchema(
  {
    orderId: { type: "string" },
    lines: { type: "array", items: objectSchema({ unitPrice: { type: "number" } }, ["unitPrice"]) },
    buyer: { $ref: "#/$defs/person" },
    notes: { type: "object", additionalProperties: objectSchema({ text: { type: "string" } }) },
  },
  ["orderId"],
);

const SCHEMA = {
  ...ORDER,
  $defs: { person: objectSchema({ lastName: { type: "string" }, boss: { $ref: "#/$defs/person" } }) },
};

const Order = recordClass("Order", SCHEMA, { properties: [["id", "orderId"]] });

const ANY_CASE: ReadOptions = { caseInsensitive: true };

describe("from, whatever the case of names", () => {
  it("reads names at every level: objects, lists, references, dictionaries", () => {
    const sent = {
      ORDERID: "7",
      Lines: [{ UnitPrice: 1 }],
      buyer: { LASTNAME: "Li", Boss: { lastname: "Wu" } },
      notes: { First: { TEXT: "hello" } },
    };
    const order = Order.from(sent, ANY_CASE);
    expect(order).to.include({ id: "7" });
    expect(JSON.parse(JSON.stringify(order))).to.deep.equal({
      orderId: "7",
      lines: [{ unitPrice: 1 }],
      buyer: { lastName: "Li", boss: { lastName: "Wu" } },
      notes: { First: { text: "hello" } },
    });
  });

  it("is off unless it is asked for", () => {
    const sent = { OrderId: "7" };
    for (const options of [undefined, {}, { caseInsensitive: false }, { caseInsensitive: undefined }]) {
      expect(Order.findings(sent, options).map(({ keyword }) => keyword)).to.deep.equal(["required"]);
      expect(() => Order.from(sent, options)).to.throw(RecordError);
    }
  });

  it("lets the exact name win, and keeps the other as the unknown member that it is", () => {
    const order = Order.from({ OrderId: "other", orderId: "7" }, ANY_CASE);
    expect(JSON.parse(JSON.stringify(order))).to.deep.equal({ OrderId: "other", orderId: "7" });
  });

  it("finds members of which any may be the property", () => {
    const found = Order.findings({ buyer: { LASTNAME: "Li", LastName: "Wu" }, orderId: "7" }, ANY_CASE);
    expect(found).to.deep.equal([
      {
        instancePath: "/buyer",
        keyword: "caseInsensitive",
        expected: 'one member that is read as "lastName"',
        actual: '"LASTNAME" and "LastName"',
        message: '/buyer: expected one member that is read as "lastName", found "LASTNAME" and "LastName"',
      },
    ]);
    expect(() => Order.from({ orderId: "7", LINES: [], Lines: [] }, ANY_CASE)).to.throw(
      RecordError,
      '"LINES" and "Lines"',
    );
  });

  it("finds a member that may be any of several properties", () => {
    const Twins = recordClass("Twins", objectSchema({ id: {}, ID: {} }));
    expect(Twins.findings({ Id: 1 }, ANY_CASE).map(({ expected }) => expected)).to.deep.equal([
      'one member that is read as "id" and "ID"',
    ]);
    expect(Twins.findings({ Id: 1, id: 2 }, ANY_CASE)).to.deep.equal([]);
    expect(Twins.findings({ id: 1, ID: 2, Id: 3 }, ANY_CASE)).to.deep.equal([]);
  });

  it("leaves a name that a pattern takes", () => {
    const { json } = adaptInput(
      { properties: { x_a: {} }, patternProperties: { "^X": {} } },
      { X_A: 1 },
      ANY_CASE,
    );
    expect(json).to.deep.equal({ X_A: 1 });
  });

  it("hides a sensitive value that came under a name in another case", () => {
    const Login = recordClass(
      "Login",
      objectSchema({ pass: { type: "string", minLength: 9, writeOnly: true } }),
    );
    const [finding] = Login.findings({ PASS: "s3cret" }, ANY_CASE);
    expect(finding).to.include({ instancePath: "/pass", actual: "--hidden value--" });
  });

  it("works for payloads that are lists", () => {
    const Ids = typedValue<unknown, unknown>(
      recordType("Ids", { type: "array", items: objectSchema({ id: {} }, ["id"]) }),
    );
    expect(Ids.from([{ ID: 1 }], ANY_CASE)).to.deep.equal([{ id: 1 }]);
    expect(Ids.findings([{ ID: 1 }])).to.have.length(1);
  });

  it("refuses what nests too deeply instead of failing", () => {
    const tree = { properties: { below: { $ref: "#" } } };
    let deep: object = {};
    for (let level = 0; level < 100_000; level++) deep = { BELOW: deep };
    expect(adaptInput(tree, deep, ANY_CASE).findings.map(({ keyword }) => keyword)).to.deep.equal(["depth"]);
  });
});

describe("from, with ignored properties", () => {
  it("drops them before validation, in lists and in what references lead to", () => {
    const sent = {
      orderId: "7",
      lines: [{ unitPrice: 1, unit: 5 }],
      buyer: { lastName: 7, boss: { lastName: 8 } },
    };
    const options = { ignored: ["lines/unit", "buyer/lastName", "/buyer/boss/lastName", "absent/path"] };
    expect(Order.findings(sent)).to.have.length(2);
    expect(JSON.parse(JSON.stringify(Order.from(sent, options)))).to.deep.equal({
      orderId: "7",
      lines: [{ unitPrice: 1 }],
      buyer: { boss: {} },
    });
    expect(sent.lines).to.deep.equal([{ unitPrice: 1, unit: 5 }]);
  });

  it("takes a required property for missing when it is ignored", () => {
    const found = Order.findings({ orderId: "7" }, { ignored: ["orderId"] });
    expect(found.map(({ keyword }) => keyword)).to.deep.equal(["required"]);
  });

  it("ignores before it matches, so that what is ignored is never ambiguous", () => {
    const sent = { orderId: "7", BUYER: 1, Buyer: 2 };
    expect(Order.findings(sent, { ...ANY_CASE, ignored: ["buyer"] })).to.deep.equal([]);
  });

  it("knows names apart that schemas know apart, and names with a slash", () => {
    const schema = objectSchema({ id: {}, ID: {}, "a/b": {} });
    const read = (options: ReadOptions) => adaptInput(schema, { id: 1, ID: 2, "a/b": 3 }, options).json;
    expect(read({ ...ANY_CASE, ignored: ["id"] })).to.deep.equal({ ID: 2, "a/b": 3 });
    expect(read({ ignored: ["a~1b", "Id"] })).to.deep.equal({ id: 1, ID: 2 });
  });

  it("keeps a member that is called __proto__", () => {
    const sent: unknown = JSON.parse('{"__proto__": {"X": 1}, "drop": 2}');
    const { json } = adaptInput({}, sent, { ignored: ["drop"] });
    expect(JSON.stringify(json)).to.equal('{"__proto__":{"X":1}}');
  });
});

/** A schema, and a value that fits it, with names that differ in more than their case. */
interface Pair {
  readonly schema: object;
  readonly value: unknown;
}

const name = fc.constantFrom(
  "id",
  "lastName",
  "hired_on",
  "Straße",
  "ΟΔΟΣ",
  "x-y",
  "naïve",
  "__proto__",
  "a/b",
);

const { pair } = fc.letrec<{ pair: Pair }>((tie) => ({
  pair: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.integer().map((value) => ({ schema: { type: "integer" }, value })),
    fc.array(tie("pair"), { maxLength: 3 }).map((pairs) => ({
      schema: { type: "array", items: pairs.map(({ schema }) => schema) },
      value: pairs.map(({ value }) => value),
    })),
    fc
      .uniqueArray(fc.tuple(name, tie("pair")), { maxLength: 4, selector: ([key]) => key })
      .map((members) => ({
        schema: {
          type: "object",
          properties: Object.fromEntries(members.map(([key, { schema }]) => [key, schema])),
          required: members.map(([key]) => key),
          additionalProperties: false,
        },
        value: Object.fromEntries(members.map(([key, { value }]) => [key, value])),
      })),
  ),
}));

/** `value` with every name in upper or lower case, as `upper` says one after the other. */
function changeCase(value: unknown, upper: () => boolean): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => changeCase(item, upper));
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => [
    upper() ? key.toUpperCase() : key.toLowerCase(),
    changeCase(member, upper),
  ]);
  return Object.fromEntries(entries);
}

describe("read options, for any schema", () => {
  it("give what exact names give, whatever the case of the input's", () => {
    fc.assert(
      fc.property(pair, fc.array(fc.boolean(), { minLength: 1 }), ({ schema, value }, cases) => {
        let next = 0;
        const sent = changeCase(value, () => cases[next++ % cases.length] ?? false);
        const before = structuredClone(sent);
        const { json, findings } = adaptInput(schema, sent, ANY_CASE);
        expect(findings).to.deep.equal([]);
        expect(JSON.stringify(json)).to.equal(JSON.stringify(value));
        expect(sent).to.deep.equal(before);
      }),
      { numRuns: runs(500) },
    );
  }).timeout(SLOW_TEST_MS);

  it("give input itself that has exact names, and any input when they are off", () => {
    fc.assert(
      fc.property(pair, fc.jsonValue(), ({ schema, value }, other) => {
        expect(adaptInput(schema, value, ANY_CASE).json).to.equal(value);
        for (const options of [{}, { ignored: [] }, { caseInsensitive: false }]) {
          expect(adaptInput(schema, other, options)).to.deep.equal({ json: other, findings: [] });
        }
      }),
      { numRuns: runs(300) },
    );
  }).timeout(SLOW_TEST_MS);

  it("drop an ignored property and nothing else", () => {
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue()), name, (value, dropped) => {
        const path = dropped.replace(/~/g, "~0").replace(/\//g, "~1");
        const expected = Object.fromEntries(Object.entries(value).filter(([key]) => key !== dropped));
        expect(adaptInput({}, value, { ignored: [path] }).json).to.deep.equal(expected);
        expect(adaptInput({}, { inner: [value] }, { ignored: [`inner/${path}`] }).json).to.deep.equal({
          inner: [expected],
        });
      }),
      { numRuns: runs(300) },
    );
  }).timeout(SLOW_TEST_MS);

  it("never throw, whatever the schema and the input", () => {
    fc.assert(
      fc.property(fc.object(), fc.jsonValue(), fc.array(fc.string()), (schema, value, ignored) => {
        expect(adaptInput(schema, value, { caseInsensitive: true, ignored })).to.have.keys(
          "json",
          "findings",
        );
      }),
      { numRuns: runs(500) },
    );
  }).timeout(SLOW_TEST_MS);
});
