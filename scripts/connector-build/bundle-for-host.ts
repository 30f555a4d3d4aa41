/** The connector as one module that a host loads without node_modules: its code, its packages and the runtime. */
import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildOptions, Metafile, OnResolveResult, Plugin } from "esbuild";
import { REGISTRATION_FILE } from "../../generators/layout.js";
import { stringLiteral } from "../../generators/typescript/literals.js";
import type { RunSettings } from "../../runtime/host/index.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { AUTHOR_BUNDLE, bundleFindings, REQUIRE_BANNER, TOOL_IMPORTED } from "../author-project/bundler.js";

export type HostBundle =
  | {
      /** The text of the module. */
      readonly code: string;
      /** Where its lines come from, as JSON. */
      readonly sourceMap: string;
      /** The packages in it, with their versions, by name. */
      readonly packages: Readonly<Record<string, string>>;
      /** Packages that it loads from where the host has them. */
      readonly drivers: readonly string[];
    }
  | { readonly code?: undefined; readonly diagnostics: readonly Diagnostic[] };

/** The name of the module that is made. */
export const CONNECTOR_MODULE = "connector.mjs";
/** Where it stands, from the project's folder. */
export const BUILD_FOLDER = "dist";

/** What the host imports: the connector, how it wants to be run, and what runs it. */
function entryCode(settings: RunSettings): string {
  return `export { registration } from "./${REGISTRATION_FILE}";
export const runSettings = JSON.parse(${stringLiteral(JSON.stringify(settings))});
export * from "connectorcli/host";
`;
}

/** What an author's code may import of this package and be deployed. All else is for schema modules and for tools. */
const DEPLOYED_ENTRIES = ["host", "runtime", "client", "codegen"].map((name) => `connectorcli/${name}`);

/** They have code of the machine's own, which no module can hold; the host installs those that it uses. */
const DRIVERS = ["libsql"];

/**
 * Only loaded with the first line that is logged: half of what a connector's start would cost otherwise. The names are
 * those that the log uses.
 */
const LOADED_LATE: Readonly<Record<string, string>> = {
  pino: `const real = () => require("pino");
exports.pino = (...given) => real()(...given);
exports.pino.destination = (...given) => real().destination(...given);
exports.pino.stdTimeFunctions = { isoTime: () => real().stdTimeFunctions.isoTime() };`,
};

/**
 * Bundles the project in `root`, which is absolute.
 * @param drivers More packages that stay outside.
 */
export async function bundleForHost(
  root: string,
  settings: RunSettings,
  drivers: readonly string[] = [],
): Promise<HostBundle> {
  const { build } = await import("esbuild");
  const outside = [...DRIVERS, ...drivers];
  try {
    const { outputFiles, metafile } = await build({
      ...OPTIONS,
      absWorkingDir: root,
      stdin: { contents: entryCode(settings), resolveDir: root, sourcefile: "host-entry.ts", loader: "ts" },
      // Wherever it is written: the same project gives the same bytes.
      outfile: path.join(root, BUILD_FOLDER, CONNECTOR_MODULE),
      plugins: [ownEntries, driversOutside(outside), builtinsLate, loadedLate],
    });
    const textOf = (end: string) => outputFiles.find((file) => file.path.endsWith(end))?.text ?? "";
    return {
      code: textOf(".mjs"),
      sourceMap: portableMap(textOf(".map")),
      packages: packagesIn(root, metafile),
      drivers: outside.filter((name) => Object.hasOwn(metafile.inputs, `${DRIVER}:${name}`)),
    };
  } catch (error) {
    return { diagnostics: bundleFindings(error, root) };
  }
}

const OPTIONS = {
  ...AUTHOR_BUNDLE,
  conditions: [],
  mainFields: ["module", "main"],
  banner: REQUIRE_BANNER,
  // Names stay, for traces; so do lines that a terminal can show.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  legalComments: "none",
  sourcemap: "linked",
  metafile: true,
} satisfies BuildOptions;

/** The entries of this package are the running tool's own; what only a tool needs is refused. */
const ownEntries: Plugin = {
  name: "own-entries",
  setup(build) {
    build.onResolve(
      { filter: /^(?:connectorcli|@sinclair\/typebox)(?:\/|$)/ },
      ({ path: specifier, importer }) => {
        if (DEPLOYED_ENTRIES.includes(specifier))
          return { path: fileURLToPath(import.meta.resolve(specifier)) };
        // What a package of the author's needs itself is its own affair.
        if (isInstalled(importer)) return undefined;
        return { errors: [{ text: `"${specifier}" ${TOOL_IMPORTED}` }] };
      },
    );
  },
};

const DRIVER = "driver";

/** A driver is looked for when it is used, and not when the connector is loaded. */
function driversOutside(names: readonly string[]): Plugin {
  return {
    name: "drivers-outside",
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path: name, namespace }): OnResolveResult | undefined => {
        if (!names.includes(name)) return undefined;
        return namespace === DRIVER ? { path: name, external: true } : { path: name, namespace: DRIVER };
      });
      build.onLoad({ filter: /./, namespace: DRIVER }, ({ path: name }) => ({
        contents: driverCode(name),
      }));
    },
  };
}

function driverCode(name: string): string {
  const module = JSON.stringify(name);
  const advice = JSON.stringify(
    `${name} is not installed beside ${CONNECTOR_MODULE}. Run: npm install ${name}`,
  );
  return `try { module.exports = require(${module}); }
catch (error) { throw error.code === "MODULE_NOT_FOUND" ? new Error(${advice}, { cause: error }) : error; }`;
}

const BUILTIN = "builtin";

/** What is built into Node is loaded with the module that needs it, which may never be, and not with the connector. */
const builtinsLate: Plugin = {
  name: "builtins-late",
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path: name, kind, namespace }): OnResolveResult | undefined => {
      if (!isBuiltin(name) || namespace === BUILTIN || kind !== "import-statement") return undefined;
      return { path: name.replace(/^node:/, ""), namespace: BUILTIN };
    });
    build.onLoad({ filter: /./, namespace: BUILTIN }, ({ path: name }) => ({
      contents: `module.exports = require(${JSON.stringify(`node:${name}`)});`,
    }));
  },
};

const LATE = "late";

const loadedLate: Plugin = {
  name: "loaded-late",
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path: name, namespace }) =>
      Object.hasOwn(LOADED_LATE, name) && namespace !== LATE ? { path: name, namespace: LATE } : undefined,
    );
    build.onLoad({ filter: /./, namespace: LATE }, ({ path: name }) => ({
      contents: LOADED_LATE[name] ?? "",
      // From where this package finds them.
      resolveDir: path.dirname(fileURLToPath(import.meta.url)),
    }));
  },
};

function isInstalled(file: string): boolean {
  return /[\\/]node_modules[\\/]/.test(file);
}

/** Names files by their packages, and not by where these are on this machine. */
function portableMap(text: string): string {
  const map = JSON.parse(text) as { readonly sources: readonly string[] };
  const own = /^(?:.*\/)?(?=dist\/bundled\/[^/]+$)/;
  const sources = map.sources.map((file) =>
    file.replace(/^.*\/(?=node_modules\/)/, "").replace(own, "node_modules/connectorcli/"),
  );
  return JSON.stringify({ ...map, sources });
}

/** Names and versions of the packages that went into a bundle, sorted. */
function packagesIn(root: string, { outputs }: Metafile): Readonly<Record<string, string>> {
  const files = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const folders = new Set(
    files.flatMap((file) => {
      const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file) ?? [];
      return folder === undefined ? [] : [path.resolve(root, folder)];
    }),
  );
  const found = [...folders].flatMap((folder) => {
    const file = path.join(folder, "package.json");
    if (!existsSync(file)) return [];
    const { name, version } = JSON.parse(readFileSync(file, "utf8")) as { name: string; version: string };
    return [[name, version] as const];
  });
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}
