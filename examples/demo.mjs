/** The main job, end to end, on a small connector: schema modules to connector.json, and back, byte for byte. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));
const command = path.join(root, "dist", "bundled", "connectorcli.js");
const author = path.join(root, "examples", "projects-api");
const work = mkdtempSync(path.join(tmpdir(), "connectorcli-demo-"));

step("1. The author's schema modules are checked: every finding, with file, line and fix.");
run(0, "check", "--connector-path", author);

step("2. connector.json is extracted from them; the committed one is up to date.");
run(0, "extract", "--check", "--connector-path", author);

step("3. Typed classes and validators are generated from them; the committed ones are up to date.");
run(0, "gen", "--check", "--connector-path", author);
await sayWhatClassesDo();

step("4. A connector.json becomes schema modules again, as if a person had written them.");
const original = path.join(author, "connector.json");
const imported = path.join(work, "imported");
run(0, "import", "connector-json", original, "--directory", imported);
process.stdout.write(`\n${readFileSync(path.join(imported, "schemas/app/timesheet.ts"), "utf8")}`);

step("5. Extracting those gives the same file.");
run(0, "extract", "--connector-path", imported);
const same = readFileSync(original).equals(readFileSync(path.join(imported, "connector.json")));
process.stdout.write(same ? "The two files are the same, byte for byte.\n" : "The two files differ.\n");

step("6. A mistake: the key of a record is made optional, and a contact address is shown to everyone.");
const broken = path.join(work, "broken");
cpSync(author, broken, { recursive: true });
const file = path.join(broken, "schemas/app/project.ts");
const source = readFileSync(file, "utf8");
writeFileSync(
  file,
  source
    .replace(/id: (Type\.String\(\{ format: "uuid".*?\}\)),/, "id: Type.Optional($1),")
    .replace(/writeOnly: true,?/, ""),
);
run(1, "extract", "--connector-path", broken);
run(1, "check", "--connector-path", broken);

step("Where to look: examples/projects-api is the author's project, connector.json what it gives.");
rmSync(work, { recursive: true, force: true });
process.exitCode = same ? 0 : 1;

/** Loads a generated class, as a connector does, and shows a record, its key, and what a wrong one is told. */
async function sayWhatClassesDo() {
  const file = path.join(work, "project.mjs");
  await build({
    entryPoints: [path.join(author, "generated/app/project.ts")],
    outfile: file,
    bundle: true,
    format: "esm",
    platform: "node",
    alias: { "connectorcli/runtime": path.join(root, "dist/runtime/index.js") },
  });
  const { Project } = await import(pathToFileURL(file).href);
  const sent = {
    id: "7b3f8f0e-6f3a-4c58-9d2e-0b8a4f6f2c11",
    number: "P-1",
    title: "Bridge",
    status: "Active",
    budget: 1200,
    managerEmail: "someone@company.com",
    created_on: "2026-02-03T04:05:06Z",
  };
  const project = Project.from(sent);
  process.stdout.write(`a record:      ${project}\nits key:       ${project.key()}\n`);
  for (const { message } of Project.findings({ ...sent, status: "Lost", budget: -1 })) {
    process.stdout.write(`a wrong one:   ${message}\n`);
  }
}

function step(text) {
  process.stdout.write(`\n${text}\n`);
}

/** Runs the command line as a user would, and stops the demo where the exit status is another. */
function run(expected, ...args) {
  const shown = args.map((arg) =>
    path.relative(root, arg).startsWith("..") ? path.basename(arg) : arg.replace(root, ""),
  );
  process.stdout.write(`$ connectorcli ${shown.join(" ")}\n`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    encoding: "utf8",
    cwd: work,
  });
  process.stdout.write(stdout + stderr);
  if (status === expected) return;
  process.stdout.write(`Expected the exit status ${expected}, but it was ${status}.\n`);
  process.exit(1);
}
