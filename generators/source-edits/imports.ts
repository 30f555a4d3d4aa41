/** Adds names to the imports of a module, in the manner of those that are there, and takes away those that nothing uses any more. */
import { posix } from "node:path";
import { unique } from "../../schemas/naming/identifiers.js";
import { boundNames } from "./find-code.js";
import { appendItem, type Brackets, removeItem } from "./list-items.js";
import type { SourceFiles } from "./source-files.js";
import { applySplices, insertion, lineEndingAt, type Splice } from "./splices.js";
import { nameOf, nodeIn, nodesIn, type Syntax, type SyntaxNode, textIn, walk } from "./syntax.js";

export interface NewImport {
  readonly name: string;
  /** A file of the project, `schemas/app/module.ts`, or a package, `connectorcli`. */
  readonly from: { readonly file: string } | { readonly package: string };
  /** Whether only its type is used. */
  readonly typeOnly?: boolean;
}

/**
 * Imports `name` into `file` and returns the name that it has there: its own, that of an
 * import that exists already, or another if its own is taken.
 */
export function addImport(files: SourceFiles, file: string, wanted: NewImport): string {
  const [local = wanted.name] = localNames(files, file, [wanted]);
  importAs(files, file, wanted, local);
  return local;
}

/** The names that `imports` have, or would get, in `file`. */
export function localNames(
  files: SourceFiles,
  file: string,
  imports: readonly NewImport[],
): readonly string[] {
  const taken = new Set(boundNames(files, file));
  return imports.map((wanted) => {
    if (isOwnName(file, wanted)) return wanted.name;
    const same = importsOf(files, file).filter((statement) => isFrom(files, file, statement, wanted));
    return existingName(same, wanted) ?? unique(wanted.name, taken);
  });
}

/** Imports `wanted` under the name that {@link localNames} gave. */
export function importAs(files: SourceFiles, file: string, wanted: NewImport, local: string): void {
  const syntax = files.syntax(file);
  const text = files.text(file);
  if (syntax === undefined || text === undefined || isOwnName(file, wanted)) return;
  const same = importsOf(files, file).filter((statement) => isFrom(files, file, statement, wanted));
  if (existingName(same, wanted) !== undefined) return;
  const named = local === wanted.name ? local : `${wanted.name} as ${local}`;
  const typeOnly = wanted.typeOnly === true;
  const merged = same
    .map((statement) => mergeInto(text, syntax, statement, { named, typeOnly }))
    .find(Boolean);
  files.set(file, applySplices(text, merged ?? [importStatement(text, syntax, named, { ...wanted, file })]));
}

function isOwnName(file: string, { from }: NewImport): boolean {
  return "file" in from && from.file === file;
}

function importsOf(files: SourceFiles, file: string): readonly SyntaxNode[] {
  return (files.syntax(file)?.body ?? []).filter(({ type }) => type === "ImportDeclaration");
}

function existingName(imports: readonly SyntaxNode[], { name, typeOnly }: NewImport): string | undefined {
  for (const statement of imports) {
    const found = nodesIn(statement, "specifiers").find(
      (specifier) => nameOf(nodeIn(specifier, "imported")) === name,
    );
    if (found !== undefined && (typeOnly === true || !(isType(statement) || isType(found)))) {
      return nameOf(nodeIn(found, "local"));
    }
  }
  return undefined;
}

function isFrom(files: SourceFiles, file: string, statement: SyntaxNode, { from }: NewImport): boolean {
  const specifier = nameOf(nodeIn(statement, "source")) ?? "";
  if ("package" in from) return specifier === from.package;
  // A file that is planned but not there yet is known by its specifier only.
  return (
    files.resolve(file, specifier) === from.file ||
    stem(posix.join(posix.dirname(file), specifier)) === stem(from.file)
  );
}

interface Named {
  readonly named: string;
  readonly typeOnly: boolean;
}

/** The splices that add the name to `statement`; undefined if its form does not allow it. */
function mergeInto(
  text: string,
  { comments }: Syntax,
  statement: SyntaxNode,
  { named, typeOnly }: Named,
): readonly Splice[] | undefined {
  if (isType(statement) && !typeOnly) return undefined;
  const item = typeOnly && !isType(statement) ? `type ${named}` : named;
  const specifiers = nodesIn(statement, "specifiers");
  const items = specifiers.filter(({ type }) => type === "ImportSpecifier");
  const other = specifiers.find(({ type }) => type !== "ImportSpecifier");
  if (specifiers.some(({ type }) => type === "ImportNamespaceSpecifier")) return undefined;
  const end = nodeIn(statement, "source")?.start ?? statement.end;
  const head = blankComments(text, comments, other?.end ?? statement.start, end);
  const open = head.indexOf("{");
  if (open !== -1) {
    const offset = other?.end ?? statement.start;
    const brackets = { open: offset + open + 1, close: offset + head.lastIndexOf("}"), items, comments };
    return insertSorted(text, brackets, item) ?? appendItem(text, { ...brackets, spaced: true }, item);
  }
  // `import type A, { B }` is not a form of the language.
  return other === undefined || isType(statement) ? undefined : [insertion(other.end, `, { ${item} }`)];
}

/** Splices that insert the name in alphabetical order; undefined if the names are not sorted, or have comments. */
function insertSorted(
  text: string,
  { open, close, items, comments }: Omit<Brackets, "spaced">,
  item: string,
): readonly Splice[] | undefined {
  const keys = items.map(({ start, end }) => sortKey(text.slice(start, end)));
  const isSorted = keys.every((key, index) => index === 0 || (keys[index - 1] ?? "") <= key);
  const next = items[keys.findIndex((key) => key > sortKey(item))];
  if (next === undefined || !isSorted || comments.some(({ start, end }) => start >= open && end <= close))
    return undefined;
  const line = text.slice(text.lastIndexOf("\n", next.start) + 1, next.start);
  const gap = line.trim() === "" ? `${lineEndingAt(text, next.start)}${line}` : " ";
  return [insertion(next.start, `${item},${gap}`)];
}

function sortKey(name: string): string {
  return name.replace(/^type /, "").toLowerCase();
}

function importStatement(
  text: string,
  syntax: Syntax,
  named: string,
  { from, typeOnly, file }: NewImport & { readonly file: string },
): Splice {
  const { quote, semicolon, extension } = importStyle(text, syntax);
  const specifier = "package" in from ? from.package : relativeSpecifier(file, from.file, extension);
  const code = `import ${typeOnly === true ? "type " : ""}{ ${named} } from ${quote}${specifier}${quote}${semicolon}`;
  const { at, before, after } = importPlace(text, syntax);
  return insertion(at, `${before}${code}${after}`);
}

/** `./employee.js`, `../shared.js`: how a module of the project names another. */
function relativeSpecifier(from: string, to: string, extension: string): string {
  const relative = posix.relative(posix.dirname(from), to);
  const path = relative.startsWith(".") ? relative : `./${relative}`;
  if (extension === "") return stem(path);
  return extension === ".ts" ? path : path.replace(/\.(m?)ts$/, ".$1js");
}

/** `text` from `start` to `end`, with spaces in place of comments. */
function blankComments(text: string, comments: readonly SyntaxNode[], start: number, end: number): string {
  let result = text.slice(0, end);
  for (const comment of comments.filter((comment) => comment.end <= end)) {
    const blank = " ".repeat(comment.end - comment.start);
    result = result.slice(0, comment.start) + blank + result.slice(comment.end);
  }
  return result.slice(start);
}

function isType(node: SyntaxNode): boolean {
  return textIn(node, "importKind") === "type";
}

function stem(path: string): string {
  return path.replace(/\.m?[jt]s$/, "");
}

export interface ImportStyle {
  readonly quote: string;
  readonly semicolon: "" | ";";
  /** The extension in imports of the project's own modules: `.js`, `.ts` or none. */
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
    .map((statement) => nameOf(nodeIn(statement, "source")) ?? "")
    .findLast((specifier) => specifier.startsWith("."));
  return {
    quote: (string && text[string.start]) ?? '"',
    semicolon: statement === undefined || text[statement.end - 1] === ";" ? ";" : "",
    extension: relative === undefined ? ".js" : (/\.m?[jt]s$/.exec(relative)?.[0] ?? ""),
  };
}

export interface ImportPlace {
  readonly at: number;
  /** Text before and after the statement there. */
  readonly before: string;
  readonly after: string;
}

/** After the last import and its comment; if there is none, before the first statement and below the file's header. */
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
    (comment) =>
      comment.start >= start && comment.end <= (first?.start ?? text.length) && isApart(text, comment),
  );
  const end = header.at(-1)?.end ?? head?.end;
  if (end !== undefined) return { at: end, before: `${eol}${header.length > 0 ? "" : eol}`, after: "" };
  return { at: start, before: "", after: first === undefined ? eol : `${eol}${eol}` };
}

/** The end of a comment that follows on the same line, if nothing else does; otherwise `end`. */
export function endWithRemark(text: string, comments: readonly SyntaxNode[], end: number): number {
  const lineEnd = /\r?\n|$/.exec(text.slice(end))?.index ?? 0;
  const rest = text.slice(end, end + lineEnd);
  const remark = comments.find((comment) => comment.start >= end && comment.start < end + lineEnd);
  if (remark === undefined || remark.end > end + lineEnd) return end;
  return text.slice(end, remark.start).trim() === "" && rest.slice(remark.end - end).trim() === ""
    ? remark.end
    : end;
}

/** Whether an empty line, or the end of the file, follows a comment: it is about the file. */
function isApart(text: string, comment: SyntaxNode): boolean {
  return /^[^\S\n]*(?:\r?\n[^\S\n]*\r?\n|\s*$)/.test(text.slice(comment.end));
}

/** Removes imported names of `file` that it used before, and does not use any more. */
export function removeUnusedImports(files: SourceFiles, file: string, usedBefore: ReadonlySet<string>): void {
  for (const name of usedBefore) {
    const found = specifierOf(files, file, name);
    if (found === undefined || usedImports(files, file).has(name)) continue;
    const text = files.text(file) ?? "";
    files.set(file, applySplices(text, withoutSpecifier(files, file, found)));
  }
}

/** The imported names that `file` uses. */
export function usedImports(files: SourceFiles, file: string): ReadonlySet<string> {
  const body = files.syntax(file)?.body ?? [];
  const imports = body.filter(({ type }) => type === "ImportDeclaration");
  const names = new Set(
    imports
      .flatMap((statement) => nodesIn(statement, "specifiers"))
      .map((specifier) => nameOf(nodeIn(specifier, "local")) ?? ""),
  );
  const used = body
    .filter((statement) => !imports.includes(statement))
    .flatMap((statement) => [...walk(statement)])
    .filter(({ type }) => type === "Identifier")
    .map((node) => nameOf(node) ?? "");
  return new Set(used.filter((name) => names.has(name)));
}

interface FoundSpecifier {
  readonly statement: SyntaxNode;
  readonly specifier: SyntaxNode;
}

function specifierOf(files: SourceFiles, file: string, name: string): FoundSpecifier | undefined {
  for (const statement of files.syntax(file)?.body ?? []) {
    if (statement.type !== "ImportDeclaration") continue;
    const specifier = nodesIn(statement, "specifiers").find(
      (specifier) => nameOf(nodeIn(specifier, "local")) === name,
    );
    if (specifier !== undefined) return { statement, specifier };
  }
  return undefined;
}

/** A statement that imports nothing else is removed as a whole. A comment above it may be about the file, and stays. */
function withoutSpecifier(
  files: SourceFiles,
  file: string,
  { statement, specifier }: FoundSpecifier,
): readonly Splice[] {
  const text = files.text(file) ?? "";
  const all = nodesIn(statement, "specifiers");
  if (all.length === 1) {
    const rest = /^[^\S\n]*\n?/.exec(text.slice(statement.end))?.[0] ?? "";
    return [{ start: statement.start, end: statement.end + rest.length, text: "" }];
  }
  const items = all.filter(({ type }) => type === "ImportSpecifier");
  const first = items[0];
  // A default import, or a namespace, beside others: it does no harm.
  if (first === undefined || !items.includes(specifier)) return [];
  const open = text.lastIndexOf("{", first.start) + 1;
  const close = text.indexOf("}", items.at(-1)?.end ?? first.end);
  if (items.length === 1) {
    const before = all.find((other) => other !== specifier);
    return before === undefined ? [] : [{ start: before.end, end: close + 1, text: "" }];
  }
  const comments = files.syntax(file)?.comments ?? [];
  return removeItem(text, { open, close, items, comments, spaced: true }, specifier);
}
