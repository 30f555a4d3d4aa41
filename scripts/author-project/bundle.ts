/** Turns an author's TypeScript modules into one module that Node can load: no build step of theirs. */
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "esbuild";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { bundleFindings } from "./bundle-findings.js";

export interface Bundle {
  /** The module's text, with its source map inside. */
  readonly code: string;
  /** Absolute paths of every file that went into it. */
  readonly inputs: readonly string[];
}

export type BundleResult =
  | { readonly bundle: Bundle; readonly diagnostics: readonly Diagnostic[] }
  | { readonly bundle?: undefined; readonly diagnostics: readonly Diagnostic[] };

/** Packages come as they are; one that still calls `require` finds it. */
const BANNER =
  'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);';

/** Bundles `entry` (absolute) of the project `folder`, as it will stand at `outfile`. */
export async function bundleProject(folder: string, entry: string, outfile: string): Promise<BundleResult> {
  const { build } = await import("esbuild");
  try {
    const result = await build({
      absWorkingDir: folder,
      entryPoints: [entry],
      outfile,
      write: false,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      sourcemap: "inline",
      sourcesContent: false,
      metafile: true,
      logLevel: "silent",
      banner: { js: BANNER },
      tsconfigRaw: {},
      plugins: [ownPackages],
    });
    const inputs = Object.keys(result.metafile.inputs).map((file) => path.resolve(folder, file));
    return {
      bundle: { code: result.outputFiles[0]?.text ?? "", inputs },
      diagnostics: generatedImports(folder, inputs),
    };
  } catch (error) {
    return { diagnostics: bundleFindings(error, folder) };
  }
}

/** The vocabulary and TypeBox are the running tool's own, so that a project loads wherever it lies. */
const ownPackages: Plugin = {
  name: "own-packages",
  setup(build) {
    const own = createRequire(import.meta.url);
    build.onResolve({ filter: /^(?:connectorcli|@sinclair\/typebox)(?:\/|$)/ }, ({ path: specifier }) => ({
      path: specifier.startsWith("connectorcli")
        ? ownEntry(specifier)
        : pathToFileURL(own.resolve(specifier)).href,
      external: true,
    }));
  },
};

/** `connectorcli` and `connectorcli/model`: the entries that schema modules and their tests may use. */
function ownEntry(specifier: string): string {
  const entry =
    specifier === "connectorcli"
      ? "bundled/vocabulary.js"
      : `${specifier.slice("connectorcli/".length)}/index.js`;
  const inside = entry.startsWith("model/") ? `schemas/${entry}` : entry;
  return new URL(`../../${inside}`, import.meta.url).href;
}

/** What is generated from schema modules can't be imported by them: it may be stale, or not yet there. */
function generatedImports(folder: string, inputs: readonly string[]): readonly Diagnostic[] {
  return inputs
    .map((file) => path.relative(folder, file).split(path.sep).join("/"))
    .filter((file) => file.startsWith("generated/"))
    .map((file) =>
      diagnostic("project-imports-generated", { file: path.join(folder, file) }, { path: file }),
    );
}
