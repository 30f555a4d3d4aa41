/** A module of the project as the checks of code see it: where it lies, its text, its syntax. */
import type { Syntax, SyntaxNode } from "../../generators/source-edits/syntax.js";
import { syntaxOf } from "../../generators/source-edits/syntax.js";
import type { DiagnosticCode, DiagnosticParameters } from "../../schemas/diagnostics/catalogue.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";

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
  return linesBefore(text, offset).length;
}

/** The finding `code` at `node` of `module`. */
export function foundAt<Code extends DiagnosticCode>(
  code: Code,
  { file, text }: ProjectFile,
  node: Pick<SyntaxNode, "start">,
  parameters: DiagnosticParameters<Code>,
): Diagnostic {
  const before = linesBefore(text, node.start);
  const place = { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  return diagnostic(code, place, parameters);
}

function linesBefore(text: string, offset: number): readonly string[] {
  return text.slice(0, offset).split(/\r\n|[\n\r\u2028\u2029]/);
}

/** Folders whose code runs inside the platform. */
export function isConnectorCode(path: string): boolean {
  return /^(?:modules|client|connections|schemas)\/|^connector\.[cm]?[jt]s$/.test(path);
}

/** Readers and handlers. */
export function isModuleCode(path: string): boolean {
  return path.startsWith("modules/");
}
