/** Makes what is deployed of a project: the connector as one module, connector.json, and a manifest of both. */
import { createHash } from "node:crypto";
import path from "node:path";
import { CONNECTOR_JSON } from "../../generators/layout.js";
import { writeFiles } from "../../generators/writer/transaction.js";
import { type Diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { isJsonObject } from "../../schemas/json.js";
import { loadProject, type ProjectOptions } from "../author-project/load-project.js";
import type { LoadedProject } from "../author-project/loaded-project.js";
import { readRunOptions, runSettingsOf } from "../author-project/run-options.js";
import { BUILD_FOLDER, bundleForHost, CONNECTOR_MODULE } from "../connector-build/bundle-for-host.js";
import { findMissing, isGeneratedStale, staleGenerated } from "../connector-run/prepare-connector.js";
import { readPackageText } from "../system/files.js";
import { packageVersion } from "../system/package-files.js";
import { WRITE_OPTIONS } from "../system/process-identity.js";

/** Which project to build, and where to. */
export interface BuildOptions extends ProjectOptions {
  /** The folder that is written to; a relative one starts from the project's folder. @default "dist" */
  readonly directory?: string | undefined;
  /** Packages that stay outside: the host installs them. @default those that hold code of the machine's own, which is libsql */
  readonly external?: readonly string[] | undefined;
}

/** What was built. */
export interface BuildResult {
  /** Absolute. */
  readonly directory: string;
  /** What stands in the folder now, with its size in bytes; empty if nothing could be built. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  /** Packages that the host has to have if it uses what needs them. */
  readonly drivers: readonly string[];
  /** The errors of the project, and what stood in the way of writing. */
  readonly diagnostics: readonly Diagnostic[];
}

const MANIFEST = "manifest.json";

/**
 * Builds what is deployed: `connector.mjs` with its source map and types, `connector.json`, and `manifest.json`. The same
 * project gives the same bytes. Nothing is written if the project has errors or its generated files are stale.
 */
export async function buildConnector(options: BuildOptions): Promise<BuildResult> {
  const { folder, external = [], directory = BUILD_FOLDER, ...loading } = options;
  const root = path.resolve(folder);
  const target = path.resolve(root, directory);
  const stopped = (diagnostics: readonly Diagnostic[]): BuildResult => ({
    ...{ directory: target, files: [], drivers: [], diagnostics },
  });
  const project = await loadProject({ folder, ...loading, located: "errors" });
  const errors = project.diagnostics.filter(({ severity }) => severity === "error");
  const { model, connectorJson } = project;
  if (model === undefined || connectorJson === undefined || errors.length > 0) return stopped(errors);
  const missing = findMissing(root);
  if (missing !== undefined) return stopped([missing]);
  if (isGeneratedStale(root, model))
    return stopped([staleGenerated(root, "stale, or another generated file is")]);
  const { text, file } = readPackageText(root);
  const { options: runOptions, diagnostics: wrong } = readRunOptions(text, file, model);
  if (wrong.length > 0) return stopped(wrong);
  const bundle = await bundleForHost(root, runSettingsOf(runOptions), external);
  if (bundle.code === undefined) return stopped(bundle.diagnostics);
  const contents: readonly (readonly [string, string])[] = [
    [CONNECTOR_MODULE, bundle.code],
    [`${CONNECTOR_MODULE}.map`, bundle.sourceMap],
    [CONNECTOR_MODULE.replace(/\.mjs$/, ".d.mts"), TYPES],
    [CONNECTOR_JSON, connectorJson],
  ];
  const manifest = manifestOf(root, { model, contents, ...bundle });
  const files = [...contents, [MANIFEST, `${JSON.stringify(manifest, undefined, 2)}\n`] as const].map(
    ([name, content]) => ({ path: name, content, ownership: "generated" }) as const,
  );
  const { diagnostics } = writeFiles(target, files, WRITE_OPTIONS);
  if (hasErrors(diagnostics)) return stopped(diagnostics);
  return {
    directory: target,
    files: files.map(({ path: name, content }) => ({ path: name, bytes: Buffer.byteLength(content) })),
    drivers: bundle.drivers,
    diagnostics,
  };
}

/** For hosts in TypeScript, which have the package among their devDependencies. */
const TYPES = `/** The connector, how it wants to be run, and what runs it. */
import type { RunSettings } from "connectorcli/host";
import type { ConnectorRegistration } from "connectorcli/runtime";
export declare const registration: ConnectorRegistration;
export declare const runSettings: RunSettings;
export * from "connectorcli/host";
`;

interface Built {
  readonly model: NonNullable<LoadedProject["model"]>;
  readonly contents: readonly (readonly [string, string])[];
  readonly packages: Readonly<Record<string, string>>;
  readonly drivers: readonly string[];
}

/** What a host can know without loading the module. */
function manifestOf(root: string, { model, contents, packages, drivers }: Built): object {
  const { key, title } = model;
  return {
    ...{ key, title, version: versionOf(root) ?? null },
    connectorcli: packageVersion(),
    node: ">=20.19",
    drivers,
    files: Object.fromEntries(
      contents.map(([name, content]) => [
        name,
        { bytes: Buffer.byteLength(content), sha256: createHash("sha256").update(content).digest("hex") },
      ]),
    ),
    packages,
  };
}

function versionOf(root: string): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readPackageText(root).text);
    const version = isJsonObject(manifest) ? manifest["version"] : undefined;
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}
