/** Declared readers beside the naive loop and beside a reader in code, over HTTP; what 300 of them cost the compiler. */
import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { cursors, resultOrThrow } from "../dist/runtime/client/index.js";
import { typedRecord } from "../dist/runtime/codegen/index.js";
import { defineReader, from } from "../dist/runtime/entries/runtime.js";
import { syncObject } from "../dist/runtime/host/index.js";
import { openSqliteStore } from "../dist/runtime/store/sqlite/open-store.js";
import { fullObject, ITEM, SILENT } from "../dist/test/support/item-cache.js";
import { clientAt } from "../dist/test/support/loopback.js";
import { checkOf } from "../dist/test/validation/emitted.js";
import { inWorkFolder, keepPages } from "./naive.mjs";
import { median, ms, node, printTable, row } from "./timing.mjs";

const LATENCY_MS = 20;
const LIST = { total: 100_000, pageSize: 1_000, latencyMs: 0 };
const FAMILY = { total: 0, pageSize: 1, parents: 1_000, children: 20, latencyMs: LATENCY_MS };
const LIMIT = 50;

/** As generated code has it, with the primary key only. */
const TYPE = {
  ...ITEM,
  check: checkOf(ITEM.schema),
  keys: ITEM.keys.filter(({ isPrimary }) => isPrimary),
};
class Item extends typedRecord(TYPE) {}
const pages = { kind: "cursor", send: "after", next: "next" };
const items = defineReader(Item, { list: "GET /items", items: "items", pages });
const parents = defineReader(Item, { list: "GET /parents", items: "items", pages });
const children = defineReader(Item, {
  list: "GET /children/{parent}",
  path: { parent: from(parents, "id") },
  items: "items",
  pages,
  concurrency: 8,
});

const [mode, origin, file] = process.argv.slice(2);
const modes = {
  "naive list": () => keepPages(naiveList(clientAt(origin)), { file, schema: ITEM.schema }),
  "naive family": () => keepPages(naiveFamily(clientAt(origin)), { file, schema: ITEM.schema }),
  "declared list": () => sync(items, {}),
  "declared family": () => sync(children, {}),
  "declared limited": () => sync(children, { rateBudget: { requests: LIMIT, windowMs: 1_000 }, retry: {} }),
};
if (mode === undefined) await inWorkFolder(benchmark);
else if (mode === "interpreter") await interpreter();
else await timed(modes[mode]);

async function* naiveList(client) {
  for (let after = null, isLast = false; !isLast; isLast = after === null) {
    const page = resultOrThrow(await client.get("items", { query: { after } }));
    yield page.items;
    after = page.next;
  }
}

async function* naiveFamily(client) {
  for (const { id } of resultOrThrow(await client.get("parents")).items)
    yield resultOrThrow(await client.get(`children/${id}`)).items;
}

async function sync(reader, policy) {
  const store = await openSqliteStore({ file });
  const result = await syncObject(fullObject(reader, TYPE), {
    ...{ store, client: clientAt(origin, policy), connection: {}, log: SILENT },
    signal: new AbortController().signal,
  });
  await store.close();
  if (result.outcome !== "succeeded") throw new Error(result.message);
}

async function timed(work) {
  const [start, used] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(used);
  process.stdout.write(JSON.stringify({ wall: performance.now() - start, cpu: (user + system) / 1_000 }));
}

/** The CPU time of readers that nobody writes: the declared one, and the same in code, in turn. */
async function interpreter() {
  const client = clientAt(origin);
  const context = { client, signal: new AbortController().signal, checkpoint: null, resumePoint: null };
  const whole = { ...context, saveCheckpoint() {}, saveResumePoint() {} };
  const inCode = async function* ({ client, signal, saveResumePoint }) {
    const list = cursors({
      read: (after) => client.get("items", { query: { after }, signal }),
      cursorOf: ({ next }) => next?.toString(),
    });
    for await (const page of list) {
      for (const item of page.items) yield item;
      if (page.next !== null) saveResumePoint(String(page.next));
    }
  };
  const readers = { declared: items, "in code": inCode };
  const times = { declared: [], "in code": [] };
  for (let round = -3; round < 15; round++) {
    for (const [name, reader] of Object.entries(readers)) {
      const used = process.cpuUsage();
      let count = 0;
      for await (const item of reader(whole)) if (item !== undefined) count++;
      const { user, system } = process.cpuUsage(used);
      if (count !== LIST.total) throw new Error(`${name} read ${count}`);
      if (round >= 0) times[name].push((user + system) / 1_000);
    }
  }
  process.stdout.write(JSON.stringify(times));
}

async function benchmark(folder) {
  const script = fileURLToPath(import.meta.url);
  const target = fork(fileURLToPath(new URL("declared-server.mjs", import.meta.url)));
  const set = async (state) => {
    const answered = once(target, "message");
    target.send(state);
    return (await answered)[0];
  };
  const run = async (name, state, file = "") => {
    const { port } = await set(state);
    const output = node([script, name, `http://127.0.0.1:${port}`, file], { output: true });
    return { ...JSON.parse(output), seen: (await set(state)).seen };
  };
  try {
    const files = (name) => path.join(folder, name);
    const only = process.env.ONLY ?? "lfi";
    if (only.includes("l")) await lists(run, files);
    if (only.includes("f")) await families(run, files);
    if (only.includes("i")) await interpreted(run);
  } finally {
    target.disconnect();
  }
}

/** Pairs of runs, so that what else runs on the machine meets both: the medians of their times and of their ratios. */
async function pairs(rounds, runs) {
  const met = [];
  for (let round = 0; round < rounds; round++) {
    const times = {};
    for (const [name, run] of Object.entries(runs)) times[name] = await run(round);
    met.push(times);
  }
  return {
    time: (name) => median(met.map((times) => times[name].wall)),
    ratio: (name, peer, of = "wall") => median(met.map((times) => times[peer][of] / times[name][of])),
  };
}

async function lists(run, files) {
  const rows = [];
  for (const [latencyMs, targets] of [
    [0, [1.4, 1.8]],
    [LATENCY_MS, [1.8, 2]],
  ]) {
    const state = { ...LIST, latencyMs };
    const one = (reader) => (round) =>
      run(`${reader} list`, state, files(`${reader}${latencyMs}-${round}.db`));
    const { time, ratio } = await pairs(5, {
      "naive first": one("naive"),
      "declared first": one("declared"),
      "naive unchanged": one("naive"),
      "declared unchanged": one("declared"),
    });
    const where = latencyMs === 0 ? "" : `, ${latencyMs} ms a page`;
    for (const [index, kind] of ["first", "unchanged"].entries()) {
      const [naive, ours] = [`naive ${kind}`, `declared ${kind}`];
      const speed = (name) => `${Math.round(LIST.total / time(name))}k records/s`;
      rows.push(row(naive + where, speed(naive)));
      rows.push(row(ours + where, speed(ours), ratio(ours, naive), { atLeast: targets[index] }));
      rows.push(row(`${ours}${where}, CPU time`, "", ratio(ours, naive, "cpu")));
    }
  }
  printTable(
    "A declared list by cursor, 100,000 records",
    rows,
    `Pages of ${LIST.pageSize.toLocaleString("en")} records over HTTP, from a target in a process of its own, which shares the machine. Ratios are medians of pairs of runs, one after the other.`,
  );
}

async function families(run, files) {
  const { parents, children } = FAMILY;
  const one = (reader) => (round) => run(`${reader} family`, FAMILY, files(`family-${reader}${round}.db`));
  const { time, ratio } = await pairs(3, { naive: one("naive"), declared: one("declared") });
  const { seen } = await run("declared limited", { ...FAMILY, limit: LIMIT }, files("limited.db"));
  // The first call after each window may start at once, so the last calls leave none of it unused.
  const used = (seen.calls - LIMIT) / (LIMIT * ((seen.last - seen.first) / 1_000));
  printTable(
    `Lists of ${parents.toLocaleString("en")} parents, ${LATENCY_MS} ms a call`,
    [
      row("the loop, one call at a time", ms(time("naive"))),
      row("declared, concurrency 8", ms(time("declared")), ratio("declared", "naive"), { atLeast: 6 }),
      row(`with a limit of ${LIMIT} calls a second`, `${Math.round(used * 100)} % of it used`, used, {
        atLeast: 0.95,
      }),
      [
        "calls that the target refused",
        String(seen.refused),
        "",
        "0",
        seen.refused === 0 ? "reached" : "**missed**",
      ],
    ],
    `${children} children each, kept in SQLite. The target refuses every call beyond its limit in any second.`,
  );
}

async function interpreted(run) {
  const times = await run("interpreter", LIST);
  const ratios = times.declared.map((time, index) => time / times["in code"][index]);
  const value = (name) => `${((median(times[name]) * 1_000) / LIST.total).toFixed(2)} µs CPU a record`;
  printTable(
    "The interpreter beside the same reader in code",
    [row("in code", value("in code")), row("declared", value("declared"), median(ratios), { atMost: 1.05 })],
    "Records that are read over HTTP and thrown away; pages by cursor with `cursors`, resume points said. The median of pairs.",
  );
}
