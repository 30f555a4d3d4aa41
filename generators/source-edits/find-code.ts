/** Finds code of an author: what names stand for, through the files of a project; and places, from a call or a constant down through arguments and properties. */
import type { SourceFiles } from "./source-files.js";
import { nameOf, nodeIn, nodesIn, type SyntaxNode, textIn, unwrap, walk } from "./syntax.js";

/** Where a search begins: the only call of a function, a constant, or a place that was found before. */
export type Start =
  | { readonly file: string; readonly call: string }
  | { readonly file: string; readonly constant: string }
  | Spot;

/** Steps from there: arguments of a call and items of a list by number, properties by name. */
export type Steps = readonly (string | number)[];

export interface Located {
  readonly spot: Spot;
}

export interface NotLocated {
  readonly spot?: undefined;
  /** Why nothing was found; the end of a sentence. */
  readonly reason: string;
  /** The file in which the search ended. */
  readonly file: string;
  /** The object that lacks the property, if only the last step is missing. */
  readonly holder?: Spot;
}

/** Finds the expression at `steps` below `start`. Constants, imports and wrappers are followed. */
export function locate(files: SourceFiles, start: Start, steps: Steps = []): Located | NotLocated {
  const begin = startOf(files, start);
  if (begin.spot === undefined) return begin;
  let spot = resolveNode(files, begin.spot);
  for (const [index, step] of steps.entries()) {
    const next = stepFrom(files, spot, step);
    if (next === undefined) {
      const isObject = spot.node.type === "ObjectExpression";
      const reason = isObject
        ? `there is no "${step}"`
        : `what holds "${step}" is not written as a plain ${typeof step === "number" ? "list" : "object"}`;
      const isLast = isObject && index === steps.length - 1;
      return { reason, file: spot.file, ...(isLast && { holder: spot }) };
    }
    spot = resolveNode(files, next);
  }
  return { spot };
}

/** The items of the list at `spot`, each followed to its value. Lists that are spread into it are included. */
export function itemsOf(files: SourceFiles, { file, node }: Spot): readonly Spot[] {
  if (node.type !== "ArrayExpression") return [];
  return nodesIn(node, "elements").flatMap((element): readonly Spot[] => {
    const argument = element.type === "SpreadElement" ? nodeIn(element, "argument") : undefined;
    if (argument !== undefined) return itemsOf(files, resolveNode(files, { file, node: argument }));
    return [resolveNode(files, { file, node: element })];
  });
}

/** The string or number at `steps` below `start`; undefined if it is not written as a literal. */
export function literalAt(files: SourceFiles, start: Start, steps: Steps): string | number | undefined {
  const { spot } = locate(files, start, steps);
  if (spot === undefined) return undefined;
  if (spot.node.type === "TemplateLiteral") {
    const [only, ...others] = nodesIn(spot.node, "quasis");
    const cooked = (only?.["value"] as { cooked?: unknown } | undefined)?.cooked;
    return others.length === 0 && typeof cooked === "string" ? cooked : undefined;
  }
  const value = /^(?:String|Numeric)Literal$/.test(spot.node.type) ? spot.node["value"] : undefined;
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

function startOf(files: SourceFiles, start: Start): Located | NotLocated {
  if ("node" in start) return { spot: start };
  const { file } = start;
  const syntax = files.syntax(file);
  if (syntax === undefined) {
    const state = files.text(file) === undefined ? "there is no such file" : "it has a syntax error";
    return { reason: state, file };
  }
  if ("constant" in start) {
    const node = { type: "Identifier", start: -1, end: -1, name: start.constant };
    const spot = resolveNode(files, { file, node });
    return spot.node === node ? { reason: `there is no constant "${start.constant}"`, file } : { spot };
  }
  return callIn(files, file, syntax.program, start.call);
}

/** The call in the file itself; if it has none, the one that it exports from another file. */
function callIn(files: SourceFiles, file: string, program: SyntaxNode, callee: string): Located | NotLocated {
  const isCall = (spot: Spot) => calleeName(files, spot) === callee;
  const own = [...walk(program)].map((node) => ({ file, node })).filter(isCall);
  const exports = exportNames(files, file)
    .flatMap((name) => exportOf(files, file, name) ?? [])
    .map((spot) => resolveNode(files, spot))
    .filter(isCall);
  const calls = own.length > 0 ? own : exports;
  const [first] = calls;
  if (first === undefined) return { reason: `there is no call of ${callee}`, file };
  if (new Set(calls.map(({ node }) => node)).size > 1) {
    return { reason: `there are several calls of ${callee}`, file };
  }
  return { spot: first };
}

function stepFrom(files: SourceFiles, { file, node }: Spot, step: string | number): Spot | undefined {
  if (typeof step === "number") {
    const list = node.type === "CallExpression" ? "arguments" : "elements";
    const found = nodesIn(node, list)[step];
    return found && { file, node: found };
  }
  return node.type === "ObjectExpression" ? propertyOf(files, { file, node }, step) : undefined;
}

/** The value of a property. The last one of that name counts; objects that are spread into it are included. */
function propertyOf(files: SourceFiles, { file, node }: Spot, name: string): Spot | undefined {
  for (const property of [...nodesIn(node, "properties")].reverse()) {
    if (property.type === "SpreadElement") {
      const argument = nodeIn(property, "argument");
      const spread = argument && resolveNode(files, { file, node: argument });
      const found = spread?.node.type === "ObjectExpression" && propertyOf(files, spread, name);
      if (found) return found;
    } else if (property["computed"] !== true && nameOf(nodeIn(property, "key")) === name) {
      const value = nodeIn(property, "value");
      return value && { file, node: value };
    }
  }
  return undefined;
}

/** The properties of the object at `steps` that say again what an object says that is spread before them. */
export function restatedProperties(
  files: SourceFiles,
  start: Start,
  steps: Steps,
): readonly (Spot & { readonly name: string })[] {
  const { spot } = locate(files, start, steps);
  if (spot?.node.type !== "ObjectExpression") return [];
  const { file } = spot;
  const before: Spot[] = [];
  return nodesIn(spot.node, "properties").flatMap((node) => {
    if (node.type === "SpreadElement") {
      const argument = nodeIn(node, "argument");
      const spread = argument && memberNode(files, { file, node: argument });
      if (spread !== undefined) before.push(spread);
      return [];
    }
    const name = nameOf(nodeIn(node, "key"));
    const value = nodeIn(node, "value");
    if (node["computed"] === true || name === undefined || value === undefined) return [];
    const known = before
      .map((spread) => propertyOf(files, spread, name))
      .findLast((found) => found !== undefined);
    return known !== undefined && isSameCode(unwrap(known.node), unwrap(value)) ? [{ file, node, name }] : [];
  });
}

/** As `resolveNode`, and through a member of an object: `base.properties`. */
function memberNode(files: SourceFiles, spot: Spot): Spot | undefined {
  const resolved = resolveNode(files, spot);
  const { node } = resolved;
  const object = node.type === "MemberExpression" ? nodeIn(node, "object") : undefined;
  if (object === undefined) return resolved.node.type === "ObjectExpression" ? resolved : undefined;
  const holder = resolveNode(files, { file: resolved.file, node: object });
  const name = node["computed"] === true ? undefined : nameOf(nodeIn(node, "property"));
  const found =
    name !== undefined && holder.node.type === "ObjectExpression" && propertyOf(files, holder, name);
  return found ? resolveNode(files, found) : undefined;
}

const PLACES = new Set(["start", "end", "loc", "range", "extra"]);

/** Whether two pieces of code are the same, however they are laid out. */
function isSameCode(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const [left, right] = [membersOf(a), membersOf(b)];
  return (
    left.size === right.size &&
    [...left].every(([name, value]) => right.has(name) && isSameCode(value, right.get(name)))
  );
}

function membersOf(node: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(node).filter(([name, value]) => !PLACES.has(name) && value !== undefined));
}

/** A node and the file that it stands in. */
export interface Spot {
  readonly file: string;
  readonly node: SyntaxNode;
}

/** The value of the expression at `spot`: follows `as`, constants, imports and re-exports. The expression itself if there is nothing to follow. */
export function resolveNode(files: SourceFiles, spot: Spot, seen: ReadonlySet<string> = new Set()): Spot {
  const node = unwrap(spot.node);
  const here = { file: spot.file, node };
  const id = `${spot.file}:${node.start}`;
  const next = seen.has(id) ? undefined : definitionOf(files, here);
  return next === undefined ? here : resolveNode(files, next, new Set([...seen, id]));
}

/** The expression or name that the file exports as `name`; undefined if it exports none. */
export function exportOf(
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

/** Names that the file exports, also through `export *`. */
export function exportNames(
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
      return target === undefined ? [] : exportNames(files, target, within);
    }
    if (statement.type !== "ExportNamedDeclaration") return [];
    const own = nodeIn(statement, "declaration");
    const names = nodesIn(statement, "specifiers").map(
      (specifier) => nameOf(nodeIn(specifier, "exported")) ?? "",
    );
    return [...(own === undefined ? [] : declaredNames(own)), ...names];
  });
}

/** Every name that the file declares or imports at its top level. */
export function boundNames(files: SourceFiles, file: string): ReadonlySet<string> {
  const names = (files.syntax(file)?.body ?? []).flatMap((statement) => {
    if (statement.type === "ImportDeclaration")
      return nodesIn(statement, "specifiers").map((specifier) => nameOf(nodeIn(specifier, "local")) ?? "");
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

/** The exported name of the called function: `defineConnector` for `dc`, if it is imported under that name. */
export function calleeName(files: SourceFiles, { file, node }: Spot): string | undefined {
  const callee = node.type === "CallExpression" ? nodeIn(node, "callee") : undefined;
  if (callee?.type === "MemberExpression") return nameOf(nodeIn(callee, "property"));
  const name = callee?.type === "Identifier" ? nameOf(callee) : undefined;
  return name === undefined ? undefined : (importOf(files, file, name)?.imported ?? name);
}

/** One step: from a name, or a member of a namespace, to its value. */
function definitionOf(files: SourceFiles, { file, node }: Spot): Spot | undefined {
  if (node.type === "Identifier") return bindingOf(files, file, nameOf(node) ?? "");
  const namespace = node.type === "MemberExpression" ? nodeIn(node, "object") : undefined;
  const from = namespace?.type === "Identifier" ? importOf(files, file, nameOf(namespace) ?? "") : undefined;
  if (from?.imported !== "*" || from.target === undefined) return undefined;
  return exportOf(files, from.target, nameOf(nodeIn(node, "property")) ?? "");
}

function bindingOf(files: SourceFiles, file: string, name: string): Spot | undefined {
  for (const statement of files.syntax(file)?.body ?? []) {
    const declaration =
      statement.type === "ExportNamedDeclaration" ? nodeIn(statement, "declaration") : statement;
    const init = declaration && initializer(declaration, name);
    if (init !== undefined) return { file, node: init };
  }
  const from = importOf(files, file, name);
  if (from?.target === undefined || from.imported === "*") return undefined;
  return exportOf(files, from.target, from.imported);
}

interface Import {
  readonly target: string | undefined;
  /** `default`, `*`, or the name in the other module. */
  readonly imported: string;
}

function importOf(files: SourceFiles, file: string, local: string): Import | undefined {
  for (const statement of files.syntax(file)?.body ?? []) {
    if (statement.type !== "ImportDeclaration") continue;
    const found = nodesIn(statement, "specifiers").find(
      (specifier) => nameOf(nodeIn(specifier, "local")) === local,
    );
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
    return target === undefined ? undefined : exportOf(files, target, name, seen);
  }
  if (declaration !== undefined) {
    const isDefault = statement.type === "ExportDefaultDeclaration";
    const node = isDefault ? name === "default" && declaration : initializer(declaration, name);
    return node ? { file, node } : undefined;
  }
  const found = nodesIn(statement, "specifiers").find(
    (specifier) => nameOf(nodeIn(specifier, "exported")) === name,
  );
  const local = found && nodeIn(found, "local");
  if (local === undefined) return undefined;
  if (source === undefined) return { file, node: local };
  return target === undefined ? undefined : exportOf(files, target, nameOf(local) ?? "", seen);
}

function initializer(declaration: SyntaxNode, name: string): SyntaxNode | undefined {
  const found = nodesIn(declaration, "declarations").find(
    (declarator) => nameOf(nodeIn(declarator, "id")) === name,
  );
  return found && nodeIn(found, "init");
}

function declaredNames(declaration: SyntaxNode): readonly string[] {
  if (declaration.type === "VariableDeclaration") {
    return nodesIn(declaration, "declarations").map((declarator) => nameOf(nodeIn(declarator, "id")) ?? "");
  }
  const name = textIn(nodeIn(declaration, "id"), "name");
  return name === undefined ? [] : [name];
}
