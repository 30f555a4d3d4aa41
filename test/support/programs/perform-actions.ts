/**
 * A process of its own that performs actions until nothing is due or it is killed: `node perform-actions.js FILE EFFECTS`.
 * Each handler appends a line to EFFECTS, as a target system would note what reached it. It says "go" when it starts.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { runActionProcessor } from "../../../runtime/host/index.js";
import { openSqliteStore } from "../../../runtime/store/sqlite/open-store.js";
import { appliedAction, moduleOf } from "../action-processor.js";
import { SILENT } from "../item-cache.js";

const [file = "", effects = ""] = process.argv.slice(2);
const store = await openSqliteStore({ file });
process.stdout.write("go");
await runActionProcessor([moduleOf(appliedAction(effects, () => sleep(Math.random() * 4)))], {
  store,
  client: undefined,
  connection: {},
  log: SILENT,
  signal: new AbortController().signal,
  leaseMs: 50,
  retry: { maxAttempts: 1_000 },
});
await store.close();
process.stdout.write("done");
