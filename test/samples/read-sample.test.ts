import { expect } from "chai";
import fc from "fast-check";
import { readSample, type Sample } from "../../generators/samples/read-sample.js";
import { valueAt } from "../../runtime/declared/ways.js";
import { renderDocument } from "../../schemas/entries/model.js";
import { toPlain } from "../../schemas/json.js";
import { json, text } from "../support/arbitraries.js";
import { runs } from "../support/repository.js";
import { checkOf } from "../validation/emitted.js";

const NOUNS = ["project", "projects", "Project"];

function sampleOf(content: string): Sample {
  const { sample, diagnostics } = readSample({ text: content, file: "sample.json" }, NOUNS);
  if (sample === undefined) throw new Error(diagnostics[0]?.message);
  return sample;
}

const schemaOf = (sample: Sample) => toPlain(renderDocument(sample.schema));
/** What is inferred of one member of records. */
const inferred = (...values: readonly string[]) => {
  const records = values.map((value, id) => `{"id":${id}${value === "" ? "" : `,"it":${value}`}}`);
  const { properties, required } = schemaOf(sampleOf(`[${records}]`)) as {
    readonly properties: { readonly it: unknown };
    readonly required: readonly string[];
  };
  return { it: properties.it, required: required.includes("it") };
};

describe("a schema that is inferred of a sample", () => {
  const record = fc.array(fc.tuple(text, json), { maxLength: 6 });

  it("fits every record of the sample, whatever it holds", () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 6 }), (members) => {
        const records = members.map((own, id) => Object.fromEntries([...own.map(plain), ["id", id]]));
        const content = JSON.stringify({ data: records });
        const check = checkOf(schemaOf(sampleOf(content)));
        for (const one of JSON.parse(content).data) expect(check(one), JSON.stringify(one)).to.equal(true);
      }),
      { numRuns: runs(150) },
    );
  });

  it("fits every answer with dates, addresses and numbers of all spellings", () => {
    const value = fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => JSON.stringify(date)),
      fc.constantFrom(
        '"2026-02-29"',
        '"2026-02-28"',
        '"2024-02-29T23:59:60Z"',
        '"2026-02-03T04:05:06+01:00"',
      ),
      fc.constantFrom("1.0", "1e2", "-0", "12345678901234567890", "0.1", "1E+4", "null"),
      fc.uuid().map((id) => JSON.stringify(id)),
      fc.emailAddress().map((address) => JSON.stringify(address)),
      fc.webUrl().map((address) => JSON.stringify(address)),
      fc.constantFrom('"http://"', '"https://x"', '"a@b"', '"urn:uuid:x"', '""', '"mailto:a@b.c"'),
    );
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), (values) => {
        const content = `[${values.map((it, id) => `{"id":${id},"it":${it},"all":[${values}]}`)}]`;
        const check = checkOf(schemaOf(sampleOf(content)));
        for (const one of JSON.parse(content)) expect(check(one), JSON.stringify(one)).to.equal(true);
      }),
      { numRuns: runs(300) },
    );
  });

  const INFERRED: readonly (readonly [what: string, values: readonly string[], it: object | true])[] = [
    ["texts", ['"a"', '""'], { type: "string" }],
    ["few texts, which are no enumeration", ['"Open"', '"Open"', '"Done"'], { type: "string" }],
    ["a text that may be null", ['"a"', "null"], { type: ["string", "null"] }],
    ["truth values", ["true", "false"], { type: "boolean" }],
    ["whole numbers", ["1", "-2"], { type: "integer" }],
    ["amounts, which are whole by chance", ["1.00", "2"], { type: "number" }],
    ["powers of ten", ["1e2"], { type: "number" }],
    ["numbers of more digits than are kept", ["9223372036854775807"], { type: "number" }],
    ["times", ['"2026-02-03T04:05:06Z"'], { type: "string", format: "date-time" }],
    ["times of no zone", ['"2026-02-03T04:05:06"'], { type: "string" }],
    ["days", ['"2026-02-03"', '"2024-02-29"'], { type: "string", format: "date" }],
    ["what looks like a day", ['"2026-02-30"'], { type: "string" }],
    ["days and times", ['"2026-02-03"', '"2026-02-03T04:05:06Z"'], { type: "string" }],
    ["UUIDs", ['"7b3f8f0e-6f3a-4c58-9d2e-0b8a4f6f2c11"'], { type: "string", format: "uuid" }],
    ["mail addresses", ['"a@b.example"', "null"], { type: ["string", "null"], format: "email" }],
    ["addresses of the web", ['"https://a.example/b"'], { type: "string", format: "uri" }],
    ["texts with a colon", ['"note:this"'], { type: "string" }],
    ["nothing but null", ["null", "null"], true],
    ["values of several types", ["1", '"1"'], true],
    ["lists without items", ["[]"], { type: "array", items: true }],
    ["lists", ["[1,2]", "[]"], { type: "array", items: { type: "integer" } }],
    [
      "objects that differ",
      ['{"a":1,"b":null}', '{"a":2}'],
      { type: "object", properties: { a: { type: "integer" }, b: true }, required: ["a"] },
    ],
    [
      "objects by number",
      ['{"1":"a","22":"b"}'],
      { type: "object", additionalProperties: { type: "string" } },
    ],
    ["objects without members", ["{}"], { type: "object", properties: {} }],
  ];
  for (const [what, values, it_] of INFERRED) {
    it(`tells ${what}`, () => {
      expect(inferred(...values)).to.deep.equal({ it: it_, required: true });
    });
  }

  it("tells what is not in every record", () => {
    expect(inferred("1", "")).to.deep.equal({ it: { type: "integer" }, required: false });
  });

  it("takes an object of hundreds of names for one that may have any", () => {
    const members = Array.from({ length: 301 }, (_, index) => `"name${index}":${index}`);
    expect(inferred(`{${members}}`).it).to.deep.equal({
      type: "object",
      additionalProperties: { type: "integer" },
    });
  });

  it("says how each thing is known, in a sentence without values", () => {
    const { comments, schema } = sampleOf(
      '[{"id":"canary-1","n":1,"o":{"p":"canary-2"}},{"id":"canary-3","n":null,"o":{"p":"a@canary.example"}}]',
    );
    const said = [...comments].map(([{ name }, comment]) => `${name}: ${comment}`);
    expect(said).to.deep.equal([
      "id: In all 2 records.",
      "n: In all 2 records; null in 1; whole numbers only.",
      "o: In all 2 records.",
      "p: In all 2 objects.",
    ]);
    expect(JSON.stringify([schema, said])).to.not.include("canary");
  });
});

describe("the list in a sample", () => {
  const ONE = '[{"id":1}]';
  const FOUND: readonly (readonly [what: string, answer: string, way: string])[] = [
    ["the answer itself", ONE, "$"],
    ["a member", `{"data":${ONE},"total":1}`, "data"],
    ["a member of a member", `{"ok":true,"result":{"projects":${ONE}}}`, "result.projects"],
    ["called as the records are", `{"items":[{"id":1},{"id":2}],"projects":${ONE}}`, "projects"],
    ["called as lists are", `{"included":[{"id":1},{"id":2}],"data":${ONE}}`, "data"],
    ["of more records than another", `{"a":${ONE},"b":[{"id":1},{"id":2}]}`, "b"],
    ["not of errors", `{"errors":[{"id":1},{"id":2}],"list2":${ONE}}`, "list2"],
    ["called with a dot", `{"@odata.context":"x","a.b":${ONE}}`, "a.b"],
    ["behind a byte order mark", `\uFEFF{"data":${ONE}}`, "data"],
    ["one record", '{"id":1,"lines":[{"id":2}]}', "$"],
    ["one record with a list of its own", '{"name":"a","parts":["b"]}', "$"],
  ];
  for (const [what, answer, way] of FOUND) {
    it(`is ${what}`, () => {
      expect(sampleOf(answer).items).to.equal(way);
    });
  }

  it("is where a declared reader finds it", () => {
    const name = fc.constantFrom("data", "a.b", "a", "b", "$", "", "__proto__", "constructor", "x y");
    fc.assert(
      fc.property(fc.array(name, { maxLength: 4 }), (steps) => {
        const list = [{ id: 1, seen: true }];
        const answer = steps.reduceRight<unknown>(
          (inner, step) =>
            Object.fromEntries([
              ["count", null],
              [step, inner],
            ]),
          list,
        );
        const { sample } = readSample({ text: JSON.stringify(answer) }, NOUNS);
        if (sample === undefined || sample.items === "$") return;
        expect(valueAt(JSON.parse(JSON.stringify(answer)), sample.items)).to.deep.equal(list);
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("the key in a sample", () => {
  const KEYS: readonly (readonly [what: string, records: string, key: readonly string[]])[] = [
    ["called id", '[{"name":"a","id":1},{"name":"b","id":2}]', ["id"]],
    [
      "called as the record's own",
      '[{"owner_id":1,"project_id":2},{"owner_id":2,"project_id":3}]',
      ["project_id"],
    ],
    ["a number", '[{"title":"a","number":"1"},{"title":"b","number":"2"}]', ["number"]],
    ["not called id where that is the same twice", '[{"id":1,"code":"a"},{"id":1,"code":"b"}]', ["code"]],
    ["not a number of too many digits", '[{"id":9223372036854775807,"uuid":"a"}]', ["uuid"]],
    ["not a number with a fraction", '[{"id":1.0,"uuid":"a"}]', ["uuid"]],
    ["not what is empty", '[{"id":"","code":"a"}]', ["code"]],
    ["not what may be absent", '[{"id":1,"code":"a"},{"code":"b"}]', ["code"]],
    ["not what is a truth value", '[{"id":true,"code":"a"}]', ["code"]],
    ["of several names", '[{"job_id":1,"week":"a"},{"job_id":1,"week":"b"}]', ["job_id", "week"]],
    ["the one that differs", '[{"a":"x","b":1},{"a":"x","b":2}]', ["b"]],
  ];
  for (const [what, records, key] of KEYS) {
    it(`is ${what}`, () => {
      const sample = sampleOf(records);
      expect(sample.key).to.deep.equal(key);
      expect(sample.keyReason).to.match(/\.$/);
    });
  }
});

describe("a sample that tells nothing", () => {
  const UNFIT: readonly (readonly [what: string, text: string, words: string])[] = [
    ["no JSON", "<html>", "The file is not JSON"],
    ["empty", "", "The file is not JSON: value expected"],
    ["cut", '{"data":[{"id":1},', "The file is not JSON"],
    ["nested too deeply", `${"[".repeat(2_000)}${"]".repeat(2_000)}`, "nested more than"],
    ["with a name twice in one object", '[{"id":1,"id":2}]', 'The name "id" occurs twice'],
    ["with a number past all numbers", '[{"id":1e999}]', "a number is too large"],
    ["a text", '"a"', "it is neither an object nor a list"],
    ["an empty list", "[]", "its list is empty"],
    ["an object with an empty list", '{"data":[]}', "its list is empty"],
    ["a list of texts", '["a"]', "its list holds something else than objects"],
    ["a list of objects and others", '[{"id":1},null]', "its list holds something else than objects"],
    ["an object with a list of texts", '{"data":{"of":["a"]}}', "its list holds no objects"],
    ["an object of nothing", "{}", "it holds no list"],
    ["records without a key", '[{"a":null,"b":[1]}]', "none of its properties can be a key"],
    [
      "records of thousands of names",
      `[{${Array.from({ length: 2_001 }, (_, index) => `"n${index}":1`)}}]`,
      "more than 2000 properties",
    ],
    ["records that are the same", '[{"a":1},{"a":1}]', "no properties tell its records apart"],
  ];
  for (const [what, content, words] of UNFIT) {
    it(`says so: ${what}`, () => {
      const { sample, diagnostics } = readSample({ text: content, file: "/s.json" }, NOUNS);
      expect(sample).to.equal(undefined);
      expect(diagnostics.map(({ message }) => message).join("\n")).to.include(words);
      expect(diagnostics[0]?.file).to.equal("/s.json");
    });
  }
});

function plain([name, value]: readonly [string, Parameters<typeof toPlain>[0]]): readonly [string, unknown] {
  return [name, toPlain(value)];
}
