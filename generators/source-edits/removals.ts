/** Takes away what an edit leaves without use: properties, constants and imports. */
import type { Brackets } from "./append-item.js";
import { declarationOf, type Spot } from "./bindings.js";
import { commentsOf, withoutItem } from "./remove-item.js";
import type { SourceFiles } from "./source-files.js";
import { type Splice, spliced } from "./splices.js";
import { nameOf, nodeIn, nodesIn, type SyntaxNode, walk } from "./syntax.js";

/** The property `name` that the object at `spot` writes itself; what is spread into it is not its own. */
export function ownProperty({ node }: Spot, name: string): SyntaxNode | undefined {
  const same = nodesIn(node, "properties").filter(
    (one) => one.type === "ObjectProperty" && one["computed"] !== true && nameOf(nodeIn(one, "key")) === name,
  );
  return same.length === 1 ? same[0] : undefined;
}

/** The comments that go with a property when it goes. */
export function propertyComments(
  files: SourceFiles,
  spot: Spot,
  property: SyntaxNode,
): readonly SyntaxNode[] {
  return commentsOf(files.text(spot.file) ?? "", bracketsOf(files, spot), property);
}

/** Takes a property, with its comma and its comments, out of the object at `spot`. */
export function removeProperty(files: SourceFiles, spot: Spot, property: SyntaxNode): void {
  const text = files.text(spot.file) ?? "";
  files.set(spot.file, spliced(text, withoutItem(text, bracketsOf(files, spot), property)));
}

/** Takes away the statement that declares the constant `name` alone, with the comments right above it. */
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
  files.set(file, spliced(text, [{ start, end: statement.end + rest.length, text: "" }]));
}

/** Takes away the imported names of `file` that `before`, its text until now, used, and that nothing uses any more. */
export function removeUnusedImports(files: SourceFiles, file: string, usedBefore: ReadonlySet<string>): void {
  for (const name of usedBefore) {
    const found = specifierOf(files, file, name);
    if (found === undefined || usedImports(files, file).has(name)) continue;
    const text = files.text(file) ?? "";
    files.set(file, spliced(text, withoutSpecifier(files, file, found)));
  }
}

/** The imported names that `file` uses. */
export function usedImports(files: SourceFiles, file: string): ReadonlySet<string> {
  const body = files.syntax(file)?.body ?? [];
  const imports = body.filter(({ type }) => type === "ImportDeclaration");
  const names = new Set(
    imports.flatMap((one) => nodesIn(one, "specifiers")).map((one) => nameOf(nodeIn(one, "local")) ?? ""),
  );
  const used = body
    .filter((one) => !imports.includes(one))
    .flatMap((one) => [...walk(one)])
    .filter(({ type }) => type === "Identifier")
    .map((one) => nameOf(one) ?? "");
  return new Set(used.filter((name) => names.has(name)));
}

interface FoundSpecifier {
  readonly statement: SyntaxNode;
  readonly specifier: SyntaxNode;
}

function specifierOf(files: SourceFiles, file: string, name: string): FoundSpecifier | undefined {
  for (const statement of files.syntax(file)?.body ?? []) {
    if (statement.type !== "ImportDeclaration") continue;
    const specifier = nodesIn(statement, "specifiers").find((one) => nameOf(nodeIn(one, "local")) === name);
    if (specifier !== undefined) return { statement, specifier };
  }
  return undefined;
}

/** A statement that brings nothing else goes as a whole; what is said above it may be about the file, and stays. */
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
    const before = all.find((one) => one !== specifier);
    return before === undefined ? [] : [{ start: before.end, end: close + 1, text: "" }];
  }
  const comments = files.syntax(file)?.comments ?? [];
  return withoutItem(text, { open, close, items, comments, spaced: true }, specifier);
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
