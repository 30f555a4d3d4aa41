/** The cache writer on a large target system over HTTP, beside a naive loop, and the memory that it takes. */
import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { resultOrThrow } from "../dist/runtime/client/index.js";
import { ITEM } from "../dist/test/support/item-cache.js";
import { clientAt } from "../dist/test/support/loopback.js";
import { inWorkFolder, keepPages } from "./naive.mjs";
import { medians, node, printTable, row } from "./timing.mjs";

const RECORDS = 100_000;

const [mode, origin, file] = process.argv.slice(2);
if (mode === "naive") await naiveOverHttp(origin, file);
else await inWorkFolder(overHttp);

/** A target system over HTTP in a process of its own, read by processes of their own, page by page. */
async function overHttp(folder) {
  const programs = (name) =>
    fileURLToPath(new URL(`../dist/test/support/programs/${name}.js`, import.meta.url));
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
      const output = node([programs("sync-over-http"), file, await origin(state), ...kind], { output: true });
      const synced = JSON.parse(output);
      if (synced.end.outcome !== "succeeded") throw new Error(output);
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
    return Number(node([script, "naive", address, name], { output: true })) * 1_000;
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

async function naiveOverHttp(origin, file) {
  const client = clientAt(origin);
  async function* pages() {
    for (let after = null, isLast = false; !isLast; isLast = after === null) {
      const { items, next } = resultOrThrow(await client.get("items", { query: { after } }));
      yield items;
      after = next;
    }
  }
  const start = performance.now();
  await keepPages(pages(), { file, schema: ITEM.schema });
  process.stdout.write(String((performance.now() - start) / 1_000));
}
