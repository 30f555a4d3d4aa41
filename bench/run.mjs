/** Runs every benchmark, each in a process of its own; `npm run bench -- --write` keeps the tables in RESULTS.md. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { fileURLToPath } from "node:url";

const date = new Date().toISOString().slice(0, 10);
const cores = availableParallelism();
const others = loadavg()[1]?.toFixed(1);
let text = `# Measured on ${date}, Node ${process.versions.node}, ${cores} cores, load of others before ${others}

\`npm run bench\` prints these tables: medians of interleaved runs, peers beside them. Repeat runs differ by 20 to 30 %: read a difference under 1.3 × as none.

`;
process.stdout.write(text);
const BENCHMARKS = [
  ...["validation", "cold-start", "generation", "http", "sync", "sync-http"],
  ...["fake-start", "declared", "openapi", "postgres", "workers", "console"],
];
for (const name of BENCHMARKS) {
  const script = fileURLToPath(new URL(`${name}.mjs`, import.meta.url));
  const { stdout, status } = spawnSync(process.execPath, [script], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.stdout.write(stdout);
  text += stdout;
  // A slow result is a result; a benchmark that can't run is a failure.
  if (status !== 0) process.exitCode = 1;
}
if (process.argv.includes("--write"))
  writeFileSync(new URL("RESULTS.md", import.meta.url), `${text.trimEnd()}\n`);
