/** How the benchmarks measure and print: interleaved runs, medians, processes from outside, Markdown tables. */
import { spawnSync } from "node:child_process";
import { performance } from "node:perf_hooks";

/** Certificates to read would slow every start of Node, and flatter each ratio to an empty one. */
const { NODE_EXTRA_CA_CERTS: _, ...ENVIRONMENT } = process.env;

/** Runs the tasks in turn, `rounds` times after `warmUp`, and gives each one's median in milliseconds. */
export async function medians(tasks, { rounds, warmUp = 1 }) {
  const times = Object.fromEntries(Object.keys(tasks).map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const [name, task] of Object.entries(tasks)) {
      const { prepare, run } = typeof task === "function" ? { run: task } : task;
      prepare?.();
      const start = performance.now();
      const measured = await run();
      const time = measured ?? performance.now() - start;
      if (round >= 0) times[name].push(time);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
}

export function median(list) {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
}

/**
 * A process of Node, timed from start to end; with `output` what it said. One that fails stops the benchmark: there is
 * nothing to compare.
 */
export function node(args, { cwd, env = {}, output = false } = {}) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    env: environment(env),
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  const time = performance.now() - start;
  if (status !== 0) throw new Error(`${args.join(" ")}\n${stdout}${stderr}`);
  return output ? stdout : time;
}

export function environment(more = {}) {
  return { ...ENVIRONMENT, ...more };
}

/** A measured ratio beside what it is to reach; `atMost` and `atLeast` are numbers, 1 / 15 is shown as such. */
export function row(what, value, ratio, { of = "", atMost, atLeast } = {}) {
  const target = atMost ?? atLeast;
  const reached = target === undefined || (atMost === undefined ? ratio >= atLeast : ratio <= atMost);
  return [
    what,
    value,
    ratio === undefined ? "" : `${shown(ratio)} ${of}`.trim(),
    target === undefined ? "" : `${atMost === undefined ? "≥" : "≤"} ${shown(target)}`,
    target === undefined ? "" : reached ? "reached" : "**missed**",
  ];
}

export function ms(time) {
  return `${time < 10 ? time.toFixed(1) : Math.round(time)} ms`;
}

export function printTable(title, rows, notes) {
  const head = ["", "median", "ratio", "target", ""];
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  process.stdout.write(`## ${title}\n\n${lines.join("\n")}\n\n${notes}\n\n`);
}

function shown(ratio) {
  return ratio <= 0.5 ? `1/${(1 / ratio).toFixed(1).replace(/\.0$/, "")}` : `${ratio.toFixed(2)} ×`;
}
