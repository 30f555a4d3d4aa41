/** The example's connector runs against its platform: connection test, syncs, an action, a rejected record. */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { project, startPlatform } from "./projects-platform.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const command = path.join(root, "dist", "bundled", "connectorcli.js");
const token = "pt_demo-token";
const platform = await startPlatform({ token });
const folder = mkdtempSync(path.join(tmpdir(), "connectorcli-demo-"));
cpSync(path.join(root, "examples", "projects-api"), folder, { recursive: true });
const connection = path.join(folder, "connections", "custom-auth.ts");
const source = readFileSync(connection, "utf8");
writeFileSync(connection, source.replace(/https:\/\/[a-z.-]+\/v2/g, platform.origin));

step("7. The connector is pointed to a platform on this machine, and its settings are filled in.");
await run(0, "gen");
await run(0, "test", "init");
const settingsFile = path.join(folder, "test-settings.json");
const settings = JSON.parse(readFileSync(settingsFile, "utf8"));
Object.assign(settings.testSettings.connections[0].configuration, {
  connectionEnvironment: 1,
  apiToken: token,
});
writeFileSync(settingsFile, JSON.stringify(settings, undefined, 2));
await run(0, "test", "connection");

step("8. A first sync, an unchanged one, and one after a change, a delete and a record that does not fit.");
await run(0, "run", "cache-writer");
await run(0, "run", "cache-writer");
platform.projects[0].title = "Tunnel";
platform.projects.pop();
platform.projects.push(project(900, { status: "Lost" }));
await run(0, "run", "cache-writer");
await run(0, "cache", "rejected");

step("9. An action creates a project; its record is in the cache at once, write-only values hidden.");
const input = path.join(folder, "input.json");
const made = { number: "N-1", title: "Dam", status: "Planned", budget: null };
writeFileSync(input, JSON.stringify({ ...made, managerEmail: "someone@company.example" }));
const action = ["--data-object-url", "project", "--action-url", "create"];
await run(0, "run", "action-processor", ...action, "--input", input);
await run(0, "cache", "get", "project", "N-1", "--by", "number");
await run(0, "cache", "changes", "--since", "370");
platform.close();
step(`Where to look: ${folder} is the project, .connectorcli-cache/store.db in it the store.`);

function step(text) {
  process.stdout.write(`\n${text}\n`);
}

/** The platform answers from this process: it must not wait for the command. */
async function run(expected, ...args) {
  process.stdout.write(`$ connectorcli ${args.map((arg) => path.basename(arg)).join(" ")}\n`);
  const child = spawn(process.execPath, [command, ...args], { cwd: folder, stdio: "inherit" });
  const status = await new Promise((resolve) => child.on("close", resolve));
  if (status === expected) return;
  process.stdout.write(`Expected the exit status ${expected}, but it was ${status}.\n`);
  process.exit(1);
}
