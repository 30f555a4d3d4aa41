import { expect } from "chai";
import fc from "fast-check";
import type { AnyReaderDeclaration } from "../../../runtime/entries/runtime.js";
import { FAULTS, type FaultName } from "../../../runtime/entries/testing.js";
import { closeFakes, fakeOf, readerOf, typeOf } from "../../support/faked-connector.js";
import { runs, SLOW_TEST_MS } from "../../support/repository.js";

const THING = typeOf("Thing", { id: { type: "integer" }, name: { type: "string" } });

/** Pages that go on behind a record. What slips past a read by position, the cache writer finds out. */
const PAGES: readonly AnyReaderDeclaration["pages"][] = [
  { kind: "cursor", send: "after", next: "next", total: "total" },
  { kind: "cursor", send: "after", next: { lastItem: "id" }, total: { header: "X-Total" } },
  { kind: "link", next: "links.next", total: "total" },
  { kind: "linkHeader", total: { header: "X-Total" } },
];

/** Faults that take their time, or make other records of some: those may lose the member that tells them apart. */
const OTHERS = /^(?:noAnswer|slow\w+|nullWhereNotAllowed|wrongType|newEnumMember|missingMember|longRecord)$/;
const TRIED = (Object.keys(FAULTS) as FaultName[]).filter((name) => !OTHERS.test(name));

describe("a list of a fake target system at which anything goes wrong", () => {
  afterEach(closeFakes);

  it("is read to an error, or without the loss of a record that was there all the time", async function () {
    this.timeout(SLOW_TEST_MS);
    const world = fc.record({
      pages: fc.constantFrom(...PAGES),
      faults: fc.uniqueArray(fc.constantFrom(...TRIED), { minLength: 1, maxLength: 3 }),
      at: fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 3 }),
      count: fc.nat({ max: 30 }),
      maxPageSize: fc.integer({ min: 2, max: 9 }),
      seed: fc.nat(),
    });
    let whole = 0;
    await fc.assert(
      fc.asyncProperty(world, async ({ pages, faults, at, count, maxPageSize, seed }) => {
        const reader = readerOf(THING, { list: "GET /things", items: "data", pages });
        const plans = faults.map((name, index) => ({ name, at: [at[index] ?? index + 1] }));
        const options = { records: count, maxPageSize, seed, faults: plans };
        const { fake, read } = await fakeOf({ readers: { Thing: reader } }, options);
        const idsNow = () =>
          fake
            .objectOf("Thing")
            .records()
            .map(({ id }) => id);
        const before = idsNow();
        const outcome = await read(reader).catch((error: unknown) => error);
        const after = new Set(idsNow());
        if (!(outcome instanceof Error)) {
          const { items } = outcome as { readonly items: readonly { readonly id: unknown }[] };
          const met = new Set(items.map(({ id }) => id));
          const lost = before.filter((id) => after.has(id) && !met.has(id));
          expect(lost).to.deep.equal([]);
          whole++;
        }
        await closeFakes();
      }),
      { numRuns: runs(120) },
    );
    expect(whole).to.be.greaterThan(20);
  });
});
