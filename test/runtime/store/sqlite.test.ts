import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { openSqliteStore } from "../../../runtime/store/sqlite/open-store.js";
import type { RecordWrite, Store, StoreError } from "../../../runtime/store/store.js";
import { storeContract, upsert } from "./contract.js";

describe("the embedded store", () => {
  storeContract(async () => {
    const folder = mkdtempSync(join(tmpdir(), "connectorcli-store-"));
    return {
      open: (tenant = "default") =>
        openSqliteStore({ file: join(folder, `${tenant}.db`), tenant, busyTimeoutMs: 2_000 }),
      remove: async () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
    };
  });
});

describe("the embedded store in memory", () => {
  it("leaves no file, has one run of an object at a time, and begins empty", async () => {
    const names = () => readdirSync(".").filter((name) => name.includes("memory:"));
    const run = {
      object: "a/b/1/c",
      kind: "full",
      resume: true,
      resumeWithinMs: 1_000,
      alternateKeysVersion: "1",
      schemaVersion: "1",
    } as const;
    for (const turn of [1, 2]) {
      const store = await openSqliteStore({ file: ":memory:" });
      const first = await store.runs.start(run);
      expect(first?.resumePoint, String(turn)).to.equal(null);
      expect(await store.runs.start(run)).to.equal(undefined);
      await first?.end("failed", "stopped");
      expect(await store.runs.start(run)).to.not.equal(undefined);
      expect(await store.runs.list(run.object, 5)).to.have.length(2);
      await store.close();
    }
    expect(names()).to.deep.equal([]);
  });
});

describe("records before a change", () => {
  const RUN = {
    object: "a/b/1/c",
    kind: "full",
    ...{ alternateKeysVersion: "1", schemaVersion: "1", resume: false, resumeWithinMs: 0 },
  } as const;
  const write = (store: Store) => async (records: readonly RecordWrite[]) => {
    const run = await store.runs.start(RUN);
    await run?.commit({ records, rejected: [] });
    await run?.deleteNotRead();
    await run?.end("succeeded");
  };
  const befores = async (store: Store) => {
    const list: unknown[] = [];
    for await (const { operation, key, before } of store.changes.since(0))
      list.push([operation, key, before]);
    return list;
  };

  it("are kept of as many changes as the store is opened for, and no longer than the changes are", async () => {
    const store = await openSqliteStore({ file: ":memory:", keepBefore: 3 });
    const sync = write(store);
    await sync([upsert("a", 1), upsert("b", 1), upsert("c", 1)]);
    await sync([upsert("a", 2), upsert("b", 1), upsert("c", 2)]);
    await sync([upsert("a", 3), { operation: "delete", key: "b" }, upsert("c", 2)]);
    await sync([upsert("a", 3)]);
    expect(await befores(store)).to.deep.equal([
      ["insert", "a", undefined],
      ["insert", "b", undefined],
      ["insert", "c", undefined],
      ["update", "a", undefined],
      ["update", "c", undefined],
      ["update", "a", { value: 2 }],
      ["delete", "b", { value: 1 }],
      ["delete", "c", { value: 2 }],
    ]);
    await store.changes.prune({ keepMs: -1 });
    await sync([]);
    expect(await befores(store).catch(({ problem }: StoreError) => problem)).to.equal("expired");
    await store.close();
  });

  it("are not kept unless the store is opened for it", async () => {
    const store = await openSqliteStore({ file: ":memory:" });
    await write(store)([upsert("a", 1)]);
    await write(store)([upsert("a", 2)]);
    expect(await befores(store)).to.deep.equal([
      ["insert", "a", undefined],
      ["update", "a", undefined],
    ]);
    await store.close();
  });
});
