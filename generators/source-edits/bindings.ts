/** What names of a module stand for: constants, imports and exports, through the files of the project. */
import type { SourceFiles } from "./source-files.js";
import { nameOf, nodeIn, nodesIn, type SyntaxNode, textIn, unwrapped } from "./syntax.js";

/** A node and the file that it stands in. */
export interface Spot {
  readonly file: string;
  readonly node: SyntaxNode;
}

/** What the expression at `spot` stands for, through `as`, constants, imports and re-exports; else itself. */
export function resolved(files: SourceFiles, spot: Spot, seen: ReadonlySet<string> = new Set()): Spot {
  const node = unwrapped(spot.node);
  const here = { file: spot.file, node };
  const id = `${spot.file}:${node.start}`;
  const next = seen.has(id) ? undefined : meaningOf(files, here);
  return next === undefined ? here : resolved(files, next, new Set([...seen, id]));
}

/** What the file exports as `name`, unresolved. */
export function exported(
  files: SourceFiles,
  file: string,
  name: string,
  seen: ReadonlySet<string> = new Set(),
): Spot | undefined {
  if (seen.has(file)) return undefined;
  const within = new Set([...seen, file]);
  for (const statement of files.syntax(file)?.body ?? []) {
    const found = exportIn(files, file, statement, name, within);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Names that the file exports; those of `export *` too. */
export function exportedNames(
  files: SourceFiles,
  file: string,
  seen: ReadonlySet<string> = new Set(),
): readonly string[] {
  if (seen.has(file)) return [];
  const within = new Set([...seen, file]);
  return (files.syntax(file)?.body ?? []).flatMap((statement): readonly string[] => {
    if (statement.type === "ExportDefaultDeclaration") return ["default"];
    if (statement.type === "ExportAllDeclaration") {
      const target = files.resolve(file, nameOf(nodeIn(statement, "source")) ?? "");
      return target === undefined ? [] : exportedNames(files, target, within);
    }
    if (statement.type !== "ExportNamedDeclaration") return [];
    const own = nodeIn(statement, "declaration");
    const names = nodesIn(statement, "specifiers").map((one) => nameOf(nodeIn(one, "exported")) ?? "");
    return [...(own === undefined ? [] : declaredNames(own)), ...names];
  });
}

/** Every name that is bound at the top level of the file. */
export function boundNames(files: SourceFiles, file: string): ReadonlySet<string> {
  const names = (files.syntax(file)?.body ?? []).flatMap((statement) => {
    if (statement.type === "ImportDeclaration")
      return nodesIn(statement, "specifiers").map((one) => nameOf(nodeIn(one, "local")) ?? "");
    const declaration = statement.type.startsWith("Export") ? nodeIn(statement, "declaration") : statement;
    return declaration === undefined ? [] : declaredNames(declaration);
  });
  return new Set(names);
}

/** The top-level statement that declares `name`. */
export function declarationOf(files: SourceFiles, file: string, name: string): SyntaxNode | undefined {
  return files.syntax(file)?.body.find((statement) => {
    const declaration = statement.type.startsWith("Export") ? nodeIn(statement, "declaration") : statement;
    return declaration !== undefined && declaredNames(declaration).includes(name);
  });
}

/** The name that `callee` is exported under where it comes from: `dc` is `defineConnector` after an import. */
export function calleeName(files: SourceFiles, { file, node }: Spot): string | undefined {
  const callee = node.type === "CallExpression" ? nodeIn(node, "callee") : undefined;
  if (callee?.type === "MemberExpression") return nameOf(nodeIn(callee, "property"));
  const name = callee?.type === "Identifier" ? nameOf(callee) : undefined;
  return name === undefined ? undefined : (importOf(files, file, name)?.imported ?? name);
}

/** One step: from a name, or a member of a namespace, to what it was set to. */
function meaningOf(files: SourceFiles, { file, node }: Spot): Spot | undefined {
  if (node.type === "Identifier") return bound(files, file, nameOf(node) ?? "");
  const namespace = node.type === "MemberExpression" ? nodeIn(node, "object") : undefined;
  const from = namespace?.type === "Identifier" ? importOf(files, file, nameOf(namespace) ?? "") : undefined;
  if (from?.imported !== "*" || from.target === undefined) return undefined;
  return exported(files, from.target, nameOf(nodeIn(node, "property")) ?? "");
}

function bound(files: SourceFiles, file: string, name: string): Spot | undefined {
  for (const statement of files.syntax(file)?.body ?? []) {
    const declaration =
      statement.type === "ExportNamedDeclaration" ? nodeIn(statement, "declaration") : statement;
    const init = declaration && initializer(declaration, name);
    if (init !== undefined) return { file, node: init };
  }
  const from = importOf(files, file, name);
  if (from?.target === undefined || from.imported === "*") return undefined;
  return exported(files, from.target, from.imported);
}

interface Import {
  readonly target: string | undefined;
  /** `default`, `*`, or the name in the other module. */
  readonly imported: string;
}

function importOf(files: SourceFiles, file: string, local: string): Import | undefined {
  for (const statement of files.syntax(file)?.body ?? []) {
    if (statement.type !== "ImportDeclaration") continue;
    const found = nodesIn(statement, "specifiers").find((one) => nameOf(nodeIn(one, "local")) === local);
    if (found === undefined) continue;
    const target = files.resolve(file, nameOf(nodeIn(statement, "source")) ?? "");
    if (found.type === "ImportNamespaceSpecifier") return { target, imported: "*" };
    return { target, imported: nameOf(nodeIn(found, "imported")) ?? "default" };
  }
  return undefined;
}

function exportIn(
  files: SourceFiles,
  file: string,
  statement: SyntaxNode,
  name: string,
  seen: ReadonlySet<string>,
): Spot | undefined {
  const source = nameOf(nodeIn(statement, "source"));
  const target = source === undefined ? undefined : files.resolve(file, source);
  const declaration = nodeIn(statement, "declaration");
  if (statement.type === "ExportAllDeclaration") {
    return target === undefined ? undefined : exported(files, target, name, seen);
  }
  if (declaration !== undefined) {
    const isDefault = statement.type === "ExportDefaultDeclaration";
    const node = isDefault ? name === "default" && declaration : initializer(declaration, name);
    return node ? { file, node } : undefined;
  }
  const one = nodesIn(statement, "specifiers").find((each) => nameOf(nodeIn(each, "exported")) === name);
  const local = one && nodeIn(one, "local");
  if (local === undefined) return undefined;
  if (source === undefined) return { file, node: local };
  return target === undefined ? undefined : exported(files, target, nameOf(local) ?? "", seen);
}

function initializer(declaration: SyntaxNode, name: string): SyntaxNode | undefined {
  const found = nodesIn(declaration, "declarations").find((one) => nameOf(nodeIn(one, "id")) === name);
  return found && nodeIn(found, "init");
}

function declaredNames(declaration: SyntaxNode): readonly string[] {
  if (declaration.type === "VariableDeclaration") {
    return nodesIn(declaration, "declarations").map((one) => nameOf(nodeIn(one, "id")) ?? "");
  }
  const name = textIn(nodeIn(declaration, "id"), "name");
  return name === undefined ? [] : [name];
}
