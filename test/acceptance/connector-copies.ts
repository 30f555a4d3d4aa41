/** Copies of the sound connectors, into which mistakes are made. */
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ConnectorRegistration } from "../../runtime/entries/runtime.js";
import type { FakeOptions } from "../../runtime/entries/testing.js";
import { loadModules } from "../support/author-project.js";
import { connectorcli } from "../support/command-line.js";
import { folderWith, installInto } from "../support/folders.js";
import { inRepository } from "../support/repository.js";
import type { ConnectorName, SourceChange } from "./list-of-mistakes.js";

export const CONNECTORS: readonly ConnectorName[] = ["projects-api", "helpdesk", "warehouse", "bidding"];

/** Where the sources of a connector stand, from the root of the repository. */
export function sourcesOf(name: ConnectorName): string {
  return name === "projects-api" ? `examples/${name}` : `test/acceptance/connectors/${name}`;
}

/** What is no source of an author. */
const MADE = /(?:^|\/)(?:node_modules|generated|\.connectorcli[^/]*|connector\.json|test-settings\.json)$/;

const generatedFolders = new Map<ConnectorName, Promise<string>>();

/** A folder with the sources of a connector and what `gen` makes of them; the next call gives the same one. */
export async function generatedConnector(name: ConnectorName): Promise<string> {
  const known = await generatedFolders.get(name);
  // Folders go with the test file that made them, and a process may run several files.
  if (known !== undefined && existsSync(known)) return known;
  const made = generate(name);
  generatedFolders.set(name, made);
  return made;
}

async function generate(name: ConnectorName): Promise<string> {
  const folder = folderWith({});
  const sources = inRepository(sourcesOf(name));
  cpSync(sources, folder, { recursive: true, filter: (file) => !MADE.test(file.split(path.sep).join("/")) });
  installInto(folder);
  const { status, stderr } = await connectorcli(folder, "gen");
  if (status !== 0) throw new Error(`gen of ${name}: ${stderr}`);
  return folder;
}

/** A folder of its own with a connector, generated, and with `changes` made in its sources. */
export async function changedConnector(
  name: ConnectorName,
  changes: readonly SourceChange[],
): Promise<string> {
  const folder = folderWith({});
  cpSync(await generatedConnector(name), folder, { recursive: true, verbatimSymlinks: true });
  for (const { file, from, to } of changes) {
    const target = path.join(folder, file);
    const [before, after, ...others] = readFileSync(target, "utf8").split(from);
    if (before === undefined || after === undefined || others.length > 0)
      throw new Error(`${name}/${file} does not have this text once:\n${from}`);
    writeFileSync(target, before + to + after);
  }
  return folder;
}

export interface LoadedConnector {
  readonly registration: ConnectorRegistration;
  /** What `fake.ts` says. */
  readonly fake: FakeOptions;
}

/** Loads connectors from their folders, each anew: what a module keeps is its own. */
export async function loadedConnectors(folders: readonly string[]): Promise<readonly LoadedConnector[]> {
  const entries = folders.map((folder) => {
    const entry = path.join(folder, "acceptance-entry.ts");
    const modules = ["registration", "fake"].filter((name) => existsSync(path.join(folder, `${name}.ts`)));
    writeFileSync(entry, modules.map((name) => `export { ${name} } from "./${name}.js";\n`).join(""));
    return entry;
  });
  const loaded = await loadModules(entries);
  return loaded.map(({ registration, fake = {} }) => ({ registration, fake }) as LoadedConnector);
}
