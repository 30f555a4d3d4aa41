/** The edits: each changes one place of one file, or says what is to be written by hand. */
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { propertyKey, stringLiteral } from "../typescript/literals.js";
import { importAs, localNames, type NewImport } from "./add-import.js";
import { appendedItem, type Brackets } from "./append-item.js";
import { declarationOf, type Spot } from "./bindings.js";
import { endWithRemark } from "./import-style.js";
import { type Lost, locate, type Start, type Steps } from "./places.js";
import type { SourceFiles } from "./source-files.js";
import { lineEndingAt, spliced } from "./splices.js";
import { nameOf, nodeIn, nodesIn, unwrapped } from "./syntax.js";

/** Where an edit is made, as {@link locate} looks for it. */
export interface EditPlace {
  readonly start: Start;
  readonly steps: Steps;
}

/** The file that was changed, or that had it already; else why nothing was, and what to write by hand. */
export type Edit =
  | { readonly file: string; readonly changed: boolean; readonly problem?: undefined }
  | { readonly problem: Diagnostic };

/** Code, and what it must import: `code` is given the names of `imports` in the file that it comes to stand in. */
export interface NewCode {
  readonly imports: readonly NewImport[];
  readonly code: (...names: readonly string[]) => string;
  /** Comments that stand above it, where it is a property. */
  readonly above?: readonly string[];
}

/** A name from another module, as code. */
export function imported(name: string, from: NewImport["from"]): NewCode {
  return { imports: [{ name, from }], code: (local = name) => local };
}

/** Appends `element` to the list at `place`, unless it stands there; a list that is missing is made. */
export function appendElement(files: SourceFiles, place: EditPlace, element: NewCode): Edit {
  const found = locate(files, place.start, place.steps);
  const name = String(place.steps.at(-1) ?? "");
  const byName = element.code(...element.imports.map((one) => one.name));
  if (found.spot === undefined) {
    return found.holder === undefined
      ? byHand(found, `add ${byName} to "${name}"`)
      : append(files, found.holder, element, (code) => `${name}: [${code}]`);
  }
  const { file, node } = found.spot;
  const items = nodesIn(node, "elements");
  const list = node["elements"];
  if (node.type !== "ArrayExpression" || (Array.isArray(list) && list.length !== items.length)) {
    return byHand({ file, reason: `"${name}" is not written as a plain list` }, `add ${byName} to "${name}"`);
  }
  const code = element.code(...localNames(files, file, element.imports));
  if (items.some((item) => nameOf(unwrapped(item)) === code)) return { file, changed: false };
  return append(files, found.spot, element);
}

/** Adds a property to the object at `place`; one of the same name must not be there. */
export function addProperty(files: SourceFiles, place: EditPlace, key: string, value: NewCode): Edit {
  const property = (code: string) => (code === key ? key : `${propertyKey(key)}: ${code}`);
  const byName = property(value.code(...value.imports.map((one) => one.name)));
  const found = locate(files, place.start, place.steps);
  const name = place.steps.at(-1);
  if (found.spot === undefined) return byHand(found, `add the property ${byName}`);
  const { file, node } = found.spot;
  if (node.type !== "ObjectExpression") {
    const what = typeof name === "string" ? `"${name}"` : "the value";
    return byHand({ file, reason: `${what} is not written as a plain object` }, `add the property ${byName}`);
  }
  if (nodesIn(node, "properties").some((one) => nameOf(nodeIn(one, "key")) === key)) {
    return byHand({ file, reason: `there is a "${key}" already` }, `write the property ${byName}`);
  }
  return append(files, found.spot, value, property);
}

/** Replaces what the string literal at `place` says; its quotes stay. */
export function replaceString(files: SourceFiles, place: EditPlace, content: string): Edit {
  const found = locate(files, place.start, place.steps);
  const literal = stringLiteral(content);
  if (found.spot === undefined) return byHand(found, `write ${literal}`);
  const { file, node } = found.spot;
  const text = files.text(file) ?? "";
  if (node.type !== "StringLiteral") {
    return byHand({ file, reason: `"${place.steps.at(-1)}" is not written as a string` }, `write ${literal}`);
  }
  const code = text[node.start] === "'" ? singleQuoted(literal) : literal;
  files.set(file, spliced(text, [{ start: node.start, end: node.end, text: code }]));
  return { file, changed: files.text(file) !== text };
}

/** Adds a statement behind the constant `after`, or at the end of the file; an empty line stands between. */
export function addStatement(files: SourceFiles, file: string, statement: NewCode, after?: string): Edit {
  const text = files.text(file);
  const syntax = files.syntax(file);
  const code = statement.code(...localNames(files, file, statement.imports)).trimEnd();
  if (text === undefined || syntax === undefined) {
    return byHand({ file, reason: "it can't be read as a module" }, `add the statement ${code}`);
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

/** Appends to the object or list at `spot`; `around` makes the item of the code. */
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
  const item = commented(text, list, code.above, own);
  return write(files, file, code, spliced(text, appendedItem(text, list, item)));
}

/** The item below its comments; between brackets on one line all of it stands on that line. */
function commented(
  text: string,
  { open, close, items }: Brackets,
  above: readonly string[] | undefined,
  item: string,
): string {
  if (above === undefined) return item;
  if (items.length === 0 || text.slice(open, close).includes("\n")) return [...above, item].join("\n");
  const remarks = above.map((one) => one.replace(/^\/\/\s*(.*?)\s*$/, "/* $1 */"));
  return [...remarks, item.replace(/,\n\s*([}\])])/g, " $1")].join(" ").replace(/\s*\n\s*/g, " ");
}

/** The names are found before the text changes, the imports are added after it: spots stay right until then. */
function write(files: SourceFiles, file: string, { imports }: NewCode, text: string): Edit {
  const names = localNames(files, file, imports);
  files.set(file, text);
  for (const [index, one] of imports.entries()) importAs(files, file, one, names[index] ?? one.name);
  return { file, changed: true };
}

function byHand({ file, reason }: Pick<Lost, "file" | "reason">, line: string): Edit {
  return { problem: diagnostic("edit-by-hand", { file }, { path: file, reason, line }) };
}

/** The same string between single quotes. */
function singleQuoted(literal: string): string {
  const content = literal.slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'");
  return `'${content}'`;
}
