/**
 * A process of its own that performs actions until it is killed: `node killed-worker.js FILE EFFECTS`. Each handler
 * appends a line to EFFECTS, as a target system would note what reached it. It says "go" when it starts.
 */
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { runActionProcessor } from "../../runtime/action-processor/run-action-processor.js";
import { succeeded } from "../../runtime/registration/contracts.js";
import { openSqliteStore } from "../../runtime/store/sqlite/open-store.js";
import { item, SILENT } from "./items.js";
import { type Handler, moduleOf } from "./processed.js";

const [file = "", effects = ""] = process.argv.slice(2);
const store = await openSqliteStore({ file });

/** One record for each action, by the key of its ledger: a second effect would be a second record. */
const handler: Handler = async (input, { idempotency }) => {
  const name = String(Reflect.get(input as object, "name"));
  await idempotency.note("intent", name);
  await sleep(Math.random() * 4);
  appendFileSync(effects, `${name} ${idempotency.key} ${idempotency.previous?.stage ?? "none"}\n`);
  await idempotency.note("sent", name);
  await sleep(Math.random() * 4);
  const log = { ...item(Number(name)), name: `done ${name}` };
  return succeeded({ id: Number(name) }, [{ dataObject: "Item", operation: "upsert", record: log }]);
};

process.stdout.write("go");
await runActionProcessor([moduleOf(handler)], {
  store,
  client: undefined,
  connection: {},
  log: SILENT,
  signal: new AbortController().signal,
  leaseMs: 50,
  pollMs: 5,
  retry: { maxAttempts: 1_000 },
});
