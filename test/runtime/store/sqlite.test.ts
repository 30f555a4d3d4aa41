import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { openSqliteStore } from "../../../runtime/store/sqlite/open-store.js";
import { storeContract } from "./contract.js";

describe("the embedded store", () => {
  storeContract(async () => {
    const folder = mkdtempSync(join(tmpdir(), "connectorcli-store-"));
    return {
      open: (tenant = "default", options = {}) =>
        openSqliteStore({ file: join(folder, `${tenant}.db`), tenant, busyTimeoutMs: 2_000, ...options }),
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
