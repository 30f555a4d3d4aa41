/** The edits: each changes one place of one file, or says what is to be written by hand. */
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { propertyKey, stringLiteral } from "../typescript/literals.js";
import { declarationOf, locate, type NotLocated, type Spot, type Start, type Steps } from "./find-code.js";
import {
  endWithRemark,
  importAs,
  localNames,
  type NewImport,
  removeUnusedImports,
  usedImports,
} from "./imports.js";
import { appendItem, type Brackets, commentsOf, removeItem } from "./list-items.js";
import type { SourceFiles } from "./source-files.js";
import { applySplices, lineEndingAt } from "./splices.js";
import { nameOf, nodeIn, nodesIn, type SyntaxNode, unwrap } from "./syntax.js";

/** Where an edit is made, as {@link locate} looks for it. */
export interface EditPlace {
  readonly start: Start;
  readonly steps: Steps;
}

/** The file that was changed, or that had the code already; or a finding that says what to write by hand. */
export type Edit =
  | { readonly file: string; readonly changed: boolean; readonly problem?: undefined }
  | { readonly problem: Diagnostic };

/** Code with its imports. `code` is called with the names that `imports` have in the file. */
export interface NewCode {
  readonly imports: readonly NewImport[];
  readonly code: (...names: readonly string[]) => string;
  /** Comments above it, if it is a property. */
  readonly above?: readonly string[];
}

/** A name from another module, as code. */
export function importedName(name: string, from: NewImport["from"]): NewCode {
  return { imports: [{ name, from }], code: (local = name) => local };
}

/** Appends `element` to the list at `place`, unless the list has it. A missing list is made. */
export function appendElement(files: SourceFiles, place: EditPlace, element: NewCode): Edit {
  const found = locate(files, place.start, place.steps);
  const name = String(place.steps.at(-1) ?? "");
  const byName = element.code(...element.imports.map(({ name }) => name));
  if (found.spot === undefined) {
    return found.holder === undefined
      ? manualEdit(found, `add ${byName} to "${name}"`)
      : append(files, found.holder, element, (code) => `${name}: [${code}]`);
  }
  const { file, node } = found.spot;
  const items = nodesIn(node, "elements");
  const list = node["elements"];
  if (node.type !== "ArrayExpression" || (Array.isArray(list) && list.length !== items.length)) {
    return manualEdit(
      { file, reason: `"${name}" is not written as a plain list` },
      `add ${byName} to "${name}"`,
    );
  }
  const code = element.code(...localNames(files, file, element.imports));
  if (items.some((item) => nameOf(unwrap(item)) === code)) return { file, changed: false };
  return append(files, found.spot, element);
}

/** Adds a property to the object at `place`. A property of the same name is a problem. */
export function addProperty(files: SourceFiles, place: EditPlace, key: string, value: NewCode): Edit {
  const property = (code: string) => (code === key ? key : `${propertyKey(key)}: ${code}`);
  const byName = property(value.code(...value.imports.map(({ name }) => name)));
  const found = locate(files, place.start, place.steps);
  const name = place.steps.at(-1);
  if (found.spot === undefined) return manualEdit(found, `add the property ${byName}`);
  const { file, node } = found.spot;
  if (node.type !== "ObjectExpression") {
    const what = typeof name === "string" ? `"${name}"` : "the value";
    return manualEdit(
      { file, reason: `${what} is not written as a plain object` },
      `add the property ${byName}`,
    );
  }
  if (nodesIn(node, "properties").some((property) => nameOf(nodeIn(property, "key")) === key)) {
    return manualEdit({ file, reason: `there is a "${key}" already` }, `write the property ${byName}`);
  }
  return append(files, found.spot, value, property);
}

/** Replaces the content of the string literal at `place`. Its quotes stay. */
export function replaceString(files: SourceFiles, place: EditPlace, content: string): Edit {
  const found = locate(files, place.start, place.steps);
  const literal = stringLiteral(content);
  if (found.spot === undefined) return manualEdit(found, `write ${literal}`);
  const { file, node } = found.spot;
  const text = files.text(file) ?? "";
  if (node.type !== "StringLiteral") {
    return manualEdit(
      { file, reason: `"${place.steps.at(-1)}" is not written as a string` },
      `write ${literal}`,
    );
  }
  const code = text[node.start] === "'" ? toSingleQuotes(literal) : literal;
  files.set(file, applySplices(text, [{ start: node.start, end: node.end, text: code }]));
  return { file, changed: files.text(file) !== text };
}

/** Writes `code` in place of the only call of a function. Imports that nothing uses any more are taken away. */
export function replaceCall(files: SourceFiles, start: Start, code: NewCode): Edit {
  const found = locate(files, start);
  const byName = code.code(...code.imports.map(({ name }) => name));
  if (found.spot === undefined) return manualEdit(found, `write ${byName}`);
  const { file, node } = found.spot;
  const text = files.text(file) ?? "";
  const used = usedImports(files, file);
  const own = code
    .code(...localNames(files, file, code.imports))
    .replace(/\n/g, lineEndingAt(text, node.start));
  const edit = write(
    files,
    file,
    code,
    applySplices(text, [{ start: node.start, end: node.end, text: own }]),
  );
  removeUnusedImports(files, file, used);
  return edit;
}

/** Adds a statement after the constant `after`, or at the end of the file, with an empty line between. */
export function addStatement(files: SourceFiles, file: string, statement: NewCode, after?: string): Edit {
  const text = files.text(file);
  const syntax = files.syntax(file);
  const code = statement.code(...localNames(files, file, statement.imports)).trimEnd();
  if (text === undefined || syntax === undefined) {
    return manualEdit({ file, reason: "it can't be read as a module" }, `add the statement ${code}`);
  }
  const before = after === undefined ? undefined : declarationOf(files, file, after);
  const end = before === undefined ? text.trimEnd().length : endWithRemark(text, syntax.comments, before.end);
  const eol = lineEndingAt(text, end);
  const gap = end === 0 ? "" : eol + eol;
  const behind = text.slice(end);
  const isCrowded = /^[^\S\n]*\n[^\S\n]*\S/.test(behind);
  const rest = behind === "" || isCrowded ? `${eol}${behind}` : behind;
  return write(files, file, statement, `${text.slice(0, end)}${gap}${code.replace(/\n/g, eol)}${rest}`);
}

/** Appends to the object or list at `spot`. @param around Makes the item from the code. */
function append(
  files: SourceFiles,
  { file, node }: Spot,
  code: NewCode,
  around: (code: string) => string = (own) => own,
): Edit {
  const text = files.text(file) ?? "";
  const isObject = node.type === "ObjectExpression";
  const list: Brackets = {
    open: node.start + 1,
    close: node.end - 1,
    items: nodesIn(node, isObject ? "properties" : "elements"),
    comments: files.syntax(file)?.comments ?? [],
    spaced: isObject,
  };
  const own = around(code.code(...localNames(files, file, code.imports)));
  const item = withComments(text, list, code.above, own);
  return write(files, file, code, applySplices(text, appendItem(text, list, item)));
}

/** The item below its comments. In a list on one line, all of it goes onto that line. */
function withComments(
  text: string,
  { open, close, items }: Brackets,
  above: readonly string[] | undefined,
  item: string,
): string {
  if (above === undefined) return item;
  if (items.length === 0 || text.slice(open, close).includes("\n")) return [...above, item].join("\n");
  const remarks = above.map((comment) => comment.replace(/^\/\/\s*(.*?)\s*$/, "/* $1 */"));
  return [...remarks, item.replace(/,\n\s*([}\])])/g, " $1")].join(" ").replace(/\s*\n\s*/g, " ");
}

/** Names are looked up before the text changes, and imports added after it: offsets stay right until then. */
function write(files: SourceFiles, file: string, { imports }: NewCode, text: string): Edit {
  const names = localNames(files, file, imports);
  files.set(file, text);
  for (const [index, wanted] of imports.entries()) importAs(files, file, wanted, names[index] ?? wanted.name);
  return { file, changed: true };
}

function manualEdit({ file, reason }: Pick<NotLocated, "file" | "reason">, line: string): Edit {
  return { problem: diagnostic("edit-by-hand", { file }, { path: file, reason, line }) };
}

/** The same string between single quotes. */
function toSingleQuotes(literal: string): string {
  const content = literal.slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'");
  return `'${content}'`;
}

/** The property `name` that is written in the object at `spot` itself, once; undefined otherwise. */
export function ownProperty({ node }: Spot, name: string): SyntaxNode | undefined {
  const same = nodesIn(node, "properties").filter(
    (property) =>
      property.type === "ObjectProperty" &&
      property["computed"] !== true &&
      nameOf(nodeIn(property, "key")) === name,
  );
  return same.length === 1 ? same[0] : undefined;
}

/** Whether the object at `spot`, or one that is spread into it, has the property `name`, in whatever form. */
export function hasProperty(files: SourceFiles, spot: Spot, name: string): boolean {
  if (locate(files, spot, [name]).spot !== undefined) return true;
  return nodesIn(spot.node, "properties").some((property) => nameOf(nodeIn(property, "key")) === name);
}

/** The comments that belong to a property, and are removed with it. */
export function propertyComments(
  files: SourceFiles,
  spot: Spot,
  property: SyntaxNode,
): readonly SyntaxNode[] {
  return commentsOf(files.text(spot.file) ?? "", bracketsOf(files, spot), property);
}

/** Removes a property, with its comma and its comments, from the object at `spot`. */
export function removeProperty(files: SourceFiles, spot: Spot, property: SyntaxNode): void {
  const text = files.text(spot.file) ?? "";
  files.set(spot.file, applySplices(text, removeItem(text, bracketsOf(files, spot), property)));
}

/** Removes the statement that declares the constant `name`, with the comments right above it. */
export function removeConstant(files: SourceFiles, file: string, name: string): void {
  const statement = declarationOf(files, file, name);
  const text = files.text(file) ?? "";
  if (statement === undefined) return;
  let { start } = statement;
  for (const comment of [...(files.syntax(file)?.comments ?? [])].reverse()) {
    const isNear = comment.end <= start && /^[^\S\n]*\n?[^\S\n]*$/.test(text.slice(comment.end, start));
    if (isNear && isLineStart(text, comment.start)) start = comment.start;
  }
  const rest = /^[^\S\n]*(?:\n[^\S\n]*(?=\r?\n))?(?:\r?\n)?/.exec(text.slice(statement.end))?.[0] ?? "";
  files.set(file, applySplices(text, [{ start, end: statement.end + rest.length, text: "" }]));
}

function bracketsOf(files: SourceFiles, { file, node }: Spot): Brackets {
  return {
    open: node.start + 1,
    close: node.end - 1,
    items: nodesIn(node, "properties"),
    comments: files.syntax(file)?.comments ?? [],
    spaced: true,
  };
}

function isLineStart(text: string, at: number): boolean {
  return text.slice(text.lastIndexOf("\n", at - 1) + 1, at).trim() === "";
}
