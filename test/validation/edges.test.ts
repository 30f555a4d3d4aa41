import { expect } from "chai";
import { findings, HIDDEN, validate } from "../../runtime/validation/index.js";
import { ajvCheck, places } from "./ajv.js";
import { checkOf } from "./emitted.js";

const CASES: readonly (readonly [name: string, schema: unknown, ...values: unknown[]])[] = [
  [
    "30 February",
    { type: "string", format: "date" },
    "2024-02-30",
    "2024-02-29",
    "2023-02-29",
    "1900-02-29",
    "2000-02-29",
  ],
  [
    "leap seconds",
    { type: "string", format: "time" },
    "23:59:60Z",
    "12:59:60Z",
    "00:59:60+01:00",
    "23:59:60.5Z",
    "23:59:61Z",
    "24:59:60+01:00",
    "22:59:60-01:00",
    "05:29:60+05:30",
    "05:28:60+05:30",
    "05:30:60+05:30",
    "04:29:60+05:30",
    "00:29:60+00:30",
    "23:29:60-00:30",
    "20:29:60-03:30",
    "21:29:60-03:30",
    "20:30:60-03:30",
    "12:00:00",
  ],
  [
    "dates with times",
    { format: "date-time" },
    "2024-02-29T12:00:00Z",
    "2024-02-29t12:00:00z",
    "2024-02-29 12:00:00+0200",
    "2024-02-29\u00a012:00:00+02",
    "2024-02-29T12:00:00",
    "2024-02-29T12:00:00.Z",
    "2024-02-29T12:00:00Z\n",
    "2024-02-29TT12:00:00Z",
    "",
  ],
  [
    "times without an offset",
    { format: "iso-date-time" },
    "2024-02-29T12:00:00",
    "2024-02-29T12:00:00+1",
    "2024-02-29T",
  ],
  ["1.0 as an integer", { type: "integer" }, JSON.parse("1.0"), 1.5, 1e300, -0],
  ["numbers that are none", { type: "number" }, 1e308 * 10, Number.NaN, -1e308 * 10],
  ["infinity without a type", { minimum: 3 }, 1e308 * 10, Number.NaN, 2],
  [
    "lengths of surrogate pairs",
    { maxLength: 2, minLength: 2 },
    "😀😀",
    "😀",
    "a😀b",
    "\ud83d\ud83d",
    "\ude00\ud83d",
    "😀\ud83d",
  ],
  ["the empty text", { type: "string", minLength: 1 }, "", " "],
  ["minus zero", { enum: [0], minimum: 0 }, -0, 0],
  ["an enum with a type array and null", { type: ["string", "null"], enum: ["a"] }, null, "a"],
  ["an enum with null", { type: ["string", "null"], enum: ["a", null] }, null, "b"],
  ["multiples of 0.01", { multipleOf: 0.01 }, 0.07, 0.01, 19.99, 4.35, 1e300, 1e19, 0],
  [
    "names that objects inherit",
    { required: ["toString"], properties: { constructor: { type: "string" } } },
    {},
    { constructor: "a" },
  ],
  ["deep equality", { enum: [{ a: [1, { b: null }] }, []] }, { a: [1, { b: null }] }, { a: [1, {}] }, [], {}],
  [
    "booleans among numbers",
    { uniqueItems: true },
    [1, true],
    [0, false, null, ""],
    [[1], [true]],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
  ],
  ...[{}, { type: ["string", "null"] }, { type: "string" }].map((items): (typeof CASES)[number] => [
    `__proto__ repeated in a list of ${JSON.stringify(items)}`,
    { uniqueItems: true, items },
    ["__proto__", "__proto__"],
    ["__proto__"],
  ]),
  ...[8, 9].map((count): (typeof CASES)[number] => [
    `__proto__ among ${count} others`,
    JSON.parse(
      `{ "additionalProperties": false, "properties": { "__proto__": {}, ${Array.from({ length: count }, (_, index) => `"p${index}": {}`).join()} } }`,
    ),
    JSON.parse('{ "__proto__": 1 }'),
    { p0: 1, [`p${count - 1}`]: 1 },
    { other: 1 },
  ]),
  ["schemas that are booleans", { properties: { a: false, b: true } }, { a: 1 }, { b: 1 }, {}],
  ["nothing fits", false, 1, null],
  [
    "keywords that draft-07 has not",
    { minContains: 5, contains: { const: 1 }, dependentRequired: { a: ["b"] } },
    [1],
    { a: 1 },
  ],
];

describe("validators", () => {
  for (const [name, schema, ...values] of CASES) {
    it(`decide as ajv on ${name}`, () => {
      const check = checkOf(schema);
      const peer = ajvCheck(schema);
      for (const value of values) {
        expect(check(value), JSON.stringify(value)).to.equal(peer(value));
        expect(places(findings(schema, value)), JSON.stringify(value)).to.deep.equal(places(peer.errors));
      }
    });
  }

  it("hold no text against a slow pattern that is refused for its length already", () => {
    const schema = { type: "string", maxLength: 320, pattern: "^\\s*a*a*a*$" };
    const long = `${"a".repeat(100_000)}!`;
    expect(checkOf(schema)(long)).to.equal(false);
    expect(findings(schema, long).map(({ keyword }) => keyword)).to.deep.equal(["maxLength"]);
  });

  it("name the member that looks like the missing one, and no other", () => {
    const schema = { type: "object", required: ["createdOn", "id"] };
    const value = { created_on: "2024-02-29", ID2: 1, "": 0 };
    expect(findings(schema, value).map(({ message }) => message)).to.deep.equal([
      'the value: expected the member "createdOn", found "created_on" in its place',
      'the value: expected the member "id", found nothing',
    ]);
  });

  it("refuse what nests deeper than 500 references, without overflowing the stack", () => {
    const schema = { type: "object", properties: { inner: { $ref: "#" } } };
    const check = checkOf(schema);
    const nestedValue = (levels: number) => {
      let value: unknown = {};
      for (let level = 0; level < levels; level++) value = { inner: value };
      return value;
    };
    expect(check(nestedValue(500))).to.equal(true);
    expect(check(nestedValue(501))).to.equal(false);
    expect(check(nestedValue(1_000_000))).to.equal(false);
    for (const levels of [501, 1_000_000]) {
      const found = validate({ check, schema }, nestedValue(levels));
      expect(found.map(({ keyword }) => keyword)).to.deep.equal(["depth"]);
    }
  });

  it("refuse a schema that leads to itself without end, and say so", () => {
    const schema = { anyOf: [{ type: "string" }, { $ref: "#" }] };
    const check = checkOf(schema);
    expect(check("a")).to.equal(true);
    expect(check(1)).to.equal(false);
    expect(places(findings(schema, 1))).to.include(" $ref");
  });

  it("differ from ajv on purpose: an empty list contains nothing, wherever it stands", () => {
    const schema = { items: { contains: { type: "number" } } };
    expect(checkOf(schema)([[1], []])).to.equal(false);
    expect(ajvCheck(schema)([[1], []])).to.equal(true);
  });

  it("differ from ajv on purpose: members called constructor, valueOf and toString are members", () => {
    const check = checkOf({ uniqueItems: true });
    expect(check([{ constructor: {} }, { constructor: {} }])).to.equal(false);
    expect(check([{ valueOf: 1 }, { valueOf: 1 }])).to.equal(false);
    expect(check([{ toString: 1 }, { toString: 2 }])).to.equal(true);
  });
});

describe("findings", () => {
  it("say where, what was expected and what was there", () => {
    const schema = {
      type: "object",
      properties: { "a/b": { type: "integer", maximum: 9 } },
      required: ["id"],
    };
    expect(findings(schema, { "a/b": 12 })).to.deep.equal([
      {
        instancePath: "",
        keyword: "required",
        expected: 'the member "id"',
        actual: "nothing",
        message: 'the value: expected the member "id", found nothing',
      },
      {
        instancePath: "/a~1b",
        keyword: "maximum",
        expected: "at most 9",
        actual: "12",
        message: "/a~1b: expected at most 9, found 12",
      },
    ]);
  });

  it("never show what is sensitive: by the schema at the place, an enclosing one, another branch, or by request", () => {
    const secret = "p4ssw0rd";
    const refused = { type: "number" };
    const cases: readonly (readonly [schema: unknown, value: unknown, hidden?: readonly string[]])[] = [
      [{ ...refused, writeOnly: true }, secret],
      [{ properties: { a: { writeOnly: true, properties: { b: refused } } } }, { a: { b: secret } }],
      [
        { allOf: [{ properties: { a: { writeOnly: true } } }, { properties: { a: refused } }] },
        { a: secret },
      ],
      [
        {
          allOf: [
            { properties: { a: refused } },
            { anyOf: [true, { properties: { a: { writeOnly: true } } }] },
          ],
        },
        { a: secret },
      ],
      [{ items: { additionalProperties: false, writeOnly: true } }, [{ [secret]: 1 }]],
      [{ properties: { a: refused } }, { a: secret }, ["/a"]],
      [{ properties: { a: { writeOnly: true } }, not: {} }, { a: secret }],
    ];
    for (const [schema, value, hidden = []] of cases) {
      const found = findings(schema, value, { hidden });
      expect(found).to.have.length.above(0);
      expect(JSON.stringify(found)).to.not.include(secret);
    }
    expect(findings({ ...refused, writeOnly: true }, secret)[0]?.actual).to.equal(HIDDEN);
  });

  it("show long texts and large values in short", () => {
    const [found] = findings({ type: "null" }, "x".repeat(100_000));
    expect(found?.actual).to.have.lengthOf(101);
    expect(findings({ type: "null" }, [1, 2])[0]?.actual).to.equal("an array of 2 items");
    expect(findings({ type: "null" }, { a: 1 })[0]?.actual).to.equal("an object of 1 member");
  });
});
