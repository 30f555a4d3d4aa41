/** Readers that stop without a word, or remember something between runs (spec §2.6). */
import {
  nameOf,
  nodeIn,
  nodesIn,
  type SyntaxNode,
  textIn,
  walk,
} from "../../generators/source-edits/syntax.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { foundAt, isModuleCode, type ProjectModule } from "./project-module.js";

/** `catch` without `throw` in a reader. */
export function checkReaderErrors(module: ProjectModule): readonly Diagnostic[] {
  if (!isModuleCode(module.path)) return [];
  return readersIn(module).flatMap(({ node, name }) =>
    ownNodes(node)
      .filter((inner) => inner.type === "CatchClause" && !throwsAgain(inner))
      .map((clause) => foundAt("reader-stops-silently", module, clause, { reader: name })),
  );
}

/** Variables of a reader's module that its functions change. */
export function checkReaderState(module: ProjectModule): readonly Diagnostic[] {
  if (!isModuleCode(module.path) || readersIn(module).length === 0) return [];
  const changed = changedNames(module.syntax.program);
  return module.syntax.body
    .flatMap((statement) => {
      const own = statement.type === "ExportNamedDeclaration" ? nodeIn(statement, "declaration") : statement;
      if (own?.type !== "VariableDeclaration" || textIn(own, "kind") === "const") return [];
      return nodesIn(own, "declarations");
    })
    .flatMap((declared) => {
      const name = nameOf(nodeIn(declared, "id"));
      if (name === undefined || !changed.has(name)) return [];
      return [foundAt("reader-state-kept", module, declared, { name })];
    });
}

interface Reader {
  readonly node: SyntaxNode;
  readonly name: string;
}

/** Generators that are asynchronous: nothing else in a connector is. */
function readersIn({ syntax }: ProjectModule): readonly Reader[] {
  const names = new Map<SyntaxNode, string>();
  for (const node of walk(syntax.program)) {
    const value = nodeIn(node, "init") ?? nodeIn(node, "value");
    const name = nameOf(nodeIn(node, "id") ?? nodeIn(node, "key"));
    if (value !== undefined && name !== undefined) names.set(value, name);
  }
  return [...walk(syntax.program)]
    .filter((node) => node["generator"] === true && node["async"] === true)
    .map((node) => ({
      node,
      name: nameOf(nodeIn(node, "id") ?? nodeIn(node, "key")) ?? names.get(node) ?? "of this module",
    }));
}

/** The nodes of a function without those of functions inside it. */
function ownNodes(root: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const waiting = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next);
    for (const value of Object.values(next)) {
      const inner = (Array.isArray(value) ? value : [value]).filter(isNode);
      waiting.push(...inner.filter(({ type }) => !/Function|Method$/.test(type)));
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Whether a `throw` stands in the clause, outside of functions: on some way out the error goes on. */
function throwsAgain(clause: SyntaxNode): boolean {
  return ownNodes(clause).some(({ type }) => type === "ThrowStatement");
}

/** Names that are assigned or counted anywhere in the module. */
function changedNames(program: SyntaxNode): ReadonlySet<string> {
  const names = [...walk(program)].flatMap((node) => {
    if (node.type === "AssignmentExpression") return nameOf(nodeIn(node, "left")) ?? [];
    return node.type === "UpdateExpression" ? (nameOf(nodeIn(node, "argument")) ?? []) : [];
  });
  return new Set(names);
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "type") === "string";
}
