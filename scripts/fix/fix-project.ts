/** `check --fix`: applies fixes, loads the project again, and rolls back what did not make it better. */

import path from "node:path";
import { changedFiles } from "../../generators/scaffolds/index.js";
import { importAs, localNames } from "../../generators/source-edits/imports.js";
import type { SourceFiles } from "../../generators/source-edits/index.js";
import { applySplices, type Splice } from "../../generators/source-edits/splices.js";
import { nameOf, nodeIn, type Syntax, type SyntaxNode, walk } from "../../generators/source-edits/syntax.js";
import { recoverWrites } from "../../generators/writer/transaction.js";
import { type Diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { loadProject, type ProjectOptions } from "../author-project/load-project.js";
import type { LoadedProject } from "../author-project/loaded-project.js";
import {
  newProblems,
  projectSources,
  unconfirmedFinding,
  writeConfirmed,
} from "../scaffolding/change-project.js";
import { WRITE_OPTIONS } from "../system/process-identity.js";
import { FIXES } from "./fixes.js";

export interface FixOptions extends ProjectOptions {
  /** Undoes the fix that is being written if it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

export interface FixResult {
  /** The project after the fixes. */
  readonly project: LoadedProject;
  readonly fixed: readonly Diagnostic[];
  /** What stopped a fix from being written. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Fixes that overlap are applied in later rounds. */
const MAX_ROUNDS = 10;

export async function fixProject({ signal, ...options }: FixOptions): Promise<FixResult> {
  const root = path.resolve(options.folder);
  let project = await loadProject(options);
  const unsettled = recoverWrites(root, WRITE_OPTIONS);
  if (hasErrors(unsettled)) return { project, fixed: [], diagnostics: unsettled };
  const fixed: Diagnostic[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { model, diagnostics } = project;
    const files = projectSources(root);
    const planned = model === undefined ? [] : applyFixes(diagnostics, model, files, root);
    if (planned.length === 0 || signal?.aborted === true) break;
    let after: LoadedProject | undefined;
    const confirm = async () => {
      after = await loadProject(options);
      return worseThan(diagnostics, after, planned, root);
    };
    const result = await writeConfirmed(root, changedFiles(files.changes()), confirm, signal);
    if (hasErrors(result.diagnostics) || after === undefined) {
      return { project, fixed, diagnostics: result.diagnostics };
    }
    fixed.push(...planned);
    project = after;
  }
  return { project, fixed, diagnostics: [] };
}

/** What is worse than before: new errors, or a finding that is still there. */
function worseThan(
  before: readonly Diagnostic[],
  after: LoadedProject,
  fixed: readonly Diagnostic[],
  root: string,
): readonly Diagnostic[] {
  const problems = newProblems(root, { diagnostics: before }, after);
  if (problems.length > 0) return problems;
  const left = fixed.find((finding) => after.diagnostics.some((other) => isSame(finding, other)));
  if (left === undefined && after.diagnostics.length < before.length) return [];
  return [unconfirmedFinding(root, `${left?.code ?? "another finding"} is still found`)];
}

function isSame(a: Diagnostic, b: Diagnostic): boolean {
  return a.code === b.code && a.pointer === b.pointer && a.message === b.message;
}

const VOCABULARY = "connectorcli";

/** Applies every fix to `files` that overlaps no other; returns the findings that were fixed. */
function applyFixes(
  findings: readonly Diagnostic[],
  model: ConnectorModel,
  files: SourceFiles,
  root: string,
): readonly Diagnostic[] {
  const byFile = new Map<string, Diagnostic[]>();
  for (const finding of findings) {
    if (finding.file === undefined || finding.silenced !== undefined || FIXES[finding.code] === undefined)
      continue;
    const name = path.relative(root, finding.file).split(path.sep).join("/");
    byFile.set(name, [...(byFile.get(name) ?? []), finding]);
  }
  return [...byFile].flatMap(([name, list]) => fixFile(name, list, model, files));
}

function fixFile(
  name: string,
  findings: readonly Diagnostic[],
  model: ConnectorModel,
  files: SourceFiles,
): readonly Diagnostic[] {
  const text = files.text(name);
  const syntax = files.syntax(name);
  // Decorations of another tool, links out of the project and broken modules are not touched.
  if (text === undefined || syntax === undefined || name.startsWith("..")) return [];
  const splices: Splice[] = [];
  const fixed: Diagnostic[] = [];
  let needsNullable = false;
  for (const finding of findings) {
    const property = propertyAt(text, syntax, finding);
    const edit = property && FIXES[finding.code]?.edit({ finding, model, text, syntax, property });
    if (edit === undefined || edit.splices.some((splice) => splices.some((other) => overlap(splice, other))))
      continue;
    splices.push(...edit.splices);
    fixed.push(finding);
    needsNullable ||= edit.imports === "Nullable";
  }
  // A name that would have to be imported under another one is left to the author.
  const nullable = { name: "Nullable", from: { package: VOCABULARY } };
  if (needsNullable && localNames(files, name, [nullable])[0] !== "Nullable") return [];
  if (splices.length === 0) return [];
  files.set(name, applySplices(text, splices));
  if (needsNullable) importAs(files, name, nullable, "Nullable");
  return fixed;
}

/** The property at the place of the finding; undefined if the finding is about another one. */
function propertyAt(text: string, { program }: Syntax, finding: Diagnostic): SyntaxNode | undefined {
  const offset = offsetOf(text, finding.line ?? 0, finding.column ?? 0);
  const property = [...walk(program)].find((node) => node.start === offset && node.type === "ObjectProperty");
  const isKey = finding.code.startsWith("key-");
  const isInside = /\/(?:items|additionalProperties|anyOf|\$defs)(?:\/|$)/.test(
    afterLastProperty(finding.pointer ?? ""),
  );
  const name = property && nameOf(nodeIn(property, "key"));
  if (property === undefined || isKey) return property;
  return !isInside && finding.message.includes(`"${name}" of `) ? property : undefined;
}

/** The end of a pointer, after the last property. */
function afterLastProperty(pointer: string): string {
  const at = pointer.lastIndexOf("/properties/");
  return at === -1 ? pointer : pointer.slice(at).replace(/^\/properties\/[^/]*/, "");
}

function offsetOf(text: string, line: number, column: number): number {
  const ends = [...text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)];
  const previous = ends[line - 2];
  const start = line === 1 ? 0 : previous === undefined ? -1 : previous.index + previous[0].length;
  return start === -1 ? -1 : start + column - 1;
}

function overlap(a: Splice, b: Splice): boolean {
  return a.start <= b.end && b.start <= a.end;
}
