import { expect } from "chai";
import fc from "fast-check";
import { findings } from "../../runtime/validation/index.js";
import { corpusFiles } from "../support/corpus.js";
import { ajvCheck, places } from "./ajv.js";
import { checksOf } from "./emitted.js";
import { type Random, randomDocument, randomFrom, valueFor } from "./random.js";

const MORE = process.env["SOAK"] === undefined ? 1 : 20;
const SEED = Math.floor(Math.random() * 2 ** 31);

/**
 * Holds `count` values for `schema` against the emitted check, the interpreter and ajv. Zero disagreement: the same
 * verdict, and the same keyword at the same place, as often as ajv has it, with `if`, `anyOf`, `oneOf`, `contains` and
 * `propertyNames` reported beside what their schemas report.
 */
function agree(schema: unknown, check: (value: unknown) => boolean, random: Random, count: number): number {
  const peer = compile(schema);
  if (peer === undefined) return 0;
  let compared = 0;
  for (let index = 0; index < count; index++) {
    // Through text, as records come: -0 becomes 0, and `__proto__` a member.
    const value: unknown = JSON.parse(JSON.stringify(valueFor(random, schema, schema)));
    const verdict = verdictOf(peer, value);
    if (verdict === undefined) continue;
    compared++;
    const context = () => `seed ${SEED}\n${JSON.stringify(schema)}\n${JSON.stringify(value)}`;
    if (check(value) !== verdict) expect.fail(`ajv says ${verdict} of\n${context()}`);
    const found = places(findings(schema, value)).join("\n");
    if (found !== places(peer.errors).join("\n"))
      expect(found, context()).to.equal(places(peer.errors).join("\n"));
  }
  return compared;
}

/** ajv throws too where members of an `enum` are objects with a member called `toString`. */
function compile(schema: unknown): ReturnType<typeof ajvCheck> | undefined {
  try {
    return ajvCheck(schema);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** ajv throws where a list of unique items holds objects with a member called `valueOf` or `toString`. */
function verdictOf(peer: ReturnType<typeof ajvCheck>, value: unknown): boolean | undefined {
  try {
    return peer(value);
  } catch {
    return undefined;
  }
}

describe("validators and ajv", () => {
  it("agree on random documents: with the shapes below, 100,000 values a run, about half of them valid", () => {
    const random = randomFrom(SEED);
    let compared = 0;
    while (compared < 85_000 * MORE) {
      const documents: Record<string, unknown> = {};
      for (let index = 0; index < 50; index++) {
        documents[`check${index}`] = JSON.parse(JSON.stringify(randomDocument(random)));
      }
      const checks = checksOf(documents);
      for (const [name, schema] of Object.entries(documents)) {
        const check = checks[name];
        if (check !== undefined) compared += agree(schema, check, random, 85);
      }
    }
    expect(compared).to.be.at.least(85_000);
  });

  it("agree on shapes that real connectors have", () => {
    const random = randomFrom(SEED + 1);
    const schemas = realSchemas();
    const checks = checksOf(schemas);
    let compared = 0;
    for (const [name, schema] of Object.entries(schemas)) {
      const check = checks[name];
      if (check !== undefined)
        compared += agree(schema, check, random, (20_000 * MORE) / Object.keys(schemas).length);
    }
    expect(compared).to.be.at.least(15_000);
  });

  it("agree on values that fast-check makes of one wide schema", () => {
    const schema = realSchemas()["employee"];
    const { check } = checksOf({ check: schema });
    const peer = ajvCheck(schema);
    const property = fc.property(fc.jsonValue({ maxDepth: 4 }), (made) => {
      const value: unknown = JSON.parse(JSON.stringify(made));
      expect(check?.(value)).to.equal(peer(value));
      expect(places(findings(schema, value))).to.deep.equal(places(peer.errors));
    });
    fc.assert(property, { numRuns: 2000 * MORE });
  });
});

/** Schemas in the style of the real ones, and the real ones where they are here. */
function realSchemas(): Record<string, unknown> {
  const text = { type: "string" };
  const schemas: Record<string, unknown> = {
    employee: {
      type: "object",
      properties: {
        id: { type: "string", format: "uuid" },
        companyId: { type: "integer", minimum: 1 },
        email: { type: ["string", "null"], maxLength: 20, writeOnly: true },
        hiredOn: { type: "string", format: "date-time" },
        status: { type: ["string", "null"], enum: ["active", "left", null] },
        hours: { type: "number", multipleOf: 0.01, minimum: 0, maximum: 24 },
        tags: { type: "array", items: { type: "string", minLength: 1 }, uniqueItems: true, maxItems: 3 },
        address: { type: ["object", "null"], properties: { street: text, zip: text }, required: ["street"] },
        extra: { type: "object", additionalProperties: { type: ["string", "number"] } },
      },
      required: ["id", "companyId", "tags"],
      additionalProperties: false,
    },
    tree: {
      type: "object",
      properties: { name: text, children: { type: "array", items: { $ref: "#" } } },
      required: ["name"],
    },
  };
  for (const { text: real } of corpusFiles()) {
    const { modules } = JSON.parse(real);
    for (const { dataObjects } of modules) {
      for (const { schema } of dataObjects) schemas[`real${Object.keys(schemas).length}`] = schema;
    }
  }
  return schemas;
}
