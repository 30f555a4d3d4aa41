/** All findings of a project: in its model, its code and its other files, with the severities that it sets. */

import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { CONNECTOR_JSON, GENERATED_FOLDER, REGISTRATION_FILE } from "../../generators/layout.js";
import { type Diagnostic, sortDiagnostics } from "../../schemas/diagnostics/diagnostic.js";
import type { LoadedProject } from "../author-project/loaded-project.js";
import { readRunOptions } from "../author-project/run-options.js";
import type { ReadDeclarations } from "../connector-run/read-declarations.js";
import { readPackageText } from "../system/files.js";
import { readText, readTextIfExists } from "../system/read-text.js";
import { checkProject } from "./check-project.js";
import type { Committed } from "./rules/committed.js";
import { unreadDeclarations } from "./rules/declarations.js";
import type { ProjectFile } from "./rules/project-module.js";
import { readSeverities, withSeverities } from "./severities.js";
import { submissionFindings } from "./submission-findings.js";

export interface FindingsOptions {
  /** Whether the project is compared with another connector.json, so that the one in its folder is not checked. */
  readonly isCompared?: boolean;
  /** Whether the usual reasons of rejection are errors. */
  readonly isStrict?: boolean;
  /** Seconds that the connector may take to load, for what its readers and handlers declare. */
  readonly timeoutSeconds?: number | undefined;
}

/** All findings of the project in `folder`, sorted, with the silenced ones. */
export async function findingsOfProject(
  folder: string,
  project: LoadedProject,
  { isCompared = false, isStrict = false, timeoutSeconds }: FindingsOptions = {},
): Promise<readonly Diagnostic[]> {
  const { diagnostics, silenced = [], model, connectorJson: extracted } = project;
  const root = path.resolve(folder);
  const { file: packageFile, text: packageText } = readPackageText(root);
  const settings = readSeverities(packageText, packageFile);
  const running = model === undefined ? [] : readRunOptions(packageText, packageFile, model).diagnostics;
  const files = readProjectFiles(root);
  const read =
    model !== undefined && files.some(({ text }) => DECLARES.test(text))
      ? await (await import("../connector-run/read-declarations.js")).readDeclarations(
          root,
          model,
          timeoutSeconds,
        )
      : undefined;
  const parts = {
    files,
    declared: read?.services,
    committed: isCompared ? undefined : committedIn(root),
    extracted,
    model,
  };
  const findings = [
    ...diagnostics,
    ...silenced,
    ...withoutRepeats(checkProject(parts), diagnostics),
    ...submissionFindings(root, model),
    ...unreadFindings(root, read),
  ];
  const withOwnSeverities = withSeverities(findings, settings.severities, isStrict);
  return sortDiagnostics([...withOwnSeverities, ...settings.diagnostics, ...running]);
}

/** The connector is only run where there is something to read. */
const DECLARES = /\bdefine(?:Reader|Handler)\b/;

/** Why declarations could not be read. What is stale is generated anew before anybody looks for a mistake. */
function unreadFindings(root: string, read: ReadDeclarations | undefined): readonly Diagnostic[] {
  if (read === undefined || read.services !== undefined) return [];
  return read.isStale ? [unreadDeclarations(path.join(root, REGISTRATION_FILE))] : read.diagnostics;
}

/** The findings of code without credentials that the connection reports for the same line: one mistake, one message. */
function withoutRepeats(code: readonly Diagnostic[], model: readonly Diagnostic[]): readonly Diagnostic[] {
  const reported = new Set(
    model
      .filter((finding) => finding.code === "connection-address-credentials")
      .map(({ file, line }) => `${file}:${line}`),
  );
  return code.filter(
    (finding) => finding.code !== "code-credential" || !reported.has(`${finding.file}:${finding.line}`),
  );
}

function committedIn(root: string): Committed | undefined {
  const file = path.join(root, CONNECTOR_JSON);
  const text = readTextIfExists(file);
  return text === undefined ? undefined : { file, text };
}

/** Folders that hold no code of the connector. */
const SKIPPED_FOLDERS = new Set([
  "node_modules",
  GENERATED_FOLDER,
  "dist",
  "build",
  "coverage",
  "test",
  "tests",
]);
/** Larger files are data, not written by hand. */
const MAX_BYTES = 2_000_000;
const MAX_FILES = 5_000;

/** The modules below `folder`, sorted by path; what can't be read is left to the loader. */
function readProjectFiles(folder: string): readonly ProjectFile[] {
  const files: ProjectFile[] = [];
  const waiting = [""];
  for (let next = waiting.pop(); next !== undefined && files.length < MAX_FILES; next = waiting.pop()) {
    for (const entry of entriesOf(path.join(folder, next))) {
      const name = next === "" ? entry.name : `${next}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name) && !entry.name.startsWith("."))
        waiting.push(name);
      else if (entry.isFile() && isModule(entry.name)) files.push(...read(folder, name));
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function isModule(name: string): boolean {
  return /\.[cm]?[jt]s$/.test(name) && !/\.(?:d|test|spec|config)\.[cm]?[jt]s$/.test(name);
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function read(folder: string, name: string): readonly ProjectFile[] {
  const file = path.join(folder, name);
  try {
    return statSync(file).size > MAX_BYTES ? [] : [{ path: name, file, text: readText(file) }];
  } catch {
    return [];
  }
}
