/** Loads and type-checks authors' projects, many in one call. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
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
    const entry = (path: string) => ({ path: pathToFileURL(inRepository(path)).href, external: true });
    bundler.onResolve({ filter: /^connectorcli$/ }, () => entry("dist/schemas/index.js"));
    bundler.onResolve({ filter: /^connectorcli\/runtime$/ }, () => entry("dist/runtime/index.js"));
    bundler.onResolve({ filter: /^connectorcli\/client$/ }, () => entry("dist/runtime/client/index.js"));
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

/** What TypeScript says of the files under `folder`, under the flags that authors get; nothing where all is well. */
export async function typeErrors(folder: string): Promise<string> {
  return inTemporaryFolder(async (project) => {
    mkdirSync(join(project, "node_modules"));
    symlinkSync(inRepository("."), join(project, "node_modules/connectorcli"), "dir");
    symlinkSync(folder, join(project, "sources"), "dir");
    const flags = readFileSync(inRepository("generators/templates/author-tsconfig.json.hbs"), "utf8");
    const config = { ...JSON.parse(flags), include: ["sources/**/*.ts"] };
    config.compilerOptions.preserveSymlinks = true;
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
    writeFileSync(join(project, "package.json"), '{ "type": "module" }');
    const compiler = inRepository("node_modules/typescript-7/bin/tsc");
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
