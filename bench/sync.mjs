/** The cache writer beside a naive loop and beside the least that a sync has to do; memory of a large one. */
import { hash } from "node:crypto";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { recordPreparer } from "../dist/runtime/cache-writer/prepare-record.js";
import { syncObject } from "../dist/runtime/cache-writer/sync-object.js";
import { openSqliteStore } from "../dist/runtime/store/sqlite/open-store.js";
import { checksOf } from "../dist/test/validation/emitted.js";
import { ajvCheck, canonical, inWorkFolder, tuned, UPSERT } from "./naive.mjs";
import { recordOf, schemasOf } from "./synthetic.mjs";
import { medians, node, printTable, row } from "./timing.mjs";

const RECORDS = 100_000;
const PAGE = 1_000;
const schema = schemasOf(120)[5];
const { item: check } = checksOf({ item: schema });
const templates = Array.from({ length: 1_000 }, () => JSON.stringify({ ...recordOf(schema), id: "ID" }));
const type = { name: "Item", schema, check, keys: [{ name: "id", isPrimary: true, properties: ["id"] }] };
const dataPath = "bench/app/1/item";
const [mode, count, file] = process.argv.slice(2);
if (mode === "memory") await measuredMemory(Number(count), file);
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
  const names = { name: "Item", urlPart: "item", dataPath, switchName: "ItemConfig" };
  const object = { ...names, record: type, readerType: "full", reader };
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
      alternateKeysVersion: "",
    });
    for (let from = 0; from < RECORDS; from += PAGE) {
      await run.commit({ records: writes.slice(from, from + PAGE), rejected: [] });
    }
    await run.countNotRead();
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
