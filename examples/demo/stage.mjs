/** Where the demo happens: a copy of the example in a temporary folder, and the command line. */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startPlatform } from "./start-platform.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const command = path.join(root, "dist", "bundled", "connectorcli.js");

/** Starts the platform, to which the copy talks, with so many records of each data object. */
export async function setStage({ records }) {
  const work = mkdtempSync(path.join(tmpdir(), "connectorcli-demo-"));
  const project = path.join(work, "projects-api");
  cpSync(path.join(root, "examples", "projects-api"), project, { recursive: true });
  const platform = await startPlatform({ command, project, records });
  edit(path.join(project, "connections", "custom-auth.ts"), (text) =>
    text.replace("https://sandbox.projects-platform.com/v2", platform.address),
  );
  let steps = 0;
  const say = (text) => process.stdout.write(`${text}\n`);
  const step = (text) => say(`\n${++steps}. ${text}`);
  return { root, work, project, platform, say, step, run: (...args) => runCommand(work, platform, args) };
}

/** Changes a file as its author does. */
export function edit(file, change) {
  const before = readFileSync(file, "utf8");
  const after = change(before);
  if (after === before) throw new Error(`${path.basename(file)} is not as the demo expects it.`);
  writeFileSync(file, after);
}

/** Runs the command line in a folder of `work`. */
async function runCommand(work, platform, [folder, expected, ...args]) {
  process.stdout.write(`$ connectorcli ${args.join(" ")}\n`);
  const child = spawn(process.execPath, [command, ...args], {
    cwd: path.join(work, folder),
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, PROJECTS_TOKEN: platform.token },
  });
  const status = await new Promise((resolve, reject) => child.on("close", resolve).on("error", reject));
  if (status !== expected) throw new Error(`the exit status is ${status} instead of ${expected}.`);
}
