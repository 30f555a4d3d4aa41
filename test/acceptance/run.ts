/**
 * Makes mistakes in sound connectors, one at a time, and tells which of them the acceptance suite finds: `npm run mistakes`.
 *
 * `-- --only 3,17`: some of them, by their numbers. `-- --seeds 100`: tries each sound connector with so many seeds first.
 * `-- --write`: writes docs/mistakes.md.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { removeFolders } from "../support/folders.js";
import { inRepository } from "../support/repository.js";
import { CONNECTORS } from "./connector-copies.js";
import { type AuthorMistake, MISTAKES } from "./list-of-mistakes.js";
import { mistakesPage } from "./mistakes-page.js";
import { foundBy, triedMistake, triedSound } from "./try-mistake.js";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    seeds: { type: "string", default: "1" },
    write: { type: "boolean", default: false },
  },
});
const seeds = Number(values.seeds);
let isSound = true;
process.once("exit", removeFolders);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

for (const name of CONNECTORS) {
  for (let seed = 1; seed <= seeds; seed++) {
    const startedMs = performance.now();
    const usedBefore = process.cpuUsage();
    const findings = await triedSound(name, { seed });
    const { user, system } = process.cpuUsage(usedBefore);
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    say(
      `${name}, seed ${seed}: ${findings.length} findings, ${seconds} s, ${((user + system) / 1e6).toFixed(1)} s of CPU`,
    );
    for (const { message, seen } of findings) say(`    ${message} ${seen}`);
    isSound &&= findings.length === 0;
  }
}

const chosen = values.only?.split(",").map(Number);
const found = new Map<AuthorMistake, string>();
let tries = 0;
for (const [number, mistake] of MISTAKES.entries()) {
  if (chosen !== undefined && !chosen.includes(number)) continue;
  const tried = await triedMistake(mistake, { isShort: true });
  const bySuite = foundBy(tried);
  tries++;
  if (bySuite !== undefined) found.set(mistake, bySuite);
  say(
    `${number} ${mistake.connector}: ${mistake.what}\n    ${bySuite ?? "NOT FOUND"} ${tried.checks.join(", ")}`,
  );
  for (const { message } of tried.findings) say(`    ${message}`);
}
say(`${found.size} of ${tries} were found.`);
if (values.write) {
  if (!isSound || chosen !== undefined)
    throw new Error("The page is written of all mistakes, if nothing was found in sound connectors.");
  writeFileSync(inRepository("docs/mistakes.md"), mistakesPage({ found, seeds }));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
