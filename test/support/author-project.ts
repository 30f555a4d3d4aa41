/** Projects of authors: loads and type-checks them, many in one call, and makes them as the commands do. */

import { execFile } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path, { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { connectorcli } from "./command-line.js";
import { folderWith } from "./folders.js";
import { inRepository } from "./repository.js";

/** A file of a project. */
export interface SourceFile {
  readonly path: string;
  readonly content: string;
}

/** `connectorcli` is the compiled package under test, one copy for all. */
const compiledPackage: Plugin = {
  name: "compiled-package",
  setup(bundler) {
    const manifest = JSON.parse(readFileSync(inRepository("package.json"), "utf8"));
    for (const [entry, { types }] of Object.entries<{ readonly types?: string }>(manifest.exports)) {
      if (types === undefined) continue;
      const specifier = entry.replace(/^\./, "connectorcli").replaceAll("/", "\\/");
      const compiled = inRepository(types.replace("/types/", "/").replace(/\.d\.ts$/, ".js"));
      bundler.onResolve({ filter: new RegExp(`^${specifier}$`) }, () => ({
        path: pathToFileURL(compiled).href,
        external: true,
      }));
    }
  },
};

/** What each entry module exports as `connector`, in their order. */
export async function loadConnectors(entries: readonly string[]): Promise<readonly unknown[]> {
  return (await loadModules(entries)).map((loaded) => loaded["connector"]);
}

/** What each entry module exports, in their order. */
export async function loadModules(
  entries: readonly string[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return inTemporaryFolder(async (folder) => {
    await build({
      entryPoints: entries.map((path, index) => ({ in: path, out: String(index) })),
      outdir: folder,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      format: "esm",
      target: "node20",
      logLevel: "silent",
      plugins: [compiledPackage],
    });
    return Promise.all(entries.map((_, index) => import(pathToFileURL(join(folder, `${index}.mjs`)).href)));
  });
}

/**
 * What a line of TypeScript says of the files under `folder`, however many projects they are, under the flags that
 * authors get; nothing if all is well.
 */
export async function typeErrors(folder: string, line: "5.9" | "7" = "7"): Promise<string> {
  return inTemporaryFolder(async (project) => {
    mkdirSync(join(project, "node_modules"));
    symlinkSync(inRepository("."), join(project, "node_modules/connectorcli"), "dir");
    symlinkSync(folder, join(project, "sources"), "dir");
    const flags = readFileSync(inRepository("generators/templates/author-tsconfig.json.hbs"), "utf8");
    const config = { ...JSON.parse(flags), include: ["sources/**/*.ts"] };
    config.compilerOptions.preserveSymlinks = true;
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
    writeFileSync(join(project, "package.json"), '{ "type": "module" }');
    const compiler = inRepository(`node_modules/${line === "7" ? "typescript-7" : "typescript"}/bin/tsc`);
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [compiler, "--pretty", "false", "-p", project],
        { maxBuffer: 1 << 28 },
        (error, stdout, stderr) => resolve(error === null ? "" : `${stdout}${stderr}` || error.message),
      );
    });
  });
}

/** Writes `files` into a folder each, gives the folder of all to `use`, and removes it. */
export async function withProjects<T>(
  projects: readonly (readonly SourceFile[])[],
  use: (folder: string, folders: readonly string[]) => Promise<T>,
): Promise<T> {
  return inTemporaryFolder(async (folder) => {
    const folders = projects.map((files, index) => {
      for (const { path, content } of files) {
        const target = join(folder, String(index), path);
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, content);
      }
      return join(folder, String(index));
    });
    return use(folder, folders);
  });
}

async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "connectorcli-test-"));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A connector of one empty module, without connections. */
export const BARE_CONNECTOR = `/** The connector. */
import { defineConnector, defineModule } from "connectorcli";

const AppModule = defineModule("App", {
  key: "app",
  version: 1,
  description: "All of it.",
  dataObjects: [],
});

export const connector = defineConnector("Sites", {
  key: "sites",
  description: "Places where work is done.",
  // filled by the tool
  connections: [],
  modules: [AppModule],
});
`;

/** A new project without a client. */
export function bareProject(files: Readonly<Record<string, string>> = {}): string {
  return folderWith({
    "package.json": '{ "type": "module" }\n',
    "connector.ts": BARE_CONNECTOR,
    ...files,
  });
}

/** A project with a connection of each type, at `origin`, generated and with empty test settings. */
export async function clientProject(origin: string, ...authTypes: readonly string[]): Promise<string> {
  const folder = bareProject();
  for (const authType of authTypes) await succeed(folder, "client", "new", "--auth-type", authType);
  useAddress(folder, origin);
  await succeed(folder, "gen");
  await succeed(folder, "test", "init");
  return folder;
}

/** Puts `origin` into the place of the placeholder addresses, as an author does. */
export function useAddress(folder: string, origin: string): void {
  const connections = path.join(folder, "connections");
  for (const name of readdirSync(connections)) {
    const file = path.join(connections, name);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(/https:\/\/(?:api|sandbox)\.example\.com/g, origin));
  }
}

/** Fills in the settings of a connection, as an author does; the environment is Production where it is not said. */
export function fillIn(folder: string, key: string, values: Readonly<Record<string, unknown>>): void {
  const file = path.join(folder, "test-settings.json");
  const settings = JSON.parse(readFileSync(file, "utf8"));
  const entry = settings.testSettings.connections.find(
    (one: { definitionKey: string }) => one.definitionKey === key,
  );
  Object.assign(entry.configuration, { connectionEnvironment: 1, ...values });
  settings.testSettings.activeConnection = key;
  writeFileSync(file, JSON.stringify(settings, undefined, 2));
  chmodSync(file, 0o600);
}

/** The configuration of a connection as the settings have it. */
export function configurationOf(folder: string, key: string): Readonly<Record<string, unknown>> {
  const { testSettings } = JSON.parse(readFileSync(path.join(folder, "test-settings.json"), "utf8"));
  return testSettings.connections.find((one: { definitionKey: string }) => one.definitionKey === key)
    .configuration;
}

async function succeed(folder: string, ...args: readonly string[]): Promise<void> {
  const { status, stderr } = await connectorcli(folder, ...args);
  if (status !== 0) throw new Error(`connectorcli ${args.join(" ")}: ${stderr}`);
}
