import { expect } from "chai";
import fc from "fast-check";
import { recordHasher } from "../../../runtime/cache-writer/canonical-hash.js";
import { runs } from "../../support/repository.js";

const hashOf = recordHasher();
const record = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 3 }), {
  noNullPrototype: true,
});

/** The same value with its members in another order, everywhere. */
function reverseMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseMembers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reverseMembers(member)]),
  );
}

/** JSON with sorted members: what the hash stands for. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
}

describe("the hash of a record", () => {
  it("is the same for every order of members, and for JSON written and read again", () => {
    fc.assert(
      fc.property(record, (value) => {
        expect(hashOf(reverseMembers(value) as object)).to.equal(hashOf(value));
        expect(hashOf(JSON.parse(JSON.stringify(value)))).to.equal(hashOf(value));
      }),
      { numRuns: runs(300) },
    );
  });

  it("differs where the records differ", () => {
    fc.assert(
      fc.property(record, record, (one, other) => {
        expect(hashOf(one) === hashOf(other)).to.equal(canonical(one) === canonical(other));
      }),
      { numRuns: runs(300) },
    );
  });

  it("does not take one spelling of values for another", () => {
    const different = [
      { a: "1" },
      { a: 1 },
      { a: true },
      { a: null },
      { a: [] },
      { a: {} },
      { a: [1, 2] },
      { a: [12] },
      { a: ["1", "2"] },
      { a: ['1","2'] },
      { a: "~" },
      { a: '0"' },
      {},
      { a: "", b: "" },
      { a: 'b"' },
      { b: { a: 1 } },
      { a: "abcde" },
      { a: "abcd", b: "e" },
      { a: "abced" },
      { a: "abcd\u0100" },
      { a: "\u0161" },
      { a: "a\u0001" },
      { a: "x".repeat(70_000) },
      { a: "x".repeat(70_001) },
      { a: "\ud800" },
      { a: "\ud801" },
      JSON.parse('{ "__proto__": 1 }'),
    ];
    expect(new Set(different.map(hashOf)).size).to.equal(different.length);
  });

  it("knows no spelling of numbers", () => {
    expect(hashOf(JSON.parse('{"a":1.0,"b":1e2,"c":-0}'))).to.equal(hashOf({ a: 1, b: 100, c: 0 }));
  });

  it("leaves out what JSON leaves out, and volatile members of the record itself", () => {
    expect(hashOf({ a: 1, b: undefined, c: { d: undefined } })).to.equal(hashOf({ a: 1, c: {} }));
    const quiet = recordHasher({ volatile: ["seen"] });
    expect(quiet({ a: 1, seen: 1 }))
      .to.equal(quiet({ a: 1, seen: 2 }))
      .and.to.equal(quiet({ a: 1 }));
    expect(quiet({ a: { seen: 1 } })).to.not.equal(quiet({ a: { seen: 2 } }));
  });

  it("stays right over more sets of names than it remembers", () => {
    const fresh = recordHasher();
    const hashes = Array.from({ length: 12_000 }, (_, index) => fresh({ [`name${index}`]: 1 }));
    expect(new Set(hashes).size).to.equal(12_000);
    expect(fresh({ name11999: 1 })).to.equal(hashes[11_999]);
  });
});
