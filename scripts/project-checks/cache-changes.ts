/** What readers and handlers tell the cache: keys that are written by hand, changes that are not told (spec §2.6, §2.7). */
import { nameOf, nodeIn, nodesIn, type SyntaxNode, walk } from "../../generators/source-edits/syntax.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { foundAt, isModuleCode, type ProjectModule } from "./project-module.js";

/** Texts that begin as a record key does: with the name of a key of the connector, and `/`. */
export function checkRecordKeys(module: ProjectModule, keyNames: ReadonlySet<string>): readonly Diagnostic[] {
  if (!isModuleCode(module.path)) return [];
  return [...walk(module.syntax.program)].flatMap((node) => {
    const [, name] = /^([\w-]+)\/$/.exec(headOf(node) ?? "") ?? [];
    if (name === undefined || !keyNames.has(name)) return [];
    return [foundAt("record-key-by-hand", module, node, { name })];
  });
}

/** Calls of `succeeded` that give an output only, in a module that never gives a change. */
export function checkHandlerChanges(module: ProjectModule): readonly Diagnostic[] {
  if (!isModuleCode(module.path)) return [];
  const calls = [...walk(module.syntax.program)].filter(
    (node) => node.type === "CallExpression" && nameOf(nodeIn(node, "callee")) === "succeeded",
  );
  const [first] = calls;
  if (first === undefined || calls.some((call) => nodesIn(call, "arguments").length > 1)) return [];
  const handler =
    module.path
      .split("/")
      .at(-1)
      ?.replace(/\.\w+$/, "") ?? "";
  return [foundAt("handler-cache-untouched", module, first, { handler })];
}

/** What a template, or a text with something added, begins with. */
function headOf(node: SyntaxNode): string | undefined {
  if (node.type === "TemplateLiteral" && nodesIn(node, "expressions").length > 0) {
    const value = nodesIn(node, "quasis")[0]?.["value"] as { readonly cooked?: unknown } | undefined;
    return typeof value?.cooked === "string" ? value.cooked : undefined;
  }
  const isSum = node.type === "BinaryExpression" && node["operator"] === "+";
  const left = isSum ? nodeIn(node, "left") : undefined;
  return left?.type === "StringLiteral" ? nameOf(left) : undefined;
}
