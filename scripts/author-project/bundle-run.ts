/** Turns an author's whole connector into one module that runs anywhere: packages stay where they are installed. */
import { pathToFileURL } from "node:url";
import type { OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from "esbuild";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { bundleFindings } from "./bundle-findings.js";

export type RunBundle =
  | { readonly code: string; readonly diagnostics: readonly [] }
  | { readonly code?: undefined; readonly diagnostics: readonly Diagnostic[] };

/** Bundles `entry` (absolute) of the project `folder`. */
export async function bundleRun(folder: string, entry: string): Promise<RunBundle> {
  const { build } = await import("esbuild");
  try {
    const { outputFiles } = await build({
      absWorkingDir: folder,
      entryPoints: [entry],
      write: false,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      // What Node itself would resolve to, and nothing that is meant for bundlers.
      conditions: [],
      sourcemap: "inline",
      sourcesContent: false,
      logLevel: "silent",
      tsconfigRaw: {},
      plugins: [installedPackages],
    });
    return { code: outputFiles[0]?.text ?? "", diagnostics: [] };
  } catch (error) {
    return { diagnostics: bundleFindings(error, folder) };
  }
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
