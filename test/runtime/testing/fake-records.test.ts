import { expect } from "chai";
import fc from "fast-check";
import type { RecordType } from "../../../runtime/entries/runtime.js";
import { FakeRecordError, fakeRecords } from "../../../runtime/entries/testing.js";
import type { ConnectorJson } from "../../../schemas/formats/connector-json.js";
import { corpusFiles, NO_CORPUS } from "../../support/corpus.js";
import { checkOf } from "../../validation/emitted.js";
import { randomFrom, randomSchema } from "../../validation/random.js";

const PROJECT = recordType(
  {
    type: "object",
    properties: {
      company: { type: "string" },
      id: { type: "string", format: "uuid" },
      number: { type: "string", minLength: 3, maxLength: 6 },
      rank: { type: "integer", minimum: 10, multipleOf: 5 },
      status: { enum: ["Planned", "Active"] },
      email: { type: ["string", "null"], format: "email" },
      site: { type: "object", properties: { country: { type: "string", pattern: "^[A-Z]{2}$" } } },
    },
    required: ["company", "id", "number", "rank"],
  },
  [["company", "id"], ["number"], ["rank"]],
);

describe("fakeRecords", () => {
  it("makes records that fit, with keys that no two share", async () => {
    const { records, leftOut } = await fakeRecords(PROJECT, { count: 2_000 });
    expect(records.filter((record) => !PROJECT.check(record))).to.deep.equal([]);
    expect(records).to.have.length(2_000);
    expect(leftOut).to.deep.equal([]);
    for (const names of [["company", "id"], ["number"], ["rank"]]) {
      const values = new Set(records.map((record) => JSON.stringify(names.map((name) => record[name]))));
      expect(values.size, names.join()).to.equal(2_000);
    }
    // Several records of one company, as its key of two parts says.
    expect(new Set(records.map(({ company }) => company)).size).to.be.lessThan(10);
  });

  it("makes the same records for the same seed, and others for another", async () => {
    const [first, again, other] = await Promise.all(
      [3, 3, 4].map((seed) => fakeRecords(PROJECT, { count: 20, seed })),
    );
    expect(again).to.deep.equal(first);
    expect(other).to.not.deep.equal(first);
  });

  it("makes most texts readable, and some as odd as they may be", async () => {
    const properties = {
      id: { type: "integer" },
      firstName: { type: "string" },
      note: { type: ["string", "null"], maxLength: 5 },
    };
    const type = recordType({ type: "object", properties, required: ["id", "firstName"] }, [["id"]]);
    const { records } = await fakeRecords(type, { count: 200 });
    const readable = records.filter(({ firstName }) => /^First Name \d+$/.test(String(firstName)));
    expect(readable.length).to.be.greaterThan(100).and.lessThan(200);
    expect(records.every(type.check)).to.equal(true);
  });

  it("ends where a key has no more values", async () => {
    const type = recordType(
      { type: "object", properties: { id: { enum: ["a", "b", "c"] } }, required: ["id"] },
      [["id"]],
    );
    const { records } = await fakeRecords(type, { count: 10 });
    expect(records.map(({ id }) => id).sort()).to.deep.equal(["a", "b", "c"]);
  });

  it("leaves out what is optional and can't be made, and says so", async () => {
    const type = recordType(
      {
        type: "object",
        properties: {
          id: { type: "integer" },
          odd: { type: "integer", not: { type: "number" } },
          "a/b": { type: ["string", "null"], pattern: "^(?!.).$" },
        },
        required: ["id", "a/b"],
      },
      [["id"]],
    );
    const { records, leftOut } = await fakeRecords(type, { count: 50 });
    expect(records).to.have.length(50);
    expect(records.every(type.check)).to.equal(true);
    expect(leftOut.map((text) => text.replace(/:.*/s, ""))).to.have.members(["Thing/odd", "Thing/a~1b"]);
  });

  it("names the property that is required and can't be made, and takes values for it", async () => {
    const type = recordType(
      {
        type: "object",
        properties: { id: { type: "integer" }, code: { type: "string", pattern: "^(?=.*7)(?=.*x).{3}$" } },
        required: ["id", "code"],
      },
      [["id"]],
    );
    const error = await fakeRecords(type, { count: 3 }).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(FakeRecordError);
    expect((error as Error).message).to.match(
      /^No value of Thing\/code can be made: .*values: \{ "code": \(index\) => … \}\.$/,
    );
    const { records } = await fakeRecords(type, { count: 3, values: { code: (index) => `x7${index}` } });
    expect(records.map(({ code }) => code)).to.deep.equal(["x70", "x71", "x72"]);
  });

  it("makes records of any schema, or names what can't be made", async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const random = randomFrom(seed);
        const properties = Object.fromEntries(
          ["one", "two", "three"].map((name) => [name, randomSchema(random, 2)]),
        );
        const schema = {
          type: "object",
          properties: { ...properties, id: { type: "string", minLength: 1 } },
          required: ["id", "one"],
        };
        const type = recordType(schema, [["id"]]);
        try {
          const { records } = await fakeRecords(type, { count: 5, seed });
          expect(records.filter((record) => !type.check(record))).to.deep.equal([]);
          expect(new Set(records.map(({ id }) => id)).size).to.equal(5);
          made++;
        } catch (error) {
          expect(error).to.be.instanceOf(FakeRecordError);
          expect((error as Error).message).to.match(/^No value of Thing(?:\/one|:)/);
        }
      }),
      { numRuns: 200 },
    );
    expect(made).to.be.greaterThan(110);
  });
});

describe("fakeRecords of real connectors", () => {
  const files = corpusFiles();
  if (files.length === 0) it.skip(NO_CORPUS);
  for (const { name, text } of files) {
    it(`makes 10,000 records that fit, and names nothing that it left out, over the objects of ${name}`, async () => {
      const { modules } = JSON.parse(text) as ConnectorJson;
      const objects = modules.flatMap(({ dataObjects }) => dataObjects);
      const count = Math.ceil(10_000 / objects.length);
      for (const { schema, keys } of objects) {
        const type = recordType(
          schema,
          keys.map(({ propertyNames }) => [...propertyNames]),
        );
        const { records, leftOut } = await fakeRecords(type, { count });
        expect(records.filter((record) => !type.check(record))).to.deep.equal([]);
        expect(records).to.have.length(count);
        expect(leftOut).to.deep.equal([]);
      }
    });
  }
});

function recordType(schema: unknown, keys: readonly (readonly string[])[]): RecordType {
  return {
    name: "Thing",
    schema,
    check: checkOf(schema),
    keys: keys.map((properties, index) => ({ name: `key${index}`, isPrimary: index === 0, properties })),
  };
}
