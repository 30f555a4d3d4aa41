import { expect } from "chai";
import fc from "fast-check";
import type { RecordWrite } from "../../../runtime/host/index.js";
import { diffPage, type StoredVersion } from "../../../runtime/store/diff-page.js";
import { MetRows, type SavedRun, stallsIfResumed } from "../../../runtime/store/run-progress.js";
import { runs } from "../../support/repository.js";

describe("the rows that a run has met", () => {
  it("are those that it has found or written and that are still there, also after it was resumed", () => {
    const row = fc.integer({ min: 1, max: 100_000 });
    const write = fc.record({ row, hash: fc.constantFrom("old", "new", "gone") });
    fc.assert(
      fc.property(
        fc.uniqueArray(row, { maxLength: 20 }),
        fc.array(fc.array(write, { maxLength: 6 }), { maxLength: 5 }),
        fc.nat(5),
        (rowsBefore, pages, resumeAfter) => {
          const startedAfter = 1;
          const table = new Map<number, StoredVersion>(
            rowsBefore.map((id) => [id, { row: id, hash: "old", sequence: startedAfter }]),
          );
          const model = new Set<number>();
          let met = new MetRows(startedAfter);
          for (const [index, page] of pages.entries()) {
            if (index === resumeAfter) met = resumeFrom(met, startedAfter);
            met.add(writePage(page, { table, model, sequence: index + 2 }));
          }
          expect(met.count).to.equal(model.size);
          for (const [id, { sequence }] of table)
            expect(sequence > startedAfter || met.hasFound(id), `row ${id}`).to.equal(model.has(id));
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it("say which of their chunks are not saved yet", () => {
    const met = new MetRows(10);
    met.addFound({ row: 5, sequence: 1 });
    met.addFound({ row: 70_000, sequence: 1 });
    met.addFound({ row: 6, sequence: 11 });
    expect(met.takeUnsaved().map(([chunk]) => chunk)).to.deep.equal([0, 2]);
    expect(met.takeUnsaved()).to.deep.equal([]);
    met.addFound({ row: 7, sequence: 1 });
    expect(met.takeUnsaved().map(([chunk]) => chunk)).to.deep.equal([0]);
    expect(met.count).to.equal(3);
  });
});

describe("an interrupted run", () => {
  const options = { kind: "full", resume: true, resumeWithinMs: 60_000 } as const;
  const savedRun = (changes: Partial<SavedRun> = {}): SavedRun => ({
    ...{ kind: "full", state: "failed", resumePoint: "p2", resumedFrom: "p1", stalls: 2 },
    lastPageAt: new Date().toISOString(),
    ...changes,
  });

  it("is resumed if it came further, or has not stalled too often", () => {
    expect(stallsIfResumed(savedRun(), options)).to.equal(0);
    expect(stallsIfResumed(savedRun({ state: "running" }), options)).to.equal(0);
    expect(stallsIfResumed(savedRun({ resumedFrom: "p2", stalls: 1 }), options)).to.equal(2);
    expect(stallsIfResumed(savedRun({ resumedFrom: "p2", stalls: 2 }), options)).to.equal(undefined);
  });

  it("is not resumed if it has ended, has no resume point, is of another kind or too old, or is not to be", () => {
    const lastPageAt = new Date(Date.now() - 70_000).toISOString();
    const CASES: readonly Partial<SavedRun>[] = [
      { state: "succeeded" },
      { state: "needs-approval" },
      { state: "abandoned" },
      { resumePoint: null },
      { kind: "incremental" },
      { lastPageAt },
    ];
    for (const changes of CASES)
      expect(stallsIfResumed(savedRun(changes), options), JSON.stringify(changes)).to.equal(undefined);
    expect(stallsIfResumed(savedRun(), { ...options, resume: false })).to.equal(undefined);
  });
});

interface World {
  readonly table: Map<number, StoredVersion>;
  /** Rows that the run has met and that are there. */
  readonly model: Set<number>;
  readonly sequence: number;
}

/** Writes a page into the table and the model; the key of a row is its number. */
function writePage(
  page: readonly { readonly row: number; readonly hash: string }[],
  { table, model, sequence }: World,
) {
  const writes = page.map(({ row, hash }): RecordWrite => {
    const key = String(row);
    return hash === "gone"
      ? { operation: "delete", key }
      : { operation: "upsert", key, hash, record: {}, alternateKeys: [] };
  });
  const diff = diffPage(
    writes,
    page.map(({ row }) => table.get(row)),
  );
  for (const { row } of diff.unchanged) model.add(row);
  for (const { write } of [...diff.inserts, ...diff.updates]) {
    const row = Number(write.key);
    table.set(row, { row, hash: write.hash, sequence });
    model.add(row);
  }
  for (const { row } of diff.deletes) {
    table.delete(row);
    model.delete(row);
  }
  return diff;
}

/** What a run knows after it was interrupted and resumed. */
function resumeFrom(met: MetRows, startedAfter: number): MetRows {
  const loaded = new MetRows(startedAfter, met.written);
  for (const [chunk, bits] of met.takeUnsaved()) loaded.load(chunk, bits);
  return loaded;
}
