import { expect } from "chai";
import fc from "fast-check";
import { jsonItems } from "../../../runtime/declared/json-items.js";
import { all, failure } from "../../support/promises.js";
import { runs } from "../../support/repository.js";

async function* inPieces(text: string, lengths: readonly number[]): AsyncGenerator<string> {
  let at = 0;
  for (let piece = 0; at < text.length; piece++) {
    const length = lengths[piece % lengths.length] ?? 1;
    yield text.slice(at, at + length);
    at += length;
  }
}

const whole = (text: string) => inPieces(text, [text.length]);

describe("the items of a long JSON text", () => {
  const text = fc.string({ unit: fc.constantFrom("a", '"', "\\", "{", "]", ",", ":", " ", "é", "\n") });
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      ...[text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)],
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(text, tie("value"), { maxKeys: 3 }),
    ),
  })).value;

  it("are those that the whole text has there, in whatever pieces it comes", async () => {
    const pieces = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
    const property = fc.asyncProperty(
      ...([fc.array(json, { maxLength: 5 }), json, json, pieces, fc.constantFrom(undefined, 2)] as const),
      async (items, before, behind, lengths, indent) => {
        const placed: readonly [way: string, value: unknown][] = [
          ["$", items],
          ["data", { before, data: items, behind }],
          ["data.items", { "data.item": before, data: { before, items, behind }, behind }],
          ["a.b", { a: { c: [{ a: { b: [1] } }], b: items } }],
        ];
        for (const [way, value] of placed) {
          const written = JSON.stringify(value, null, indent);
          // JSON has no -0.
          const expected = JSON.parse(JSON.stringify(items));
          expect(await all(jsonItems(inPieces(written, lengths), way))).to.deep.equal(expected);
        }
      },
    );
    await fc.assert(property, { numRuns: runs(200) });
  });

  it("are never fewer than it has: a text that breaks off anywhere is an error", async () => {
    const written = JSON.stringify({ a: [1], data: [{ b: '"]}' }, [2], "x"], c: { d: null } });
    for (let end = 0; end < written.length; end++)
      expect(await failure(all(jsonItems(whole(written.slice(0, end)), "data"))), `${end}`).to.be.instanceOf(
        SyntaxError,
      );
  });

  it("say where the text is wrong, and quote nothing of it", async () => {
    const wrong: readonly [text: string, message: string][] = [
      ['{"data":{"items":[]}}', 'it has no list at "data"'],
      ['{"data":[{"a":secret}]}', "record 1 is no JSON"],
      ['{"data":[1,]}', "record 2 is no JSON"],
      ['{"data":[,1]}', "record 1 is no JSON"],
      ['{"data":[1}]', "its brackets do not match"],
      ['{"data":[1', "it breaks off"],
      ["", 'it has no list at "data"'],
    ];
    for (const [written, message] of wrong)
      expect(await failure(all(jsonItems(whole(written), "data")))).to.have.property("message", message);
  });

  it("are no longer than memory allows", async () => {
    async function* endless(): AsyncGenerator<string> {
      yield '{"data":["';
      for (;;) yield "x".repeat(1_000_000);
    }
    expect(String(await failure(all(jsonItems(endless(), "data"))))).to.match(/record 1 is longer than/);
  });
});
