/** Workers on PostgreSQL: what looking at many schedules costs, what a second worker brings, and who waits beside a noisy workspace. */
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { postgresEngine } from "../dist/runtime/engine/postgres-engine.js";
import * as host from "../dist/runtime/host/index.js";
import { openForWork } from "../dist/runtime/store/postgres/open-store.js";
import { localKeys } from "../dist/runtime/store/sealing/key-wrapper.js";
import { startWorker } from "../dist/runtime/worker/worker.js";
import { testDatabase } from "../dist/test/support/postgres.js";
import { MODULE, smallRegistration } from "../dist/test/support/registration.js";
import { ACTION, KEY, SETTINGS } from "../dist/test/support/worked-workspaces.js";
import { median, ms, printTable, row } from "./timing.mjs";

const WORKSPACES = 10_000;
const SCHEDULES = 20;
const DUE = 1_000;
const LATENCY_MS = 20;
const IDLE_MS = 20_000;
const NOISY_ACTIONS = 100_000;
const QUIET = 1_000;
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

const database = await testDatabase({ isDurable: true });
if (database === undefined) process.stdout.write("## Workers\n\nNot measured: there is no server.\n\n");
else {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // The last one leaves many schedules that were asked.
  const parts = { speedUp, idle, fairness, tick };
  const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts);
  const rows = [];
  for (const name of names) rows.push(...(await parts[name]()));
  await client.end();
  await database.remove();
  printTable(
    "Workers on PostgreSQL",
    rows,
    `On a server with fsync on, on the same machine; the workers are in one process, and a target system answers after ${LATENCY_MS} ms. A tick is one transaction that asks for what is due; it goes on until nothing is.`,
  );

  async function withWorkers(count, handler, settings, task) {
    const actions = MODULE.actions.map((action) => ({ ...action, handler }));
    const registration = smallRegistration({}, [{ ...MODULE, actions }]);
    const opened = [];
    for (let index = 0; index < count; index++) {
      const stores = await openForWork({ url: database.url, sealing: { key: localKeys(KEY) } });
      const engine = postgresEngine(stores.database, database.url);
      const worker = await startWorker({
        registration,
        host,
        engine,
        work: stores.work,
        log: SILENT,
        ...settings,
      });
      opened.push({ stores, worker });
    }
    try {
      return await task();
    } finally {
      await Promise.all(opened.map(({ worker }) => worker.stop()));
      for (const { stores } of opened) await stores.close();
    }
  }

  async function addWorkspaces(prefix, count) {
    const stores = await openForWork({ url: database.url, sealing: { key: localKeys(KEY) } });
    const names = Array.from({ length: count }, (_, index) => `${prefix} ${index}`);
    while (names.length > 0)
      await Promise.all(names.splice(-10).map((name) => stores.workspaces.set(name, SETTINGS)));
    await stores.close();
  }

  function queue(prefix, count) {
    const sql = `INSERT INTO connectorcli.actions (workspace, object, action, state, queued_at, due_at, input)
      SELECT id, $2, $3, 'queued', now(), now(), json_build_object('id', name)::text
      FROM connectorcli.workspaces, generate_series(1, $4) WHERE name LIKE $1 || ' %'`;
    return client.query(sql, [prefix, ACTION.object, ACTION.action, count]);
  }

  /** How much sooner two workers are done than one. */
  async function speedUp() {
    const took = [];
    for (const count of [1, 2]) {
      const prefix = `pair ${count}`;
      await addWorkspaces(prefix, 40);
      let left = 40 * 5;
      let resolve;
      const done = new Promise((fulfil) => {
        resolve = fulfil;
      });
      const handler = async (output) => {
        await sleep(LATENCY_MS);
        if (--left === 0) resolve();
        return { outcome: "succeeded", output, changes: [] };
      };
      const settings = { actionSlots: 2, actionProcessor: { concurrency: 1 } };
      await withWorkers(count, handler, settings, async () => {
        // Both have begun to listen.
        await sleep(500);
        const start = performance.now();
        await queue(prefix, 5);
        await done;
        took.push(performance.now() - start);
      });
    }
    return [
      row("one worker, 40 workspaces of 5 actions", ms(took[0])),
      row("two workers", ms(took[1]), took[0] / took[1], { atLeast: 1.7 }),
    ];
  }

  /** How long the actions of many workspaces wait where one has far more than can be done. */
  async function fairness() {
    await addWorkspaces("noisy", 1);
    await addWorkspaces("quiet", QUIET);
    await queue("noisy", NOISY_ACTIONS);
    const waiting = new Set();
    let start = Number.POSITIVE_INFINITY;
    let last = 0;
    const handler = async (output) => {
      if (String(output.id).startsWith("quiet") && waiting.delete(output.id))
        last = performance.now() - start;
      await sleep(LATENCY_MS);
      return { outcome: "succeeded", output, changes: [] };
    };
    await withWorkers(2, handler, {}, async () => {
      await sleep(2_000);
      for (let index = 0; index < QUIET; index++) waiting.add(`quiet ${index}`);
      start = performance.now();
      await queue("quiet", 1);
      while (waiting.size > 0) await sleep(50);
    });
    const what = `last of ${QUIET} workspaces with an action each, beside one with ${NOISY_ACTIONS.toLocaleString("en")}`;
    return [row(what, ms(last), last / 15_000, { of: "of 15 s", atMost: 1 })];
  }

  /** Many workspaces of which nothing is due. */
  async function addSchedules() {
    await client.query("DELETE FROM connectorcli.actions");
    await client.query(
      `INSERT INTO connectorcli.workspaces (name, settings) SELECT 'many ' || n, 'settings' FROM generate_series(1, $1) n
        ON CONFLICT DO NOTHING`,
      [WORKSPACES],
    );
    await client.query(
      `INSERT INTO connectorcli.schedules (workspace, object, schedule, next_due)
        SELECT id, 'object ' || n, '{"everySeconds":3600}', now() + (10 + 50 * random()) * interval '1 minute'
        FROM connectorcli.workspaces, generate_series(1, $1) n WHERE name LIKE 'many %' ON CONFLICT DO NOTHING`,
      [SCHEDULES],
    );
  }

  /** What a worker takes of a core while nothing is due. */
  async function idle() {
    await (await openForWork({ url: database.url })).close();
    await addSchedules();
    let share;
    await withWorkers(
      1,
      async () => ({ outcome: "succeeded", output: {}, changes: [] }),
      {},
      async () => {
        await sleep(3_000);
        const [start, before] = [performance.now(), process.cpuUsage()];
        await sleep(IDLE_MS);
        const { user, system } = process.cpuUsage(before);
        share = (user + system) / 1_000 / (performance.now() - start);
      },
    );
    const what = `a worker of ${WORKSPACES.toLocaleString("en")} workspaces of which nothing is due`;
    return [row(what, `${(100 * share).toFixed(2)} % of a core`, share / 0.02, { of: "of 2 %", atMost: 1 })];
  }

  async function tick() {
    const stores = await openForWork({ url: database.url, sealing: { key: localKeys(KEY) } });
    await addSchedules();
    const times = { idle: [], due: [], all: [] };
    const timed = async (list) => {
      const start = performance.now();
      const asked = await stores.work.askDue();
      list.push(performance.now() - start);
      return asked;
    };
    for (let round = 0; round < 11; round++) {
      await timed(times.idle);
      const sql = `UPDATE connectorcli.schedules s SET next_due = now() - interval '1 second' WHERE (workspace, object) IN
        (SELECT workspace, object FROM connectorcli.schedules ORDER BY random() LIMIT $1)`;
      await client.query(sql, [DUE]);
      const start = performance.now();
      while ((await timed(times.due)) > 0);
      times.due.pop();
      times.all.push(performance.now() - start);
    }
    await stores.close();
    const most = Math.max(...times.due.slice(3));
    const many = `${WORKSPACES.toLocaleString("en")} workspaces of ${SCHEDULES} schedules`;
    return [
      row(`tick, ${many}, nothing due`, ms(median(times.idle)), median(times.idle) / 100, {
        of: "of 100 ms",
        atMost: 1,
      }),
      row(`tick while ${DUE.toLocaleString("en")} are due`, ms(median(times.due)), median(times.due) / 100, {
        of: "of 100 ms",
        atMost: 1,
      }),
      row("the longest of them", ms(most)),
      row(`all ${DUE.toLocaleString("en")}`, ms(median(times.all))),
    ];
  }
}
