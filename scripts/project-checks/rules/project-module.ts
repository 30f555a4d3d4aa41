/** A module of the project as the rules of code see it, and the findings at its nodes. */
import type { Syntax, SyntaxNode } from "../../../generators/source-edits/syntax.js";
import { syntaxOf } from "../../../generators/source-edits/syntax.js";
import type { DiagnosticCode, RulesByCode } from "../../../schemas/diagnostics/codes.js";
import { type Diagnostic, diagnosticsOf, placeInText } from "../../../schemas/diagnostics/diagnostic.js";
import type { Rule, RuleParameters } from "../../../schemas/diagnostics/rules/rule.js";

/** A file of the project. */
export interface ProjectFile {
  /** Relative to the project's folder, with `/`. */
  readonly path: string;
  /** Absolute path. */
  readonly file: string;
  readonly text: string;
}

export interface ProjectModule extends ProjectFile {
  readonly syntax: Syntax;
}

/** Parses a module; undefined if its syntax can't be read, which the loader reports. */
export function parseProjectModule(file: ProjectFile): ProjectModule | undefined {
  const syntax = syntaxOf(file.text);
  return syntax && { ...file, syntax };
}

/** The line of an offset, from 1. */
export function lineOf(text: string, offset: number): number {
  return placeInText({ file: "", text }, offset).line;
}

/** Makes the findings of `rules` at nodes of a module. */
export function codeFindingsOf<Rules extends RulesByCode>(rules: Rules) {
  const report = diagnosticsOf(rules);
  return <Code extends keyof Rules & DiagnosticCode>(
    code: Code,
    module: ProjectFile,
    node: Pick<SyntaxNode, "start">,
    parameters: RuleParameters<Rules[Code] & Rule>,
  ): Diagnostic => report(code, placeInText(module, node.start), parameters);
}

/** Whether the code at `path` runs inside the platform. */
export function isConnectorCode(path: string): boolean {
  return /^(?:modules|client|connections|schemas)\/|^connector\.[cm]?[jt]s$/.test(path);
}

/** Whether readers and handlers can stand at `path`. */
export function isModuleCode(path: string): boolean {
  return path.startsWith("modules/");
}
