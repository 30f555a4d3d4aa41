/** A module of the project as the checks of code see it: where it lies, its text, its syntax. */
import type { Syntax, SyntaxNode } from "../../generators/source-edits/syntax.js";
import { syntaxOf } from "../../generators/source-edits/syntax.js";
import type { DiagnosticCode, DiagnosticParameters } from "../../schemas/diagnostics/catalogue.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { placeInText } from "../../schemas/diagnostics/place-in-text.js";

/** A file that was read. */
export interface ProjectFile {
  /** From the project's folder, with `/`. */
  readonly path: string;
  /** Absolute. */
  readonly file: string;
  readonly text: string;
}

export interface ProjectModule extends ProjectFile {
  readonly syntax: Syntax;
}

/** The module, or undefined where its syntax can't be read: the loader tells that. */
export function moduleOf(file: ProjectFile): ProjectModule | undefined {
  const syntax = syntaxOf(file.text);
  return syntax && { ...file, syntax };
}

/** The line (from 1) of an offset. */
export function lineOf(text: string, offset: number): number {
  return placeInText({ file: "", text }, offset).line;
}

/** The finding `code` at `node` of `module`. */
export function foundAt<Code extends DiagnosticCode>(
  code: Code,
  module: ProjectFile,
  node: Pick<SyntaxNode, "start">,
  parameters: DiagnosticParameters<Code>,
): Diagnostic {
  return diagnostic(code, placeInText(module, node.start), parameters);
}

/** Folders whose code runs inside the platform. */
export function isConnectorCode(path: string): boolean {
  return /^(?:modules|client|connections|schemas)\/|^connector\.[cm]?[jt]s$/.test(path);
}

/** Readers and handlers. */
export function isModuleCode(path: string): boolean {
  return path.startsWith("modules/");
}
