import { gzipSync } from "node:zlib";
import { expect } from "chai";
import fc from "fast-check";
import { downloadedItems, type FileFormat } from "../../../runtime/declared/downloaded-items.js";
import { all, failure } from "../../support/promises.js";
import { runs } from "../../support/repository.js";

const SCHEMA = {
  type: "object",
  properties: {
    text: { type: "string" },
    note: { type: "string" },
    maybe: { type: ["string", "null"] },
    count: { type: "integer" },
    price: { anyOf: [{ type: "number" }, { type: "null" }] },
    open: { type: "boolean" },
    tags: { type: "array" },
    level: { enum: [1, 2, null] },
    either: { type: ["string", "number"] },
    shared: { $ref: "#/definitions/amount" },
  },
  required: ["text", "count"],
  definitions: { amount: { type: "number" } },
};

async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const items = (bytes: Uint8Array, file: FileFormat, length = 7) =>
  all(downloadedItems(inPieces(bytes, length), file, { schema: SCHEMA }));

describe("the records of a downloaded file", () => {
  it("have the values that their schema asks for, where a file has texts only", async () => {
    const rows: readonly [cells: Readonly<Record<string, string>>, record: object][] = [
      [
        { text: "a", note: "b", maybe: "c", other: "d" },
        { text: "a", note: "b", maybe: "c", other: "d" },
      ],
      [
        { text: "1", count: " 12 ", price: "-1.50", shared: "1e3" },
        { text: "1", count: 12, price: -1.5, shared: 1000 },
      ],
      [
        { open: "TRUE", level: "2", either: "5" },
        { open: true, level: 2, either: "5" },
      ],
      [
        { open: "0", tags: '["x, y"]' },
        { open: false, tags: ["x, y"] },
      ],
      // What is no value of the property stays as it is: the record is rejected with its reason.
      [
        { open: "perhaps", count: "many", tags: "x" },
        { open: "perhaps", count: "many", tags: "x" },
      ],
    ];
    const empty = { text: "", maybe: null, price: null, level: null };
    for (const [cells, record] of rows) {
      const names = [...Object.keys(SCHEMA.properties), "other"];
      const quoted = names.map((name) => `"${(cells[name] ?? "").replaceAll('"', '""')}"`);
      const [read] = await items(Buffer.from(`${names.join()}\r\n${quoted.join()}\r\n`), { format: "csv" });
      expect(read).to.deep.equal({ ...empty, ...record });
    }
  });

  it("are the same in whatever pieces the file comes, compressed or not", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", "é", "😀", " ") });
    const record = fc.record({ text, note: text.filter((note) => note !== ""), count: fc.integer() });
    const property = fc.asyncProperty(
      fc.array(record, { maxLength: 6 }),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      async (records, length, isCompressed) => {
        const cells = (values: readonly unknown[]) =>
          values.map((value) => `"${String(value).replaceAll('"', '""')}"`).join();
        const rows = records.map(({ text: own, note, count }) => `${cells([own, note, count])}\n`);
        const written: readonly [FileFormat, string][] = [
          [{ format: "jsonLines" }, records.map((one) => JSON.stringify(one)).join("\n")],
          [{ format: "json", items: "data" }, JSON.stringify({ data: records })],
          [{ format: "csv" }, `text,note,count\n${rows.join("")}`],
        ];
        for (const [file, content] of written) {
          const bytes = Buffer.from(content);
          expect(await items(isCompressed ? gzipSync(bytes) : bytes, file, length)).to.deep.equal(records);
        }
      },
    );
    await fc.assert(property, { numRuns: runs(100) });
  });

  it("may be none, or one of a single byte", async () => {
    for (const length of [1, 100]) {
      expect(await items(Buffer.from(""), { format: "jsonLines" }, length)).to.deep.equal([]);
      expect(await items(Buffer.from("7"), { format: "jsonLines" }, length)).to.deep.equal([7]);
      expect(await items(Buffer.from("[]"), { format: "json", items: "$" }, length)).to.deep.equal([]);
      expect(await items(gzipSync(Buffer.from("7")), { format: "jsonLines" }, length)).to.deep.equal([7]);
      expect(await items(Buffer.from("text,count"), { format: "csv" }, length)).to.deep.equal([]);
    }
  });

  it("are an error where they break off, are damaged, or never end", async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) yield Buffer.alloc(1_000_000, "x");
    }
    const read = (body: AsyncIterable<Uint8Array>, file: FileFormat) =>
      failure(all(downloadedItems(body, file, { schema: SCHEMA })));
    expect(await read(endless(), { format: "jsonLines" })).to.include({ name: "FileProblem" });
    expect(await read(endless(), { format: "csv" })).to.include({ name: "FileProblem" });
    const packed = gzipSync(Buffer.from('{"text":"a"}\n'.repeat(1_000)));
    for (const end of [3, 12, packed.length - 1])
      expect(await read(inPieces(packed.subarray(0, end), 5), { format: "jsonLines" })).to.have.property(
        "message",
        "it breaks off, or its gzip is damaged",
      );
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield packed.subarray(0, 9);
      throw new Error("the connection broke off");
    }
    for (const format of ["jsonLines", "csv"] as const)
      expect(await read(broken(), { format })).to.have.property("message", "the connection broke off");
  });

  it("are read no faster than they are taken", async () => {
    let given = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        given++;
        yield Buffer.from(`${'{"text":"a"}\n'.repeat(1_000)}`);
      }
    }
    let taken = 0;
    for await (const _ of downloadedItems(endless(), { format: "jsonLines" }, { schema: SCHEMA }))
      if (++taken === 10_000) break;
    expect(given).to.be.at.most(11);
  });
});
