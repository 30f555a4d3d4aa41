/** A finding is a value: where it is, what it is, what to do about it. A wrong connector never makes anything throw. */
import {
  type DiagnosticCode,
  type DiagnosticParameters,
  GENERAL_RULES,
  type GeneralCode,
  type RulesByCode,
} from "./codes.js";
import type { Rule, RuleParameters, Severity } from "./rules/rule.js";

/** A place in a file. Lines and columns count from 1. */
export interface Place {
  /** Path of the file; absolute in results of the workbench. */
  readonly file?: string;
  /** Line, counted from 1. */
  readonly line?: number;
  /** Column, counted from 1. */
  readonly column?: number;
  /** JSON pointer into `connector.json` (RFC 6901). */
  readonly pointer?: string;
  /** Names in code from the call that defined it; the loader turns them into a line. */
  readonly path?: readonly (string | number)[];
}

/** A finding: what is wrong, where it is, and what to do about it. */
export interface Diagnostic extends Place {
  /** Names the kind of finding, such as `key-optional`. */
  readonly code: DiagnosticCode;
  /** An `error` stops a command unless it is silenced; others do not. */
  readonly severity: Severity;
  /** Section of the connector interface, such as `§2.6`; `docs/interface.md` describes it. */
  readonly section: string;
  /** What is wrong: one sentence in plain English. */
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
  /** The author's reason to let it stand. A silenced finding is counted, and stops nothing. */
  readonly silenced?: string;
}

/** The finding `code` at `place`, for codes that belong to no check. */
export function diagnostic<Code extends GeneralCode>(
  code: Code,
  place: Place,
  parameters: DiagnosticParameters<Code>,
): Diagnostic {
  return diagnosticOf(code, GENERAL_RULES[code], place, parameters);
}

/** As `diagnostic`, for the rules of a family: a missing or misspelt parameter does not compile. */
export function diagnosticsOf<Rules extends RulesByCode>(rules: Rules) {
  return <Code extends keyof Rules & DiagnosticCode>(
    code: Code,
    place: Place,
    parameters: RuleParameters<Rules[Code] & Rule>,
  ): Diagnostic => diagnosticOf(code, rules[code] as Rule, place, parameters);
}

/** Parameters are shortened and freed from control characters. */
function diagnosticOf(
  code: DiagnosticCode,
  { severity, section, message, fix }: Rule,
  place: Place,
  parameters: Readonly<Record<string, string | number>>,
): Diagnostic {
  return {
    code,
    severity,
    section,
    ...place,
    // A hint may end the sentence itself: `Did you mean "x"?`
    message: fill(message, parameters).replace(/\?\.$/, "?"),
    fix: fill(fix, parameters),
  };
}

/** Whether a finding stops a command: an error that is not silenced. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity, silenced }) => severity === "error" && silenced === undefined);
}

/** The findings by file, line, column, pointer and code: the same order on every run. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) =>
      compareText(a.file ?? "", b.file ?? "") ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0) ||
      comparePointers(a.pointer ?? "", b.pointer ?? "") ||
      compareText(a.code, b.code) ||
      compareText(a.message, b.message),
  );
}

const LONGEST_PARAMETER = 160;

/** `text` with its `{parameters}` filled in, each shortened and freed from control characters. */
export function fill(text: string, parameters: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    return value === undefined ? hole : printable(String(value));
  });
}

/** One line of text that can't move a cursor, end a line or grow without bound. */
export function printable(text: string): string {
  const shown = text.length > LONGEST_PARAMETER ? `${text.slice(0, LONGEST_PARAMETER)}…` : text;
  return escapeControls(shown);
}

/** `text` with every character that can move a cursor, end a line or turn the direction of text as `\\u…`. */
export function escapeControls(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** Order of two JSON pointers; array indexes compare as numbers, so that object 2 comes before object 10. */
export function comparePointers(a: string, b: string): number {
  const left = a.split("/");
  const right = b.split("/");
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const order = compareSteps(left[index] ?? "", right[index] ?? "");
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareSteps(a: string, b: string): number {
  return /^\d+$/.test(a) && /^\d+$/.test(b) ? Number(a) - Number(b) : compareText(a, b);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const LINE_END = /\r\n|[\n\r\u2028\u2029]/;

/** The place of `offset` in the `text` of `file`. Lines end as TypeScript and JSON count them. */
export function placeInText(
  { file, text }: { readonly file: string; readonly text: string },
  offset: number,
): Place & { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split(LINE_END);
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
