/** A worker for the workspaces of a database. Says "go" when it has begun; ends if it can't. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ConnectorRegistration } from "../../../runtime/entries/runtime.js";
import { localKeys } from "../../../runtime/store/sealing/key-wrapper.js";
import { startPostgresWorker } from "../../../runtime/worker/postgres-worker.js";
import { SILENT } from "../item-cache.js";
import { MODULE, smallRegistration } from "../registration.js";
import { HANDLED_MS, KEY, LEASE_MS } from "../worked-workspaces.js";

const [url = ""] = process.argv.slice(2);
const handler = async (input: unknown) => {
  await sleep(HANDLED_MS);
  return { outcome: "succeeded", output: input, changes: [] };
};
const actions = MODULE.actions.map((action) => ({ ...action, handler: handler as never }));
const registration = smallRegistration({}, [{ ...MODULE, actions }]) as unknown as ConnectorRegistration;
await startPostgresWorker({
  ...{ url, registration, log: SILENT, sealing: { key: localKeys(KEY) } },
  actionProcessor: { leaseMs: LEASE_MS },
});
process.stdout.write("go");
