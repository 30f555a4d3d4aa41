/**
 * Makes mistakes in the compiled code, one at a time, and tells which of them no test sees: `npm run mutations`.
 *
 * `-- --seed 7 --count 150 --under runtime/client --only 3,17`: which mistakes are made follows from the first three;
 * `--only` takes some of them again, by their numbers.
 *
 * Everything happens in a copy of the checkout. A mistake is tried with the tests of its area; one that they do not
 * see, with wider ones, and with the program bundled anew. What is left over is for people: some mistakes change
 * nothing that anybody could see.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { inRepository } from "../support/repository.js";
import { randomFrom } from "../validation/random.js";
import { chooseMistakes, linesOf, type PlacedMistake, withMistake } from "./mistakes.js";
import { testsByImports } from "./tests-of.js";

/** Test files that a mistake is tried with: from the first to before the last of those that import it, nearest first. */
const STAGES = [
  { first: 0, last: 2, maxMs: 30_000, isBundled: false },
  { first: 2, last: 8, maxMs: 120_000, isBundled: false },
  // Once more from the first: tests that start the program meet the mistake in the bundle only.
  { first: 0, last: 24, maxMs: 480_000, isBundled: true },
];

/** Tests, and what is made by other tools. */
const NOT_TRIED = /^(?:test|bundled)\/|^generators\/precompiled-templates\.js$/;

interface Failure {
  /** From `dist`; absent if the tests did not end or could not be loaded. */
  readonly file?: string;
  readonly title: string;
}

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "150" },
    under: { type: "string", default: "" },
    only: { type: "string" },
  },
});

const copy = copyOfCheckout();
let running: number | undefined;
process.once("exit", () => {
  endRunning();
  rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const dist = path.join(copy, "dist");
const modules = modulesUnder(values.under);
const mistakes = chooseMistakes(modules, Number(values.count), randomFrom(Number(values.seed)));
const testsOf = testsByImports(dist);
/** Whether test files pass in the code as it is. */
const areGreen = new Map<string, Promise<boolean>>();
const chosen = new Set(values.only?.split(",").map(Number) ?? mistakes.keys());
let unseen = [...mistakes.entries()].filter(([number]) => chosen.has(number));
for (const stage of STAGES) {
  process.stdout.write(
    `\n${unseen.length} mistakes, each with tests ${stage.first + 1} to ${stage.last}${stage.isBundled ? ", bundled anew" : ""}\n`,
  );
  const left: typeof unseen = [];
  for (const [number, mistake] of unseen) {
    const failure = await failureBy(mistake, stage);
    const by =
      failure === undefined ? "NOT SEEN" : `seen by ${failure.file ?? "all tests"}: ${failure.title}`;
    process.stdout.write(`${number} ${told(mistake)}  ${by}\n`);
    if (failure === undefined) left.push([number, mistake]);
  }
  unseen = left;
}
process.stdout.write(`\n${chosen.size - unseen.length} of ${chosen.size} were seen. Not seen:\n`);
for (const [number, mistake] of unseen) process.stdout.write(`\n${number} ${told(mistake)}\n`);

function told(mistake: PlacedMistake): string {
  const { line, before, after } = linesOf(modules.get(mistake.module) ?? "", mistake);
  return `${mistake.module}:${line} ${mistake.kind}\n    ${before}\n    ${after}\n`;
}

/** The first test that fails while the mistake is in the code; undefined if none does. */
async function failureBy(
  mistake: PlacedMistake,
  stage: (typeof STAGES)[number],
): Promise<Failure | undefined> {
  const file = path.join(dist, mistake.module);
  const text = readFileSync(file, "utf8");
  let tests = testsOf(mistake.module).slice(stage.first, stage.last);
  for (;;) {
    const isBuilt = build(file, withMistake(text, mistake), stage.isBundled);
    const failure = isBuilt ? await firstFailure(tests, stage.maxMs) : { title: "it can't be bundled" };
    build(file, text, stage.isBundled);
    if (!isBuilt) return failure;
    if (failure === undefined) return undefined;
    const { file: failed } = failure;
    // Without the mistake, tests that did not end need half of their time, so that a busy machine is no mistake.
    if (await passes(failed === undefined ? tests : [failed], stage.maxMs / 2)) return failure;
    // What fails, or takes too long, without the mistake says nothing of it.
    tests = failed === undefined ? [] : tests.filter((test) => test !== failed);
  }
}

/** Puts `text` into a module and, if it is asked for, into the bundle. Returns false if that can't be made of it. */
function build(file: string, text: string, isBundled: boolean): boolean {
  writeFileSync(file, text);
  if (!isBundled) return true;
  return (
    spawnSync(process.execPath, ["scripts/finish-build.mjs"], { cwd: copy, stdio: "ignore" }).status === 0
  );
}

function passes(tests: readonly string[], maxMs: number): Promise<boolean> {
  const key = tests.join(" ");
  const known = areGreen.get(key) ?? firstFailure(tests, maxMs).then((failure) => failure === undefined);
  areGreen.set(key, known);
  return known;
}

/** Runs test files until one fails. Tests that do not end, or that can't be loaded, have failed. */
async function firstFailure(tests: readonly string[], maxMs: number): Promise<Failure | undefined> {
  if (tests.length === 0) return undefined;
  const report = path.join(copy, "report.json");
  rmSync(report, { force: true });
  const flags = [
    "--no-config",
    "--bail",
    "--exit",
    "--timeout",
    "60000",
    "--require",
    "dist/test/support/root-hooks.js",
  ];
  const reporter = ["--reporter", "json", "--reporter-option", `output=${report}`];
  const files = tests.map((test) => path.join("dist", test));
  const mocha = spawn(
    process.execPath,
    ["node_modules/mocha/bin/mocha.js", ...flags, ...reporter, ...files],
    {
      cwd: copy,
      stdio: "ignore",
      detached: true,
    },
  );
  running = mocha.pid;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endRunning();
  }, maxMs);
  const status = await new Promise<number | null>((resolve) => mocha.once("exit", resolve));
  clearTimeout(timer);
  running = undefined;
  if (status === 0) return undefined;
  return isLate ? { title: "it does not end" } : reportedFailure(report);
}

/** Ends the tests that run, with every process that they started. */
function endRunning(): void {
  try {
    if (running !== undefined) process.kill(-running, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}

function reportedFailure(report: string): Failure {
  try {
    const [failure] = JSON.parse(readFileSync(report, "utf8")).failures;
    const { file, fullTitle } = failure;
    return { file: path.relative(dist, String(file)).split(path.sep).join("/"), title: String(fullTitle) };
  } catch {
    return { title: "a module can't be loaded" };
  }
}

/** A copy of everything that git knows, with what was built. */
function copyOfCheckout(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "connectorcli-mutations-"));
  const root = inRepository(".");
  const names = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).trim().split("\n");
  for (const name of names.filter((name) => existsSync(path.join(root, name)))) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    cpSync(path.join(root, name), path.join(folder, name));
  }
  cpSync(path.join(root, "dist"), path.join(folder, "dist"), { recursive: true });
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"), "junction");
  return folder;
}

/** The texts of the compiled modules below a folder, by their paths from `dist`. */
function modulesUnder(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(dist, { recursive: true, encoding: "utf8" })
    .map((name) => name.split(path.sep).join("/"))
    .filter((name) => name.endsWith(".js") && !NOT_TRIED.test(name) && name.startsWith(folder));
  return new Map(names.sort().map((name) => [name, readFileSync(path.join(dist, name), "utf8")]));
}
