/** Turns an author's TypeScript modules into one module that Node can load, so that authors need no build step. */
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { BuildContext, BuildOptions, Message, Plugin } from "esbuild";
import { GENERATED_FOLDER } from "../../generators/layout.js";
import { type Diagnostic, diagnostic, type Place } from "../../schemas/diagnostics/diagnostic.js";
import { packageFile } from "../system/package-files.js";

export interface Bundle {
  /** The module's text. */
  readonly code: string;
  /** Where its lines come from, as JSON. */
  readonly sourceMap: string;
  /** Absolute paths of every file that went into it. */
  readonly inputs: readonly string[];
}

export type BundleResult =
  | { readonly bundle: Bundle; readonly diagnostics: readonly Diagnostic[] }
  | { readonly bundle?: undefined; readonly diagnostics: readonly Diagnostic[] };

const own = createRequire(import.meta.url);

/** Bundles one project again and again; files that have not changed are not parsed again. */
export class Bundler {
  readonly #folder: string;
  readonly #options: BuildOptions & { readonly metafile: true };
  #context: Promise<BuildContext<{ metafile: true }>> | undefined;

  /** @param entry Absolute. @param outfile Where the bundle will stand; it is not written. */
  constructor(folder: string, entry: string, outfile: string) {
    this.#folder = folder;
    this.#options = { ...OPTIONS, absWorkingDir: folder, entryPoints: [entry], outfile };
  }

  async bundle(): Promise<BundleResult> {
    try {
      // Only loaded where it is needed, and as the CommonJS that it is: Node need not look for its exports.
      this.#context ??= (own("esbuild") as typeof import("esbuild")).context(this.#options);
      const { outputFiles = [], metafile } = await (await this.#context).rebuild();
      const textOf = (end: string) => outputFiles.find((file) => file.path.endsWith(end))?.text ?? "";
      const inputs = Object.keys(metafile.inputs).map((file) => path.resolve(this.#folder, file));
      return {
        bundle: { code: textOf(".mjs"), sourceMap: textOf(".map"), inputs },
        diagnostics: generatedImports(this.#folder, inputs),
      };
    } catch (error) {
      return { diagnostics: bundleFindings(error, this.#folder) };
    }
  }

  close(): void {
    void this.#context?.then((context) => context.dispose());
  }
}

/** What the running tool has itself: TypeBox and the entries beside the vocabulary, for schema modules and their tests. */
const ownPackages: Plugin = {
  name: "own-packages",
  setup(build) {
    build.onResolve({ filter: /^(?:connectorcli\/|@sinclair\/typebox(?:\/|$))/ }, ({ path: specifier }) => {
      try {
        return { path: pathToFileURL(own.resolve(specifier)).href, external: true };
      } catch {
        const name = specifier.startsWith("@") ? "@sinclair/typebox" : "connectorcli";
        return { errors: [{ text: `"${specifier}" is no entry of the package ${name}` }] };
      }
    });
  },
};

/** Of every bundle of an author's modules: one module for Node, which is given as a text. */
export const AUTHOR_BUNDLE = {
  write: false,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  sourcesContent: false,
  logLevel: "silent",
  tsconfigRaw: {},
} satisfies BuildOptions;

/** Packages come as they are; one that still calls `require` finds it. */
export const REQUIRE_BANNER = {
  js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
};

const OPTIONS = {
  ...AUTHOR_BUNDLE,
  sourcemap: "external",
  metafile: true,
  banner: REQUIRE_BANNER,
  // Every module imports the vocabulary: an alias is quicker than the plugin.
  alias: { connectorcli: packageFile("dist/bundled/vocabulary.js").href },
  external: ["file:*"],
  plugins: [ownPackages],
} satisfies BuildOptions & { metafile: true };

/** What is generated from schema modules can't be imported by them: it may be stale, or not yet there. */
function generatedImports(folder: string, inputs: readonly string[]): readonly Diagnostic[] {
  return inputs
    .map((file) => path.relative(folder, file).split(path.sep).join("/"))
    .filter((file) => file.startsWith(`${GENERATED_FOLDER}/`))
    .map((file) =>
      diagnostic("project-imports-generated", { file: path.join(folder, file) }, { path: file }),
    );
}

/** The end of a message: what is deployed imports what only schema modules and tools need. */
export const TOOL_IMPORTED = "is for schema modules and tools, and does not go into what is deployed";

/** The findings of an error that bundling `folder` ended with. */
export function bundleFindings(error: unknown, folder: string): readonly Diagnostic[] {
  return messagesOf(error).map((message) => diagnosticOf(message, folder));
}

function messagesOf(error: unknown): readonly Partial<Message>[] {
  const errors: unknown =
    typeof error === "object" && error !== null ? Reflect.get(error, "errors") : undefined;
  if (Array.isArray(errors) && errors.length > 0) return errors as readonly Partial<Message>[];
  return [{ text: error instanceof Error ? error.message : String(error) }];
}

function diagnosticOf({ text = "", location }: Partial<Message>, folder: string): Diagnostic {
  const place: Place = location
    ? { file: path.resolve(folder, location.file), line: location.line, column: columnOf(location) }
    : {};
  const reason = text.replace(/\.$/, "");
  if (text.endsWith(TOOL_IMPORTED)) return diagnostic("build-imports-tool", place, { reason });
  const code = /^(?:Could not resolve|No matching export)/.test(text)
    ? "project-import-missing"
    : "project-syntax";
  return diagnostic(code, place, { reason });
}

/** The bundler counts bytes from 0; places count characters from 1. */
function columnOf({ lineText, column }: NonNullable<Message["location"]>): number {
  return Buffer.from(lineText).subarray(0, column).toString().length + 1;
}
