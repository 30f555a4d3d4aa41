/** The cache writer beside a naive loop and beside the least that a sync has to do; a large one over HTTP, and its memory. */
import { fork } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import Database from "libsql";
import { recordPreparer } from "../dist/runtime/cache-writer/prepare-record.js";
import { syncObject } from "../dist/runtime/cache-writer/sync-object.js";
import { orThrow } from "../dist/runtime/client/index.js";
import { openSqliteStore } from "../dist/runtime/store/sqlite/open-store.js";
import { clientAt } from "../dist/test/support/api-client.js";
import { ITEM } from "../dist/test/support/items.js";
import { checksOf } from "../dist/test/validation/emitted.js";
import { recordOf, schemasOf, workFolder } from "./synthetic.mjs";
import { medians, node, printTable, row } from "./timing.mjs";

const require = createRequire(import.meta.url);
const RECORDS = 100_000;
const PAGE = 1_000;
const schema = schemasOf(120)[5];
const { item: check } = checksOf({ item: schema });
const templates = Array.from({ length: 1_000 }, () => JSON.stringify({ ...recordOf(schema), id: "ID" }));
const type = { name: "Item", schema, check, keys: [{ name: "id", isPrimary: true, properties: ["id"] }] };
const dataPath = "bench/app/1/item";
const UPSERT = `INSERT INTO records (key, hash, record) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE
  SET hash = excluded.hash, record = excluded.record WHERE hash <> excluded.hash`;

const [mode, count, file] = process.argv.slice(2);
if (mode === "memory") await measuredMemory(Number(count), file);
else if (mode === "naive-http") await naiveOverHttp(count, file);
else if (mode === "http") await inWorkFolder(overHttp);
else await inWorkFolder(benchmark);

/** The answer of a target system, record by record: the same in every run, ids in no order. */
function textOf(index) {
  const scattered = (Math.imul(index + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");
  const id = `${scattered}-0000-4000-8000-${index.toString(16).padStart(12, "0")}`;
  return templates[index % templates.length].replace("ID", id);
}

function sync(store, total, onProgress, textAt = textOf) {
  const reader = async function* () {
    for (let index = 0; index < total; index++) yield JSON.parse(textAt(index));
  };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const { signal } = new AbortController();
  const object = { name: "Item", dataPath, record: type, readerType: "full", reader };
  return syncObject(object, {
    store,
    client: undefined,
    connection: {},
    log,
    signal,
    pageSize: PAGE,
    onProgress,
  });
}

async function benchmark(folder) {
  await hashing();
  await ends(folder);
  await storeAlone(folder);
  memory(folder);
  await overHttp(folder);
}

async function inWorkFolder(work) {
  const folder = workFolder();
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function hashing() {
  const texts = Array.from({ length: 12_000 }, (_, index) => textOf(index));
  const preparer = recordPreparer({ ...type, check: () => true });
  const bytes = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
  let records = texts.map((text) => JSON.parse(text));
  const times = await medians(
    {
      parse: () => {
        records = texts.map((text) => JSON.parse(text));
      },
      "key and hash": () => {
        for (const record of records) preparer.prepare({ operation: "upsert", record });
      },
      stringify: () => {
        for (const record of records) JSON.stringify(record);
      },
      naive: () => {
        for (const record of records) hash("sha256", canonical(record));
      },
      "sha256 alone": () => {
        for (const text of texts) hash("sha256", text);
      },
    },
    { rounds: 25, warmUp: 5 },
  );
  const micro = (name) => `${((times[name] * 1_000) / texts.length).toFixed(2)} µs`;
  const of = (name, limit) => row(name, micro(name), times[name] / times.parse, { of: "parse", ...limit });
  printTable(
    "Key and hash of a record",
    [
      row("JSON.parse", micro("parse")),
      of("key and hash", { atMost: 0.5 }),
      of("stringify"),
      row("canonical JSON and SHA-256", micro("naive"), times.naive / times.parse, { of: "parse" }),
      of("sha256 alone"),
    ],
    `Records of ${Math.round(bytes)} bytes on average.`,
  );
}

async function ends(folder) {
  const texts = Array.from({ length: RECORDS }, (_, index) => textOf(index));
  const textAt = (index) => texts[index];
  const stores = [];
  const fresh = async (name) => {
    const store = await openSqliteStore({ file: path.join(folder, `${name}${stores.length}.db`) });
    stores.push(store);
    return store;
  };
  const naive = naiveLoop(folder, textAt);
  let store;
  const sum = { first: 0 };
  const times = await medians(
    {
      "naive first": { prepare: naive.reset, run: naive.run },
      "naive unchanged": naive.run,
      "ours first": async () => {
        store = await fresh("ours");
        const start = performance.now();
        const result = await sync(store, RECORDS, undefined, textAt);
        if (result.inserted !== RECORDS) throw new Error(JSON.stringify(result));
        return performance.now() - start;
      },
      "ours unchanged": async () => {
        const start = performance.now();
        const result = await sync(store, RECORDS, undefined, textAt);
        if (result.unchanged !== RECORDS) throw new Error(JSON.stringify(result));
        const time = performance.now() - start;
        await store.close();
        return time;
      },
      floor: () => {
        for (let index = 0; index < RECORDS; index++) {
          const record = JSON.parse(textAt(index));
          sum.first += hash("sha256", JSON.stringify(record)).length;
        }
      },
    },
    { rounds: 5 },
  );
  const speed = (name) => `${Math.round(RECORDS / times[name])}k records/s`;
  const over = (name, peer, limit) =>
    row(`${name}, beside ${peer}`, speed(name), times[peer] / times[name], limit);
  printTable(
    "Sync end to end into SQLite, 100,000 records",
    [
      row("naive first", speed("naive first")),
      row("naive unchanged", speed("naive unchanged")),
      row("floor: parse, stringify, SHA-256", speed("floor")),
      over("ours first", "naive first", { atLeast: 1.4 }),
      over("ours unchanged", "naive unchanged", { atLeast: 1.8 }),
      over("ours unchanged", "floor", { atLeast: 0.5 }),
    ],
    "Naive: parse, ajv, canonical JSON, SHA-256 and a prepared upsert a record, a transaction a page of 1,000, the same binding. " +
      "Ours does more beside it: the change feed, marks for deletes, rejected records, runs.",
  );
}

/** What one writes first: every record through every step, and one upsert each. */
function naiveLoop(folder, textAt) {
  const valid = ajvCheck(schema);
  let database;
  let round = 0;
  return {
    reset: () => {
      database?.close();
      database = tuned(path.join(folder, `naive${round++}.db`));
    },
    run: () => {
      const upsert = database.prepare(UPSERT);
      for (let from = 0; from < RECORDS; from += PAGE) {
        database.exec("BEGIN IMMEDIATE");
        for (let index = from; index < from + PAGE; index++) {
          const record = JSON.parse(textAt(index));
          if (!valid(record)) throw new Error("not valid");
          const text = canonical(record);
          upsert.run([`id/${record.id}`, hash("sha256", text), text]);
        }
        database.exec("COMMIT");
      }
    },
  };
}

function ajvCheck(of) {
  const { Ajv } = require("ajv");
  const ajv = new Ajv({ strict: false, strictNumbers: true });
  require("ajv-formats")(ajv);
  return ajv.compile(of);
}

function tuned(name) {
  const database = new Database(name);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS records (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, hash TEXT NOT NULL, record TEXT NOT NULL)`);
  return database;
}

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`;
}

/** Prepared records into both, without parsing and hashing. */
async function storeAlone(folder) {
  const preparer = recordPreparer(type);
  const writes = Array.from(
    { length: RECORDS },
    (_, index) => preparer.prepare({ operation: "upsert", record: JSON.parse(textOf(index)) }).write,
  );
  let database;
  let store;
  let round = 0;
  const bare = () => {
    const upsert = database.prepare(UPSERT);
    for (let from = 0; from < RECORDS; from += PAGE) {
      database.exec("BEGIN IMMEDIATE");
      for (const { key, hash: known, record } of writes.slice(from, from + PAGE)) {
        upsert.run([key, known, JSON.stringify(record)]);
      }
      database.exec("COMMIT");
    }
  };
  const ours = async () => {
    const run = await store.runs.start({
      ...{ object: dataPath, kind: "full", resume: false, resumeWithinMs: 0 },
      ...{ alternateKeys: () => [], alternateKeysVersion: "" },
    });
    for (let from = 0; from < RECORDS; from += PAGE) {
      await run.commit({ records: writes.slice(from, from + PAGE), rejected: [] });
    }
    await run.unseen();
    await run.end("succeeded");
  };
  const times = await medians(
    {
      "bare first": {
        prepare: () => {
          database?.close();
          database = tuned(path.join(folder, `bare${round++}.db`));
        },
        run: bare,
      },
      "bare unchanged": bare,
      "ours first": async () => {
        await store?.close();
        store = await openSqliteStore({ file: path.join(folder, `alone${round}.db`) });
        const start = performance.now();
        await ours();
        return performance.now() - start;
      },
      "ours unchanged": ours,
    },
    { rounds: 5 },
  );
  await store.close();
  const speed = (name) => `${Math.round(RECORDS / times[name])}k rows/s`;
  printTable(
    "The embedded store alone, 100,000 records",
    [
      row("bare prepared upsert, first", speed("bare first")),
      row("bare prepared upsert, unchanged", speed("bare unchanged")),
      row("the store, first", speed("ours first"), times["bare first"] / times["ours first"], {
        atLeast: 0.9,
      }),
      row(
        "the store, unchanged",
        speed("ours unchanged"),
        times["bare unchanged"] / times["ours unchanged"],
        {
          atLeast: 1.3,
        },
      ),
    ],
    "The same binding on both sides; the store writes its change feed as well.",
  );
}

/** Peak memory of processes that sync, first and unchanged. */
function memory(folder) {
  const script = fileURLToPath(import.meta.url);
  const peak = (total) => {
    const name = path.join(folder, `memory${total}.db`);
    return ["first", "unchanged"].map(() =>
      Number(node([script, "memory", String(total), name], { output: true })),
    );
  };
  const small = peak(100_000);
  const large = peak(1_000_000);
  const rows = ["first", "unchanged"].flatMap((run, index) => [
    row(`100,000 records, ${run}`, `${small[index]} MB`),
    row(`1,000,000 records, ${run}`, `${large[index]} MB`, large[index] / small[index], { atMost: 1.15 }),
  ]);
  printTable(
    "Peak memory of a sync",
    rows,
    "Resident memory of the whole process, the highest after any page.",
  );
}

async function measuredMemory(total, name) {
  const store = await openSqliteStore({ file: name });
  let most = 0;
  // The highest that the system knows of a process counts the one that started it.
  const measure = () => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const result = await sync(store, total, measure);
  if (result.outcome !== "succeeded") throw new Error(result.message);
  measure();
  await store.close();
  process.stdout.write(String(Math.round(most / 2 ** 20)));
}

/** A target system over HTTP in a process of its own, read by processes of their own, page by page. */
async function overHttp(folder) {
  const programs = (name) => fileURLToPath(new URL(`../dist/test/support/${name}.js`, import.meta.url));
  const target = fork(programs("http-target"));
  try {
    const origin = async (state) => {
      const answered = once(target, "message");
      target.send(state);
      return `http://127.0.0.1:${(await answered)[0]}`;
    };
    const states = (total) => {
      const first = { total, changed: false, deleted: false };
      return {
        first,
        unchanged: first,
        changed: { ...first, changed: true },
        deleted: { total, changed: true, deleted: true },
      };
    };
    const ours = async (name, state, ...kind) => {
      const file = path.join(folder, name);
      const output = node([programs("http-sync"), file, await origin(state), ...kind], { output: true });
      const synced = JSON.parse(output);
      if (!synced.counts.startsWith("succeeded")) throw new Error(output);
      return synced;
    };
    await besideNaive(folder, { origin, ours, first: states(RECORDS).first });
    const rows = [];
    const small = {};
    for (const total of [RECORDS, 10 * RECORDS]) {
      for (const [run, state] of Object.entries(states(total))) {
        const { seconds, megabytes } = await ours(`http${total}.db`, state);
        const value = `${Math.round(total / seconds / 1_000)}k records/s, ${Math.round(megabytes)} MB`;
        const name = `${total.toLocaleString("en")} records, ${run}`;
        if (total === RECORDS) rows.push(row(name, value));
        else rows.push(row(name, value, megabytes / small[run], { of: "memory", atMost: 1.3 }));
        small[run] ??= megabytes;
      }
    }
    printTable(
      "A large target system over HTTP, and the peak memory of its sync",
      rows,
      "One run each, in a process of its own; the objects have an alternate key, the target system is another process, answers pages of 1,000 and shares the machine. Changed, deleted: 1 % of the records. " +
        "Memory: the highest that was resident.",
    );
  } finally {
    target.disconnect();
  }
}

async function besideNaive(folder, { origin, ours, first }) {
  let round = 0;
  const script = fileURLToPath(import.meta.url);
  const address = await origin(first);
  const naive = () => {
    const name = path.join(folder, `naive-http${round}.db`);
    return Number(node([script, "naive-http", address, name], { output: true })) * 1_000;
  };
  const synced = async () => (await ours(`ours-http${round}.db`, first, "plain")).seconds * 1_000;
  const next = () => {
    round++;
  };
  const times = await medians(
    {
      "naive first": { prepare: next, run: naive },
      "naive unchanged": naive,
      "ours first": synced,
      "ours unchanged": synced,
    },
    { rounds: 3, warmUp: 0 },
  );
  const speed = (name) => `${Math.round(RECORDS / times[name])}k records/s`;
  const over = (name, peer) => row(`${name}, beside ${peer}`, speed(name), times[peer] / times[name]);
  printTable(
    "Sync over HTTP, 100,000 records",
    [
      row("naive first", speed("naive first")),
      row("naive unchanged", speed("naive unchanged")),
      over("ours first", "naive first"),
      over("ours unchanged", "naive unchanged"),
    ],
    "Both read the same pages with the same client in a process of their own; the target system shares the machine. Ours does more beside it: the change feed, marks for deletes, rejected records, runs.",
  );
}

async function naiveOverHttp(origin, name) {
  const valid = ajvCheck(ITEM.schema);
  const client = clientAt(origin);
  const database = tuned(name);
  const upsert = database.prepare(UPSERT);
  const start = performance.now();
  for (let after = null, isLast = false; !isLast; ) {
    const { items, next } = orThrow(await client.get("items", { query: { after } }));
    database.exec("BEGIN IMMEDIATE");
    for (const record of items) {
      if (!valid(record)) throw new Error("not valid");
      const text = canonical(record);
      upsert.run([`id/${record.company}/${record.id}`, hash("sha256", text), text]);
    }
    database.exec("COMMIT");
    after = next;
    isLast = next === null;
  }
  process.stdout.write(String((performance.now() - start) / 1_000));
  database.close();
}
