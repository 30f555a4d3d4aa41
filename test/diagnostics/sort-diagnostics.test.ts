import { expect } from "chai";
import fc from "fast-check";
import { type Diagnostic, sortDiagnostics } from "../../schemas/entries/model.js";
import { runs } from "../support/repository.js";

const at = (place: Partial<Diagnostic>): Diagnostic => ({
  ...{ severity: "error", code: "key-missing", section: "§2.6", message: "m", fix: "f" },
  ...place,
});

/** Findings in the order in which a person reads them. */
const SORTED: readonly Diagnostic[] = [
  at({ message: "a" }),
  at({ message: "b" }),
  at({ pointer: "/modules/2" }),
  at({ pointer: "/modules/2/dataObjects/0" }),
  at({ pointer: "/modules/10" }),
  at({ pointer: "/modules/name" }),
  at({ pointer: "/name" }),
  at({ file: "a.ts" }),
  at({ file: "a.ts", line: 2, column: 9 }),
  at({ file: "a.ts", line: 10, column: 1 }),
  at({ file: "a.ts", line: 10, column: 3, code: "key-missing" }),
  at({ file: "a.ts", line: 10, column: 3, code: "name-empty" }),
  at({ file: "b.ts" }),
];

describe("sortDiagnostics", () => {
  it("orders by file, line, column, place, code and words, in whatever order they come", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...SORTED], { minLength: SORTED.length }), (given) => {
        expect(sortDiagnostics(given)).to.deep.equal(SORTED);
      }),
      { numRuns: runs(100) },
    );
  });
});
