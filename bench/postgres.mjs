/** The store on PostgreSQL beside the ways in which rows are commonly written there, on a server that syncs to the disk. */
import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import pg from "pg";
import copyStreams from "pg-copy-streams";
import { openPostgres } from "../dist/runtime/store/postgres/open-store.js";
import { testDatabase } from "../dist/test/support/postgres.js";
import { medians, node, printTable, row } from "./timing.mjs";

const RECORDS = 100_000;
/** Row by row takes too long for all of them. */
const SINGLE_RECORDS = 10_000;
const PAGE = 1_000;
const OBJECT = "bench/app/1/item";
const TEXT = JSON.stringify({ title: "A record", city: "Somewhere", notes: "x".repeat(270) });

const MERGE = `INSERT INTO merged SELECT 1, * FROM unnest($1::text[], $2::text[], $3::text[])
  ON CONFLICT (object, key) DO UPDATE SET hash = excluded.hash, record = excluded.record
  WHERE merged.hash <> excluded.hash`;
const SINGLE = `INSERT INTO merged VALUES (1, $1, $2, $3)
  ON CONFLICT (object, key) DO UPDATE SET hash = excluded.hash, record = excluded.record
  WHERE merged.hash <> excluded.hash`;

const [mode, count, url] = process.argv.slice(2);
if (mode === "memory") await measuredMemory(Number(count), url);
else await benchmark();

function writeOf(index) {
  const id = `${(Math.imul(index + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0")}-${index}`;
  const record = { id, ...JSON.parse(TEXT) };
  return {
    operation: "upsert",
    key: `id/${id}`,
    hash: `hash-of-22-characters${index % 10}`,
    record,
    alternateKeys: [],
  };
}

/** A full run of the store; `writeAt` gives each record. */
async function sync(store, total, writeAt = writeOf) {
  const run = await store.runs.start({
    ...{ object: OBJECT, kind: "full", alternateKeysVersion: "1", schemaVersion: "1", resume: false },
    resumeWithinMs: 0,
  });
  for (let from = 0; from < total; from += PAGE) {
    const records = Array.from({ length: Math.min(PAGE, total - from) }, (_, index) => writeAt(from + index));
    await run.commit({ records, rejected: [] });
  }
  await run.countNotRead();
  return run.end("succeeded");
}

async function measuredMemory(total, address) {
  const stores = await openPostgres({ url: address });
  const store = await stores.open(`memory ${total}`);
  await sync(store, total);
  await stores.close();
  process.stdout.write(String(process.resourceUsage().maxRSS));
}

async function benchmark() {
  const database = await testDatabase({ isDurable: true });
  if (database === undefined) {
    process.stdout.write("## The store on PostgreSQL\n\nNot measured: there is no server.\n\n");
    return;
  }
  const stores = await openPostgres({ url: database.url });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await speeds(stores, client);
    memory(database.url);
  } finally {
    await client.end();
    await stores.close();
    await database.remove();
  }
}

async function speeds(stores, client) {
  const writes = Array.from({ length: RECORDS }, (_, index) => writeOf(index));
  const writeAt = (index) => writes[index];
  let tenants = 0;
  let store;
  const fresh = async (name) => {
    await client.query(`DROP TABLE IF EXISTS ${name}; CREATE TABLE ${name}
      (object int, key text COLLATE "C", hash text COLLATE "C", record text, PRIMARY KEY (object, key))`);
  };
  const timed = async (work) => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  const times = await medians(
    {
      "ours first": async () => {
        store = await stores.open(`bench ${++tenants}`);
        return timed(() => sync(store, RECORDS, writeAt));
      },
      "copy first": async () => {
        await fresh("copied");
        return timed(() => pages(writes, (page) => copy(client, page)));
      },
      "unnest first": async () => {
        await fresh("merged");
        return timed(() => pages(writes, (page) => merge(client, page)));
      },
      "ours unchanged": async () => {
        const time = await timed(() => sync(store, RECORDS, writeAt));
        await store.close();
        return time;
      },
      "unnest unchanged": () => timed(() => pages(writes, (page) => merge(client, page))),
      "single unchanged": () =>
        timed(async () => {
          for (const { key, hash, record } of writes.slice(0, SINGLE_RECORDS))
            await client.query({ name: "single", text: SINGLE, values: [key, hash, JSON.stringify(record)] });
        }),
    },
    { rounds: 5 },
  );
  const perRow = (name) => times[name] / (name.startsWith("single") ? SINGLE_RECORDS : RECORDS);
  const speed = (name) => `${Math.round(1 / perRow(name))}k rows/s`;
  const over = (what, name, peer, limit) =>
    row(`${what}, beside ${peer}`, speed(name), perRow(peer) / perRow(name), limit);
  printTable(
    `The store on PostgreSQL, ${RECORDS.toLocaleString("en")} records of ${JSON.stringify(writes[0].record).length} bytes`,
    [
      row("bare COPY, no comparison", speed("copy first")),
      row("unnest … ON CONFLICT, first", speed("unnest first")),
      row("unnest … ON CONFLICT, unchanged", speed("unnest unchanged")),
      row("upsert row by row, unchanged", speed("single unchanged")),
      over("first", "ours first", "copy first", { atLeast: 0.8 }),
      over("first", "ours first", "unnest first", { atLeast: 1.3 }),
      over("unchanged", "ours unchanged", "unnest unchanged", { atLeast: 2 }),
      over("unchanged", "ours unchanged", "single unchanged", { atLeast: 8 }),
    ],
    "Pages of 1,000 rows, a transaction each, on a server with fsync on, on the same machine. The store also writes its change feed and marks what it has met. Of the first two ratios one is to be reached. Runs of the first ones differ: four gave 0.68 to 0.84 × and 1.21, 1.29, 1.31 and 1.46 ×. A large look-up goes over two connections.",
  );
}

async function pages(writes, write) {
  for (let from = 0; from < writes.length; from += PAGE) await write(writes.slice(from, from + PAGE));
}

async function copy(client, page) {
  const stream = client.query(copyStreams.from("COPY copied FROM STDIN"));
  stream.end(page.map(({ key, hash, record }) => `1\t${key}\t${hash}\t${JSON.stringify(record)}\n`).join(""));
  await once(stream, "finish");
}

function merge(client, page) {
  const values = [
    page.map(({ key }) => key),
    page.map(({ hash }) => hash),
    page.map(({ record }) => JSON.stringify(record)),
  ];
  return client.query({ name: "merge", text: MERGE, values });
}

/** The most memory of a process that writes so many records. */
function memory(address) {
  const script = fileURLToPath(import.meta.url);
  const of = (total) => Number(node([script, "memory", String(total), address], { output: true }));
  const [small, large] = [of(RECORDS), of(10 * RECORDS)];
  printTable(
    "Memory of a sync into PostgreSQL",
    [
      row("100,000 records", `${Math.round(small / 1_024)} MB`),
      row("1,000,000 records", `${Math.round(large / 1_024)} MB`, large / small, { atMost: 1.15 }),
    ],
    "The most memory of the process that writes.",
  );
}
