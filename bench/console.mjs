/** The console: its first page, a page of records at a million rows, and scrolling, in Chromium. */
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { browserOrSkip, endBrowser } from "../dist/test/support/browser.js";
import {
  consoleProject,
  endConsoles,
  fillStore,
  PROJECTS,
  projectRecord,
  startedConsole,
} from "../dist/test/support/console-project.js";
import { environment, median, ms, printTable, row } from "./timing.mjs";

const COMMAND = fileURLToPath(new URL("../dist/bundled/connectorcli.js", import.meta.url));
const VIEWPORT = { width: 1_280, height: 800 };
const FRAMES = 300;

const skip = () => {
  process.stderr.write("no browser: the console is not measured\n");
  process.exit(0);
};
const browser = await browserOrSkip({ skip });
const projects = [100_000, 1_000_000].map((count) => ({ count, folder: consoleProject() }));
for (const { count, folder } of projects) await fillStore(folder, records(count));
const [long, longest] = projects;
const first = [];
for (let round = 0; round < 7; round++) first.push(await firstPage(long.folder));
const { near, far } = await answers(longest);
const speeds = await scrolled(long.folder);
await endBrowser();
for (const { folder } of projects) rmSync(folder, { recursive: true, force: true });

printTable(
  `The console, ${availableParallelism()} cores, which browser and server share`,
  [
    target("first page after the command says its address", median(first), 300),
    target("a page of 200 records, the beginning of a million", median(near), 50),
    target("a page of 200 records, anywhere in a million", median(far), 50),
    target("the slowest of 200 such jumps", Math.max(...far), 50),
    ...speeds.flatMap(({ name, rate, cpuMs }) => [
      row(`scrolling 100,000 records, ${name}`, `${rate.toFixed(1)} frames/s`, rate / 55, {
        of: "of 55",
        atLeast: 1,
      }),
      row("its CPU a frame", ms(cpuMs), cpuMs / (1_000 / 55), { of: "of a frame", atMost: 1 }),
    ]),
  ],
  "The first page is there when the overview's table can be read; the browser runs before. Pages of records are asked for over HTTP, a second after the first one: meanwhile the console finds what leads to the middle of the list. Frames are counted by `requestAnimationFrame`, of which a screen of 60 Hz gives 60.",
);

function target(name, time, limit) {
  return row(name, ms(time), time / limit, { of: `of ${limit} ms`, atMost: 1 });
}

function* records(count) {
  for (let index = 0; index < count; index++) yield { ...projectRecord(index), note: "x".repeat(300) };
}

/** Milliseconds from the printed address to a page that can be read. */
async function firstPage(folder) {
  const child = spawn(process.execPath, [COMMAND, "console"], {
    cwd: folder,
    env: environment(),
    stdio: ["ignore", "pipe", "ignore"],
  });
  const context = await browser.newContext({ viewport: VIEWPORT });
  try {
    const page = await context.newPage();
    const address = await new Promise((resolve) =>
      child.stdout.once("data", (text) => resolve(String(text).trim())),
    );
    const start = performance.now();
    await page.goto(address);
    await page.getByRole("rowheader").first().waitFor();
    return performance.now() - start;
  } finally {
    await context.close();
    child.kill();
    await new Promise((resolve) => child.once("close", resolve));
  }
}

async function answers({ folder, count }) {
  const { origin, token } = await startedConsole(folder);
  const ask = async (offset) => {
    const start = performance.now();
    const address = `${origin}/api/records?object=${encodeURIComponent(PROJECTS)}&limit=200&offset=${offset}`;
    const { rows } = await (await fetch(address, { headers: { "x-connectorcli-token": token } })).json();
    if (rows.length === 0) throw new Error(`no records at ${offset}`);
    return performance.now() - start;
  };
  await ask(0);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const [near, far] = [[], []];
  for (let round = 0; round < 200; round++) {
    near.push(await ask(0));
    // Evenly over the list, and never twice: 0.618… is the golden ratio.
    far.push(await ask(Math.floor(((round * 0.618034) % 1) * (count - 200))));
  }
  await endConsoles();
  return { near, far };
}

async function scrolled(folder) {
  const { address } = await startedConsole(folder);
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  // Of the page's own thread, so that what others do with the cores does not count.
  await protocol.send("Performance.enable", { timeDomain: "threadTicks" });
  const cpuSeconds = async () => {
    const { metrics } = await protocol.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration").value;
  };
  await page.goto(address);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.evaluate('location.hash = "#/records"');
  await page.locator(".grid-row").first().waitFor();
  const speeds = [];
  for (const [name, step] of [
    ["a row and a half a frame", 45],
    ["a screen a frame", 700],
    ["from end to end", Math.floor((100_000 * 30) / FRAMES)],
  ]) {
    const before = await cpuSeconds();
    const rate = await page.evaluate(`(${framesASecond})(${step}, ${FRAMES})`);
    speeds.push({ name, rate, cpuMs: ((await cpuSeconds()) - before) * (1_000 / FRAMES) });
  }
  await context.close();
  await endConsoles();
  return speeds;
}

/** Runs in the page. */
function framesASecond(step, frames) {
  const grid = document.querySelector(".grid");
  grid.scrollTop = 0;
  return new Promise((resolve) => {
    let [count, start] = [0, 0];
    const frame = (now) => {
      if (count === 0) start = now;
      if (count++ === frames) return resolve((frames * 1_000) / (now - start));
      grid.scrollTop += step;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}
