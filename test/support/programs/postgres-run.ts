/** Begins a run of an object and writes a page; says "go", and then waits to be killed or stopped. */
import { openPostgresStore } from "../../../runtime/store/postgres/open-store.js";

const [url = "", tenant = "", object = ""] = process.argv.slice(2);
const store = await openPostgresStore({ url, tenant });
const run = await store.runs.start({
  ...{
    object,
    kind: "full",
    alternateKeysVersion: "1",
    schemaVersion: "1",
    resume: true,
    resumeWithinMs: 60_000,
  },
});
const record = { operation: "upsert", key: "id/1", hash: "a", record: {}, alternateKeys: [] } as const;
await run?.commit({ records: [record], rejected: [], resumePoint: "p1" });
process.stdout.write("go");
process.stdin.resume();
