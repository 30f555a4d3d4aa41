/**
 * Reads an object page by page and performs actions, again and again, whatever fails, until both are done: it is killed,
 * stopped and cut off meanwhile. Says "go" when its work begins.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { openPostgresStore } from "../../../runtime/store/postgres/open-store.js";
import { type Store, StoreError } from "../../../runtime/store/store.js";
import { ACTION, LEASE_MS, OBJECT, PAGES, pageAt } from "../worked-store.js";

const [url = "", tenant = ""] = process.argv.slice(2);
process.stdout.write("go");

for (let isDone = false; !isDone; ) {
  let store: Store | undefined;
  try {
    store = await openPostgresStore({ url, tenant });
    for (isDone = false; !isDone; ) {
      const isRead = await readSome(store);
      isDone = (await performOne(store)) && isRead;
      if (!isDone) await sleep(1);
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    await sleep(20);
  } finally {
    await store?.close().catch(() => {});
  }
}

/** Reads on from where the run had come to; returns whether all was read. */
async function readSome(opened: Store): Promise<boolean> {
  if ((await opened.runs.list(OBJECT, 1))[0]?.state === "succeeded") return true;
  const run = await opened.runs.start({
    ...{ object: OBJECT, kind: "full", alternateKeysVersion: "1", schemaVersion: "1", resume: true },
    resumeWithinMs: 600_000,
  });
  if (run === undefined) return false;
  for (let page = Number(run.resumePoint ?? 0); page < PAGES; page++)
    await run.commit({ records: pageAt(page), rejected: [], resumePoint: String(page + 1) });
  await run.deleteNotRead();
  await run.end("succeeded");
  return true;
}

/** Performs an action that is due; returns whether none is left. */
async function performOne(opened: Store): Promise<boolean> {
  const taken = await opened.source.take({ leaseMs: LEASE_MS, actions: [ACTION] });
  if (taken === undefined) {
    for await (const _ of opened.ledger.list("queued")) return false;
    for await (const _ of opened.ledger.list("taken")) return false;
    return true;
  }
  const record = { id: taken.id, attempts: taken.attempts };
  // Each attempt would change the record: what was written twice is seen in the feed.
  const write = {
    operation: "upsert",
    key: `action/${taken.id}`,
    hash: taken.token,
    record,
    alternateKeys: [],
  } as const;
  const changes = [{ object: ACTION.object, records: [write] }];
  await opened.ledger.close(taken, { state: "succeeded", resultJson: "{}", changes });
  return false;
}
