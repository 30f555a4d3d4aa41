/** What a scaffolding command would do to a project, decided before anything is written. */
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import type { GeneratedFile } from "../generated-file.js";
import { render } from "../render.js";
import type { Edit, SourceChange, SourceFiles } from "../source-edits/index.js";

/** The project as it is. */
export interface ScaffoldSource {
  readonly model: ConnectorModel;
  readonly files: SourceFiles;
}

export interface Scaffold {
  /** New files, and the author's files with their edits. */
  readonly files: readonly GeneratedFile[];
  /** With an error among them nothing is to be written; warnings say what is left to do by hand. Paths are relative. */
  readonly diagnostics: readonly Diagnostic[];
}

const ROOT_MODULES = ["connector.ts", "connector.mts", "connector.js", "connector.mjs"];

/** The root module of the project. */
export function rootModule(files: SourceFiles): string {
  return ROOT_MODULES.find((name) => files.text(name) !== undefined) ?? "connector.ts";
}

/** The API client, which every command that needs one makes the same. */
export function apiClient(): GeneratedFile {
  return scaffoldFile("client/api-client.ts", render("api-client.ts", {}));
}

export function scaffoldFile(path: string, content: string): GeneratedFile {
  return { path, content, ownership: "scaffold" };
}

/** The changed sources as files to write: those that were there are edited in place. */
export function changedFiles(changes: readonly SourceChange[]): readonly GeneratedFile[] {
  return changes.map(({ path, before, after }) =>
    before === undefined
      ? scaffoldFile(path, after)
      : { path, content: after, ownership: "edited", read: before },
  );
}

/** The findings of edits without which the project is not what was asked for. */
export function problemsOf(edits: readonly Edit[]): readonly Diagnostic[] {
  return edits.flatMap(({ problem }) => problem ?? []);
}

/** The same findings for edits that only save typing: told, but they stop nothing. */
export function byHandOnly(edits: readonly Edit[]): readonly Diagnostic[] {
  return problemsOf(edits).map((problem) => ({ ...problem, severity: "warning" }));
}

/** Files that a command makes as a whole must not be there: their content would be another than is listed. */
export function mustBeNew(files: SourceFiles, paths: readonly string[]): readonly Diagnostic[] {
  return paths
    .filter((path) => files.text(path) !== undefined)
    .map((path) => diagnostic("file-exists", { file: path }, { path }));
}
