/** What is made of an author's schema modules. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

export async function useSources(stage) {
  const { step, run } = stage;
  step("The author's schema modules are checked: every finding, with file, line and fix.");
  await run("projects-api", 0, "check");
  step("Typed classes and validators are generated from them. One differs: the demo has its own address.");
  await run("projects-api", 0, "gen");
  await sayWhatClassesDo(stage);
  step("connector.json is extracted from them.");
  await run("projects-api", 0, "extract");
}

/** Loads a generated class, as a connector does, and shows a record, its key, and what a wrong one is told. */
async function sayWhatClassesDo({ root, work, project, say }) {
  const file = path.join(work, "project.mjs");
  await build({
    entryPoints: [path.join(project, "generated/app/project.ts")],
    outfile: file,
    bundle: true,
    format: "esm",
    platform: "node",
    alias: { "connectorcli/codegen": path.join(root, "dist/runtime/codegen/index.js") },
  });
  const { Project } = await import(pathToFileURL(file).href);
  const sent = {
    id: "7b3f8f0e-6f3a-4c58-9d2e-0b8a4f6f2c11",
    number: "P-1",
    title: "Bridge",
    status: "Active",
    budget: 1200,
    managerEmail: "someone@secret.example",
    created_on: "2026-02-03T04:05:06Z",
  };
  const one = Project.from(sent);
  say(`a record:      ${one}\nits key:       ${one.key()}`);
  for (const { message } of Project.findings({ ...sent, status: "Lost", budget: -1 }))
    say(`a wrong one:   ${message}`);
}
