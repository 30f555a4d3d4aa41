/**
 * A process of its own that syncs items until it is done or killed: `node sync-items.js FILE TARGET [PATH]`, where
 * PATH is the data path of the object. It says "go" when it starts to read.
 */

import { readFileSync } from "node:fs";
import { syncObject } from "../../../runtime/host/index.js";
import { openSqliteStore } from "../../../runtime/store/sqlite/open-store.js";
import { type Target, targetObject } from "../fake-target.js";
import { PATH, SILENT } from "../item-cache.js";

const [file = "", path = "", dataPath = PATH] = process.argv.slice(2);
const target: Target = JSON.parse(readFileSync(path, "utf8"));
const store = await openSqliteStore({ file });
process.stdout.write("go");
const { signal } = new AbortController();
const result = await syncObject(
  { ...targetObject(target), dataPath },
  {
    store,
    client: undefined,
    connection: {},
    log: SILENT,
    signal,
    pageSize: 40,
    approveDeletes: true,
  },
);
await store.close();
process.stdout.write(result.outcome);
