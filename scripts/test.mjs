/**
 * Runs the tests that are built: `npm test` all of them, `npm run test:quick` those for the inner loop, which take
 * less than a minute.
 *
 * The quick ones are found by a rule: a test file is quick if nothing that it imports, directly or not, can start a
 * process or a thread, and nothing of the tests that it imports can open a server. A new test file needs no entry.
 *
 * The others come first, those with the most slow tests at the head, so that the workers end together.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";

const STARTS_PROCESSES = /^(?:node:(?:child_process|cluster|worker_threads)|esbuild)$/;
const OPENS_SERVERS = /^node:(?:http|https|http2|net|tls)$/;
const TESTS = path.join("dist", "test");
/** What takes long, and is seen by shorter tests too: these run in the soak. */
const LONG = [
  "acceptance/connectors",
  "checks/mutation",
  "compatibility/compare-schemas",
  "compatibility/limits",
  "compatibility/mutations",
  "demo",
  "from-openapi",
  "runtime/declared/killed-read",
  "scaffolds/actions-run",
  "scaffolds/unusual-layout",
  "scripts/chain",
  "scripts/project-checks/cost",
].map((name) => path.join(TESTS, `${name}.test.js`));

const imports = new Map();

const files = readdirSync(TESTS, { recursive: true })
  .filter((name) => name.endsWith(".test.js"))
  .map((name) => path.join(TESTS, name))
  .filter((file) => process.env["SOAK"] !== undefined || !LONG.includes(file))
  .sort();
const [isQuickRun, args] = [
  process.argv.includes("--quick"),
  process.argv.slice(2).filter((word) => word !== "--quick"),
];
const quick = files.filter(isQuick);
const slow = files.filter((file) => !quick.includes(file));
if (!slow.some((file) => slowTestsOf(file) > 0)) throw new Error("no test file names SLOW_TEST_MS");
const chosen = isQuickRun ? quick : [...slow.sort((a, b) => slowTestsOf(b) - slowTestsOf(a)), ...quick];

const { status } = spawnSync(process.execPath, ["node_modules/mocha/bin/mocha.js", ...args, ...chosen], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;

/** Whether a test file starts no process or thread, and opens no server. */
function isQuick(file) {
  const seen = new Set();
  const open = [file];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    for (const name of importsOf(next)) {
      if (STARTS_PROCESSES.test(name)) return false;
      if (OPENS_SERVERS.test(name) && next.startsWith(TESTS)) return false;
      const module = path.join(path.dirname(next), name);
      if (name.startsWith(".") && existsSync(module)) open.push(module);
    }
  }
  return true;
}

/** What a compiled module imports. */
function importsOf(file) {
  const known = imports.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(file, "utf8");
  const found = [...text.matchAll(/^(?:import|export)\b[^;]*?"([^"]+)";|\bimport\("([^"]+)"\)/gm)];
  const names = found.map(([, statically, dynamically]) => statically ?? dynamically);
  imports.set(file, names);
  return names;
}

/** How often a file names the time limit of a slow test. */
function slowTestsOf(file) {
  return readFileSync(file, "utf8").split("SLOW_TEST_MS").length - 1;
}
