/** The connector that a worker runs, in the worker's own process: one that was built, or a project's. */
import { rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { ConnectorRegistration } from "../../runtime/entries/runtime.js";
import type * as Host from "../../runtime/host/index.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { loadProject, type ProjectOptions } from "../author-project/load-project.js";
import { readRunOptions, runSettingsOf } from "../author-project/run-options.js";
import { prepareConnector } from "../connector-run/prepare-connector.js";
import { readPackageText } from "../system/files.js";
import { makeTemporaryFolder } from "../system/temporary-folder.js";

/** Which connector. */
export interface ConnectorSource extends ProjectOptions {
  /** The module that `build` has made, in place of the project. */
  readonly connectorFile?: string | undefined;
}

export interface LoadedConnector {
  readonly registration: ConnectorRegistration;
  /** The functions that run it. */
  readonly host: typeof Host;
  readonly settings: Host.RunSettings;
}

export type LoadedOrNot =
  | { readonly loaded: LoadedConnector; readonly diagnostics: readonly [] }
  | { readonly loaded?: undefined; readonly diagnostics: readonly Diagnostic[] };

/** The connector, or what stands in the way. */
export async function loadConnector(source: ConnectorSource): Promise<LoadedOrNot> {
  const { connectorFile } = source;
  return connectorFile === undefined ? loadFromProject(source) : loadBuilt(path.resolve(connectorFile));
}

const NO_SETTINGS: Host.RunSettings = { actionProcessor: {}, cacheWriter: {} };

async function loadBuilt(file: string): Promise<LoadedOrNot> {
  const imported = await importModule(file, file);
  if (imported.exported === undefined) return imported;
  const { exported } = imported;
  const { registration } = exported;
  if (!isRegistration(registration) || typeof exported["startConnector"] !== "function")
    return refused("run-exports-nothing", file);
  const host = exported as unknown as typeof Host;
  // One that an older version has built exports none.
  const settings = (exported["runSettings"] ?? NO_SETTINGS) as Host.RunSettings;
  return { loaded: { registration, host, settings }, diagnostics: [] };
}

async function loadFromProject(source: ConnectorSource): Promise<LoadedOrNot> {
  const root = path.resolve(source.folder);
  const { model, diagnostics } = await loadProject(source);
  if (model === undefined) return { diagnostics: diagnostics.filter(({ severity }) => severity === "error") };
  const { file, text } = readPackageText(root);
  const { options, diagnostics: wrong } = readRunOptions(text, file, model);
  if (wrong.length > 0) return { diagnostics: wrong };
  const prepared = await prepareConnector(root, model);
  if (prepared.code === undefined) return { diagnostics: prepared.diagnostics };
  const temporary = makeTemporaryFolder();
  try {
    const bundle = path.join(temporary, "registration.mjs");
    await writeFile(bundle, prepared.code);
    const imported = await importModule(bundle, prepared.entry);
    if (imported.exported === undefined) return imported;
    const { registration } = imported.exported;
    if (!isRegistration(registration)) return refused("run-exports-nothing", prepared.entry);
    // The very module that the connector's own packages share.
    const host: typeof Host = await import(import.meta.resolve("connectorcli/host"));
    return { loaded: { registration, host, settings: runSettingsOf(options) }, diagnostics: [] };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

type Imported =
  | { readonly exported: Readonly<Record<string, unknown>>; readonly diagnostics: readonly [] }
  | { readonly exported?: undefined; readonly diagnostics: readonly Diagnostic[] };

/** @param named What a message calls it. */
async function importModule(file: string, named: string): Promise<Imported> {
  try {
    return { exported: await import(pathToFileURL(file).href), diagnostics: [] };
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
    return { diagnostics: [diagnostic("run-throws", { file: named }, { reason })] };
  }
}

function refused(code: "run-exports-nothing", file: string): LoadedOrNot {
  return { diagnostics: [diagnostic(code, { file }, { reason: "" })] };
}

function isRegistration(value: unknown): value is ConnectorRegistration {
  return (
    typeof value === "object" && value !== null && "connectionTestHandler" in value && "clientHelper" in value
  );
}
