import { expect } from "chai";
import fc from "fast-check";
import type { RecordWrite } from "../../../runtime/host/index.js";
import { diffPage, type StoredVersion } from "../../../runtime/store/diff-page.js";
import { runs } from "../../support/repository.js";

const upsert = (key: string, hash: string): RecordWrite => ({
  ...{ operation: "upsert", key, hash, record: { hash }, alternateKeys: [] },
});
const remove = (key: string): RecordWrite => ({ operation: "delete", key });
const stored = (row: number, hash: string): StoredVersion => ({ row, hash, sequence: row });

describe("what a page changes", () => {
  it("is an insert of what is new, an update of what differs, and nothing of what is the same", () => {
    const [old, same] = [stored(1, "old"), stored(2, "same")];
    const writes = [upsert("a", "new"), upsert("b", "same"), upsert("c", "first"), remove("d"), remove("e")];
    const gone = stored(4, "gone");
    const diff = diffPage(writes, [old, same, undefined, gone, undefined]);
    expect(diff.counts).to.deep.equal({ unchanged: 1, inserted: 1, updated: 1, deleted: 1 });
    expect(diff.changes).to.deep.equal([
      { key: "a", operation: "update" },
      { key: "c", operation: "insert" },
      { key: "d", operation: "delete" },
    ]);
    expect(diff.updates).to.deep.equal([{ write: writes[0], change: 0, stored: old }]);
    expect(diff.inserts).to.deep.equal([{ write: writes[2], change: 1 }]);
    expect(diff.deletes).to.deep.equal([{ ...gone, change: 2 }]);
    expect(diff.unchanged).to.deep.equal([same]);
  });

  it("is one row a key, with every change of it in the feed", () => {
    const writes = [upsert("a", "1"), upsert("a", "2"), upsert("a", "2"), remove("a"), upsert("a", "3")];
    const diff = diffPage(
      writes,
      writes.map(() => undefined),
    );
    expect(diff.counts).to.deep.equal({ unchanged: 1, inserted: 2, updated: 1, deleted: 1 });
    expect(diff.changes.map(({ operation }) => operation)).to.deep.equal([
      "insert",
      "update",
      "delete",
      "insert",
    ]);
    expect(diff.inserts).to.deep.equal([{ write: writes[4], change: 3 }]);
    expect([diff.updates, diff.deletes]).to.deep.equal([[], []]);
  });

  it("is an update of the row where a record is deleted and comes again as it was", () => {
    const version = stored(7, "same");
    const writes = [remove("a"), upsert("a", "same")];
    const diff = diffPage(writes, [version, version]);
    expect(diff.counts).to.include({ inserted: 1, deleted: 1 });
    expect(diff.updates).to.deep.equal([{ write: writes[1], change: 1, stored: version }]);
  });

  it("is no row where a record comes and goes", () => {
    const diff = diffPage([upsert("a", "1"), remove("a")], [undefined, undefined]);
    expect(diff.changes).to.have.length(2);
    expect([diff.inserts, diff.updates, diff.deletes, diff.unchanged]).to.deep.equal([[], [], [], []]);
  });

  it("brings any table to where the writes one by one bring it, with the same feed and counts", () => {
    const key = fc.constantFrom("a", "b", "c", "d");
    const hash = fc.constantFrom("1", "2", "3");
    const write = fc.oneof(
      { weight: 4, arbitrary: fc.tuple(key, hash).map(([name, text]) => upsert(name, text)) },
      { weight: 1, arbitrary: key.map(remove) },
    );
    const table = fc.dictionary(key, hash, { noNullPrototype: true });
    fc.assert(
      fc.property(table, fc.array(write, { maxLength: 12 }), (before, writes) => {
        const rows = new Map(
          Object.entries(before).map(([name, text], index) => [name, stored(index, text)]),
        );
        const diff = diffPage(
          writes,
          writes.map((write) => rows.get(write.key)),
        );
        const model = writtenOneByOne(before, writes);
        expect(diff.counts).to.deep.equal(model.counts);
        expect(diff.changes).to.deep.equal(model.changes);
        expect(appliedTo(before, rows, diff)).to.deep.equal(model.table);
        for (const { write, change } of [...diff.inserts, ...diff.updates])
          expect(diff.changes.findLastIndex((entry) => entry.key === write.key)).to.equal(change);
      }),
      { numRuns: runs(500) },
    );
  });
});

type Table = Record<string, string>;

/** The plain way: every write on its own. */
function writtenOneByOne(before: Table, writes: readonly RecordWrite[]) {
  const table = { ...before };
  const counts = { unchanged: 0, inserted: 0, updated: 0, deleted: 0 };
  const changes: { key: string; operation: string }[] = [];
  const say = (key: string, operation: "insert" | "update" | "delete") => {
    counts[({ insert: "inserted", update: "updated", delete: "deleted" } as const)[operation]]++;
    changes.push({ key, operation });
  };
  for (const write of writes) {
    const { key } = write;
    const hash = table[key];
    if (write.operation === "delete") {
      if (hash !== undefined) say(key, "delete");
      delete table[key];
    } else {
      if (hash === write.hash) counts.unchanged++;
      else say(key, hash === undefined ? "insert" : "update");
      table[key] = write.hash;
    }
  }
  return { table, counts, changes };
}

/** The table after the rows were written, in an order of no meaning. */
function appliedTo(
  before: Table,
  rows: ReadonlyMap<string, StoredVersion>,
  { inserts, updates, deletes, unchanged }: ReturnType<typeof diffPage>,
): Table {
  const keyOf = (row: number) => [...rows].find(([, version]) => version.row === row)?.[0] ?? "";
  const table = { ...before };
  for (const { write } of inserts) {
    expect(table, "an insert of a row that is there").to.not.have.property(write.key);
    table[write.key] = write.hash;
  }
  for (const { write, stored: version } of updates) {
    expect(keyOf(version.row)).to.equal(write.key);
    table[write.key] = write.hash;
  }
  for (const { row } of deletes) delete table[keyOf(row)];
  for (const { row, hash } of unchanged) expect(table[keyOf(row)] ?? hash).to.be.a("string");
  return table;
}
