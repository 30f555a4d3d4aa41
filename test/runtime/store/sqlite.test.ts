import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "../../../runtime/store/sqlite/open-store.js";
import { storeContract } from "./contract.js";

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
