/**
 * Runs the whole suite on every supported line of Node: `npm run test:nodes`, or `npm run test:nodes -- 22` for one.
 *
 * Each binary comes from the registry, as an ordinary dependency of a folder of its own in the temporary folder.
 * The exit status is 1 if the suite fails on any of them.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";

const LINES = ["20", "22", "24"];

const lines = process.argv.length > 2 ? process.argv.slice(2) : LINES;
const folder = mkdtempSync(path.join(tmpdir(), "connectorcli-nodes-"));
// Tests that act as a user without rights start the same binary.
chmodSync(folder, 0o755);
try {
  const results = lines.map((line) => ({ line, isGreen: runSuite(installNode(line)) }));
  for (const { line, isGreen } of results)
    process.stdout.write(`Node ${line}: ${isGreen ? "green" : "RED"}\n`);
  if (results.some(({ isGreen }) => !isGreen)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The folder that holds the newest `node` of a line. */
function installNode(line) {
  // The package "node" would run an install script to choose between these.
  const system = process.platform === "win32" ? "win" : process.platform;
  const name = `node-${system}-${process.arch}`;
  const place = path.join(folder, line);
  mkdirSync(place);
  writeFileSync(path.join(place, "package.json"), JSON.stringify({ private: true }));
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  execFileSync(npm, ["install", "--no-audit", "--no-fund", `${name}@${line}`], {
    cwd: place,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  return path.join(place, "node_modules", name, "bin");
}

function runSuite(binaries) {
  const node = path.join(binaries, process.platform === "win32" ? "node.exe" : "node");
  process.stdout.write(`\n${execFileSync(node, ["--version"], { encoding: "utf8" })}`);
  const { status } = spawnSync(node, ["scripts/test.mjs"], {
    stdio: "inherit",
    env: { ...process.env, PATH: `${binaries}${path.delimiter}${process.env.PATH}` },
  });
  return status === 0;
}
