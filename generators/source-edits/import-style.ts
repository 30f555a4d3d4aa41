/** How a module writes its imports, and where the next one belongs. */
import { lineEndingAt } from "./splices.js";
import { nameOf, nodeIn, nodesIn, type Syntax, type SyntaxNode, walk } from "./syntax.js";

export interface ImportStyle {
  readonly quote: string;
  readonly semicolon: "" | ";";
  /** Of the project's own modules: `.js`, `.ts` or none. */
  readonly extension: string;
}

export function importStyle(text: string, { program, body }: Syntax): ImportStyle {
  const imports = body.filter(({ type }) => type === "ImportDeclaration");
  const last = imports.at(-1);
  const source = last && nodeIn(last, "source");
  const string = source ?? [...walk(program)].find(({ type }) => type === "StringLiteral");
  // A function's end tells nothing.
  const statement = last ?? body.find(({ type }) => /^(?:Variable|Expression|ExportAll)/.test(type));
  const relative = imports
    .map((one) => nameOf(nodeIn(one, "source")) ?? "")
    .findLast((specifier) => specifier.startsWith("."));
  return {
    quote: (string && text[string.start]) ?? '"',
    semicolon: statement === undefined || text[statement.end - 1] === ";" ? ";" : "",
    extension: relative === undefined ? ".js" : (/\.m?[jt]s$/.exec(relative)?.[0] ?? ""),
  };
}

export interface ImportPlace {
  readonly at: number;
  /** What stands around the statement there. */
  readonly before: string;
  readonly after: string;
}

/** Behind the last import with what is said of it; else before the first statement, below the file's own header. */
export function importPlace(text: string, { program, body, comments }: Syntax): ImportPlace {
  const last = body.filter(({ type }) => type === "ImportDeclaration").at(-1);
  if (last !== undefined) {
    const at = endWithRemark(text, comments, last.end);
    return { at, before: lineEndingAt(text, at), after: "" };
  }
  const head = nodesIn(program, "directives").at(-1) ?? nodeIn(program, "interpreter");
  const first = body[0];
  const start = head?.end ?? (text.startsWith("\uFEFF") ? 1 : 0);
  const eol = lineEndingAt(text, start);
  const header = comments.filter(
    (one) => one.start >= start && one.end <= (first?.start ?? text.length) && isApart(text, one),
  );
  const end = header.at(-1)?.end ?? head?.end;
  if (end !== undefined) return { at: end, before: `${eol}${header.length > 0 ? "" : eol}`, after: "" };
  return { at: start, before: "", after: first === undefined ? eol : `${eol}${eol}` };
}

/** The end of a comment that follows on the same line, where nothing else does. */
export function endWithRemark(text: string, comments: readonly SyntaxNode[], end: number): number {
  const lineEnd = /\r?\n|$/.exec(text.slice(end))?.index ?? 0;
  const rest = text.slice(end, end + lineEnd);
  const remark = comments.find((one) => one.start >= end && one.start < end + lineEnd);
  if (remark === undefined || remark.end > end + lineEnd) return end;
  return text.slice(end, remark.start).trim() === "" && rest.slice(remark.end - end).trim() === ""
    ? remark.end
    : end;
}

/** Whether an empty line, or the end of the file, follows a comment: it speaks of the file. */
function isApart(text: string, comment: SyntaxNode): boolean {
  return /^[^\S\n]*(?:\r?\n[^\S\n]*\r?\n|\s*$)/.test(text.slice(comment.end));
}
