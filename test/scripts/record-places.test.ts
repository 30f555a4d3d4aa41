/** Places in a long list of records, on an embedded store. */
import { expect } from "chai";
import { openSqliteStore } from "../../runtime/host/index.js";
import type { RecordWrite, Store } from "../../runtime/store/store.js";
import { RecordPlaces } from "../../scripts/workbench/record-places.js";

const OBJECT = "list/1/thing";
const COUNT = 20_500;

describe("places of records", () => {
  let store: Store;
  before(async () => {
    store = await openSqliteStore({ file: ":memory:" });
    await write(Array.from({ length: COUNT }, (_, index) => upsert(index)));
  });
  after(() => store.close());

  it("lead to a record wherever it stands, until the cache changes", async () => {
    const places = new RecordPlaces(store);
    const keyAt = async (offset: number) => {
      const start = await places.startAt(OBJECT, offset);
      if (start === undefined) return undefined;
      for await (const { key } of store.records.list(OBJECT, { ...start, limit: 1 })) return key;
      return undefined;
    };
    for (const offset of [20_499, 0, 9_999, 10_000, 10_001, 19_999, 20_000])
      expect(await keyAt(offset)).to.equal(keyOf(offset));
    for (const offset of [20_500, 30_000, 1_000_000]) expect(await keyAt(offset)).to.equal(undefined);
    expect(await places.startAt(OBJECT, 20_007)).to.deep.equal({ after: keyOf(19_999), offset: 7 });
    expect(await places.count(OBJECT)).to.equal(COUNT);
    await write([{ operation: "delete", key: keyOf(5) }]);
    expect(await keyAt(20_000)).to.equal(keyOf(20_001));
    expect(await places.count(OBJECT)).to.equal(COUNT - 1);
  });

  async function write(records: readonly RecordWrite[]) {
    const run = await store.runs.start({
      ...{ object: OBJECT, kind: "incremental", alternateKeysVersion: "1", schemaVersion: "1" },
      ...{ resume: false, resumeWithinMs: 0 },
    });
    await run?.commit({ records, rejected: [] });
    await run?.end("succeeded");
  }
});

function keyOf(index: number): string {
  return `id/${String(index).padStart(8, "0")}`;
}

function upsert(index: number) {
  const key = keyOf(index);
  return { operation: "upsert", key, hash: key, record: { index }, alternateKeys: [] } as const;
}
