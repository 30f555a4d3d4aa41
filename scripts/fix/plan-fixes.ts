/** Which findings can be fixed, and the changed sources: what is not plainly written is left alone. */
import path from "node:path";
import { importAs, localNames } from "../../generators/source-edits/add-import.js";
import type { SourceFiles } from "../../generators/source-edits/index.js";
import { type Splice, spliced } from "../../generators/source-edits/splices.js";
import { nameOf, nodeIn, type Syntax, type SyntaxNode, walk } from "../../generators/source-edits/syntax.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { FIXES } from "./fixes.js";

const VOCABULARY = "connectorcli";

/** Changes `files` by every fix that is plain and does not touch another's place; gives the findings that were fixed. */
export function planFixes(
  findings: readonly Diagnostic[],
  model: ConnectorModel,
  files: SourceFiles,
  root: string,
): readonly Diagnostic[] {
  const byFile = new Map<string, Diagnostic[]>();
  for (const found of findings) {
    if (found.file === undefined || found.silenced !== undefined || FIXES[found.code] === undefined) continue;
    const name = path.relative(root, found.file).split(path.sep).join("/");
    byFile.set(name, [...(byFile.get(name) ?? []), found]);
  }
  return [...byFile].flatMap(([name, list]) => fixFile(name, list, model, files));
}

function fixFile(
  name: string,
  findings: readonly Diagnostic[],
  model: ConnectorModel,
  files: SourceFiles,
): readonly Diagnostic[] {
  const text = files.text(name);
  const syntax = files.syntax(name);
  // Decorations of another tool, links out of the project and broken modules are not touched.
  if (text === undefined || syntax === undefined || name.startsWith("..")) return [];
  const splices: Splice[] = [];
  const fixed: Diagnostic[] = [];
  let needsNullable = false;
  for (const found of findings) {
    const property = propertyAt(text, syntax, found);
    const edit = property && FIXES[found.code]?.({ found, model, text, syntax, property });
    if (edit === undefined || edit.splices.some((one) => splices.some((other) => touch(one, other))))
      continue;
    splices.push(...edit.splices);
    fixed.push(found);
    needsNullable ||= edit.imports === "Nullable";
  }
  // A name that would have to be imported under another one is left to the author.
  const nullable = { name: "Nullable", from: { package: VOCABULARY } };
  if (needsNullable && localNames(files, name, [nullable])[0] !== "Nullable") return [];
  if (splices.length === 0) return [];
  files.set(name, spliced(text, splices));
  if (needsNullable) importAs(files, name, nullable, "Nullable");
  return fixed;
}

/** The property that begins at the place of the finding, where it is the one that the finding speaks of. */
function propertyAt(text: string, { program }: Syntax, found: Diagnostic): SyntaxNode | undefined {
  const offset = offsetOf(text, found.line ?? 0, found.column ?? 0);
  const property = [...walk(program)].find((node) => node.start === offset && node.type === "ObjectProperty");
  const isKey = found.code.startsWith("key-");
  const isInside = /\/(?:items|additionalProperties|anyOf|\$defs)(?:\/|$)/.test(lastOf(found.pointer ?? ""));
  const name = property && nameOf(nodeIn(property, "key"));
  if (property === undefined || isKey) return property;
  return !isInside && found.message.includes(`"${name}" of `) ? property : undefined;
}

/** What of a pointer comes behind the last property. */
function lastOf(pointer: string): string {
  const at = pointer.lastIndexOf("/properties/");
  return at === -1 ? pointer : pointer.slice(at).replace(/^\/properties\/[^/]*/, "");
}

function offsetOf(text: string, line: number, column: number): number {
  const ends = [...text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)];
  const previous = ends[line - 2];
  const start = line === 1 ? 0 : previous === undefined ? -1 : previous.index + previous[0].length;
  return start === -1 ? -1 : start + column - 1;
}

function touch(one: Splice, other: Splice): boolean {
  return one.start <= other.end && other.start <= one.end;
}
