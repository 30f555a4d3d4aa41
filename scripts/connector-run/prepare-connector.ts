/** The connector of a project as one module that can be run, or what is missing for that. */
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from "esbuild";
import { emitFiles, GEN_EMITTERS } from "../../generators/emitters/emitters.js";
import { isOtherCodegen } from "../../generators/generated-file.js";
import { FAKE_FILE, GENERATED_REGISTRATION_FILE, REGISTRATION_FILE } from "../../generators/layout.js";
import { isChange, planFiles } from "../../generators/writer/plan.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { AUTHOR_BUNDLE, bundleFindings } from "../author-project/bundler.js";
import { readTextIfExists } from "../system/read-text.js";

export interface ReadyConnector {
  /** The text of the module. */
  readonly code: string;
  /** The file that it was made from, absolute. */
  readonly entry: string;
  /** Whether the files under `generated/` are of other definitions than the author's. */
  readonly isStale: boolean;
  /** What each file in it imports, by paths from the project's folder with `/`; installed packages are left out. */
  readonly imports: Imports;
}

/** The files of a bundle, each with those that it imports. */
export type Imports = ReadonlyMap<string, readonly string[]>;

export type PreparedConnector =
  | ReadyConnector
  | { readonly code?: undefined; readonly diagnostics: readonly Diagnostic[] };

/** What must be there, why, and what writes it. */
const REQUIRED_FILES = [
  [REGISTRATION_FILE, "joins the connector to its client", "npx connectorcli client new --auth-type <type>"],
  [GENERATED_REGISTRATION_FILE, `${REGISTRATION_FILE} needs`, "npx connectorcli gen"],
] as const;

/**
 * The connector of the project in `root` as one module, or the findings that say what is missing.
 * @param withFake Whether the module also has what `fake.ts` exports, if there is one.
 */
export async function prepareConnector(
  root: string,
  model: ConnectorModel,
  { withFake = false }: { readonly withFake?: boolean } = {},
): Promise<PreparedConnector> {
  const missing = findMissing(root);
  if (missing !== undefined) return { diagnostics: [missing] };
  const entry = path.join(root, REGISTRATION_FILE);
  const besides = [FAKE_FILE].filter((name) => withFake && existsSync(path.join(root, name)));
  const { code, imports, diagnostics } = await bundleConnector(root, [REGISTRATION_FILE, ...besides]);
  return code === undefined
    ? { diagnostics }
    : { code, imports, entry, isStale: isGeneratedStale(root, model) };
}

/** What the project in `root` lacks to be bundled; undefined if it lacks nothing. */
export function findMissing(root: string): Diagnostic | undefined {
  const missing = REQUIRED_FILES.find(([name]) => !existsSync(path.join(root, name)));
  if (missing !== undefined) {
    const [name, purpose, command] = missing;
    return diagnostic("run-registration-missing", { file: root }, { path: name, purpose, command });
  }
  // All generated files are written together: the one that imports the others speaks for them.
  const generated = path.join(root, GENERATED_REGISTRATION_FILE);
  if (!isOtherCodegen(readTextIfExists(generated) ?? "")) return undefined;
  const state = "made by another version of connectorcli, as is everything in its folder";
  return staleGenerated(root, state);
}

/** What to do about generated files that are not what they should be. */
export function staleGenerated(root: string, state: string): Diagnostic {
  const parameters = { path: GENERATED_REGISTRATION_FILE, state, command: "npx connectorcli gen" };
  return diagnostic("file-stale", { file: path.join(root, GENERATED_REGISTRATION_FILE) }, parameters);
}

/** Whether files under `generated/` are of other definitions than the author's. */
export function isGeneratedStale(root: string, model: ConnectorModel): boolean {
  const plan = planFiles(root, emitFiles(model, GEN_EMITTERS), { existingScaffold: "keep" });
  return plan.files.some(isChange);
}

type ConnectorBundle =
  | {
      readonly code: string;
      readonly imports: Imports;
      readonly diagnostics: readonly [];
    }
  | { readonly code?: undefined; readonly imports?: undefined; readonly diagnostics: readonly Diagnostic[] };

/** Bundles files of the project `folder` into one module: packages stay where they are installed. */
async function bundleConnector(folder: string, files: readonly string[]): Promise<ConnectorBundle> {
  const { build } = await import("esbuild");
  try {
    const { outputFiles, metafile } = await build({
      ...AUTHOR_BUNDLE,
      absWorkingDir: folder,
      stdin: {
        contents: files.map((name) => `export * from "./${name}";`).join("\n"),
        resolveDir: folder,
        sourcefile: "connector-files.ts",
        loader: "ts",
      },
      // What Node itself would resolve to, and nothing that is meant for bundlers.
      conditions: [],
      outfile: path.join(folder, "registration.mjs"),
      sourcemap: "external",
      metafile: true,
      plugins: [installedPackages],
    });
    const textOf = (end: string) => outputFiles.find((file) => file.path.endsWith(end))?.text ?? "";
    const imports = new Map(
      Object.entries(metafile.inputs).map(([file, { imports }]) => [
        file,
        imports.filter(({ external }) => external !== true).map(({ path }) => path),
      ]),
    );
    return { code: textOf(".mjs") + inlineMap(folder, textOf(".map")), imports, diagnostics: [] };
  } catch (error) {
    return { diagnostics: bundleFindings(error, folder) };
  }
}

/** The map as a comment of the code; it names the author's files absolutely, for the code is run elsewhere. */
function inlineMap(folder: string, text: string): string {
  const map = JSON.parse(text) as { readonly sources: readonly string[] };
  const sources = map.sources.map((file) => pathToFileURL(path.resolve(folder, file)).href);
  const encoded = Buffer.from(JSON.stringify({ ...map, sources })).toString("base64");
  return `\n//# sourceMappingURL=data:application/json;base64,${encoded}\n`;
}

const RESOLVED = Symbol("resolved by this plugin");

/** Packages by their absolute address; this one is the running tool's own. */
const installedPackages: Plugin = {
  name: "installed-packages",
  setup(build) {
    build.onResolve({ filter: /^connectorcli(?:\/|$)/ }, ({ path }) => ({
      path: import.meta.resolve(path),
      external: true,
    }));
    build.onResolve({ filter: /^[^./]/ }, (args) => packageAt(build, args));
  },
};

async function packageAt(
  build: PluginBuild,
  { path, kind, importer, resolveDir, pluginData }: OnResolveArgs,
): Promise<OnResolveResult | undefined> {
  if (pluginData === RESOLVED || kind === "entry-point") return undefined;
  const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: RESOLVED });
  if (found.errors.length > 0 || found.external) return found;
  // A package of a workspace may be TypeScript, which Node does not load.
  const isInstalled = /[\\/]node_modules[\\/]/.test(found.path) && /\.[cm]?js$/.test(found.path);
  return isInstalled ? { path: pathToFileURL(found.path).href, external: true } : found;
}
