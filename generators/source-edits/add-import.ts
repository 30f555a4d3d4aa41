/** Adds a name to the imports of a module, in the manner of those that are there. */
import { posix } from "node:path";
import { unique } from "../../schemas/naming/identifiers.js";
import { appendedItem, type Brackets } from "./append-item.js";
import { boundNames } from "./bindings.js";
import { importPlace, importStyle } from "./import-style.js";
import type { SourceFiles } from "./source-files.js";
import { inserted, lineEndingAt, type Splice, spliced } from "./splices.js";
import { nameOf, nodeIn, nodesIn, type Syntax, type SyntaxNode, textIn } from "./syntax.js";

export interface NewImport {
  readonly name: string;
  /** A file of the project, `schemas/app/module.ts`, or a package, `connectorcli`. */
  readonly from: { readonly file: string } | { readonly package: string };
  /** Whether only its type is used. */
  readonly typeOnly?: boolean;
}

/**
 * Imports `name` into `file`, a module that can be read, and gives the name that it has there: its own, that of an
 * import that is there already, or another where its own is taken.
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
    if (isHere(file, wanted)) return wanted.name;
    const same = importsOf(files, file).filter((one) => isFrom(files, file, one, wanted));
    return presentName(same, wanted) ?? unique(wanted.name, taken);
  });
}

/** Imports `wanted` under the name that {@link localNames} gave. */
export function importAs(files: SourceFiles, file: string, wanted: NewImport, local: string): void {
  const syntax = files.syntax(file);
  const text = files.text(file);
  if (syntax === undefined || text === undefined || isHere(file, wanted)) return;
  const same = importsOf(files, file).filter((one) => isFrom(files, file, one, wanted));
  if (presentName(same, wanted) !== undefined) return;
  const named = local === wanted.name ? local : `${wanted.name} as ${local}`;
  const typeOnly = wanted.typeOnly === true;
  const merged = same.map((one) => mergedInto(text, syntax, one, { named, typeOnly })).find(Boolean);
  files.set(file, spliced(text, merged ?? [ownStatement(text, syntax, named, { ...wanted, file })]));
}

function isHere(file: string, { from }: NewImport): boolean {
  return "file" in from && from.file === file;
}

function importsOf(files: SourceFiles, file: string): readonly SyntaxNode[] {
  return (files.syntax(file)?.body ?? []).filter(({ type }) => type === "ImportDeclaration");
}

function presentName(imports: readonly SyntaxNode[], { name, typeOnly }: NewImport): string | undefined {
  for (const one of imports) {
    const found = nodesIn(one, "specifiers").find((each) => nameOf(nodeIn(each, "imported")) === name);
    if (found !== undefined && (typeOnly === true || !(isType(one) || isType(found)))) {
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

/** The splices that put the name into `statement`, where its form allows it. */
function mergedInto(
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
  const head = visible(text, comments, other?.end ?? statement.start, end);
  const open = head.indexOf("{");
  if (open !== -1) {
    const offset = other?.end ?? statement.start;
    const brackets = { open: offset + open + 1, close: offset + head.lastIndexOf("}"), items, comments };
    return insertedInOrder(text, brackets, item) ?? appendedItem(text, { ...brackets, spaced: true }, item);
  }
  // `import type A, { B }` is not a form of the language.
  return other === undefined || isType(statement) ? undefined : [inserted(other.end, `, { ${item} }`)];
}

/** Before the first name that comes after it in the alphabet, where all are sorted and nothing is said of them. */
function insertedInOrder(
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
  return [inserted(next.start, `${item},${gap}`)];
}

function sortKey(name: string): string {
  return name.replace(/^type /, "").toLowerCase();
}

function ownStatement(
  text: string,
  syntax: Syntax,
  named: string,
  { from, typeOnly, file }: NewImport & { readonly file: string },
): Splice {
  const { quote, semicolon, extension } = importStyle(text, syntax);
  const specifier = "package" in from ? from.package : relativeSpecifier(file, from.file, extension);
  const code = `import ${typeOnly === true ? "type " : ""}{ ${named} } from ${quote}${specifier}${quote}${semicolon}`;
  const { at, before, after } = importPlace(text, syntax);
  return inserted(at, `${before}${code}${after}`);
}

/** `./employee.js`, `../shared.js`: how a module of the project names another. */
function relativeSpecifier(from: string, to: string, extension: string): string {
  const relative = posix.relative(posix.dirname(from), to);
  const path = relative.startsWith(".") ? relative : `./${relative}`;
  if (extension === "") return stem(path);
  return extension === ".ts" ? path : path.replace(/\.(m?)ts$/, ".$1js");
}

/** `text` from `start` to `end` with blanks in place of comments. */
function visible(text: string, comments: readonly SyntaxNode[], start: number, end: number): string {
  let result = text.slice(0, end);
  for (const comment of comments.filter((one) => one.end <= end)) {
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
