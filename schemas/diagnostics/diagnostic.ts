/** A finding is a value: where it is, what it is, how it is mended. Nothing is thrown for a wrong connector. */
import {
  CATALOGUE,
  type CatalogueEntry,
  type DiagnosticCode,
  type DiagnosticParameters,
  type Severity,
} from "./catalogue.js";

/** A place in the author's files or in a file that is read. Lines and columns count from 1. */
export interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Where it stands, or would stand, in `connector.json` (RFC 6901). */
  readonly pointer?: string;
  /** The names in code that lead there from the call that defined it; turned into a line where that is known. */
  readonly path?: readonly (string | number)[];
}

export interface Diagnostic extends Place {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** Section of the connector interface document, such as `§2.6`. */
  readonly section: string;
  readonly message: string;
  readonly fix: string;
  /** Why the author lets it stand; such a finding is counted, and stops nothing. */
  readonly silenced?: string;
}

/** The finding `code` at `place`. Parameters are shortened and freed from control characters. */
export function diagnostic<Code extends DiagnosticCode>(
  code: Code,
  place: Place,
  parameters: DiagnosticParameters<Code>,
): Diagnostic {
  const entry: CatalogueEntry = CATALOGUE[code];
  return {
    code,
    severity: entry.severity,
    section: entry.section,
    ...place,
    message: fill(entry.message, parameters),
    fix: fill(entry.fix, parameters),
  };
}

/** Whether the list holds a finding that stops a command. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((found) => found.severity === "error" && found.silenced === undefined);
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
  if (/^[\x20-\x7e]*$/.test(shown)) return shown;
  return shown.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** Numbers in pointers sort as numbers: object 2 before object 10. */
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
