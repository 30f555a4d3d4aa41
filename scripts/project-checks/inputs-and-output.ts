/** What the code of a connector takes from, or gives to, the process around it (spec §1.3, §4.2). */
import {
  nameOf,
  nodeIn,
  nodesIn,
  type SyntaxNode,
  textIn,
  walk,
} from "../../generators/source-edits/syntax.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { foundAt, isConnectorCode, type ProjectModule } from "./project-module.js";

/** Environment variables, files and other processes. */
export function checkInputs(module: ProjectModule): readonly Diagnostic[] {
  if (!isConnectorCode(module.path)) return [];
  return [...walk(module.syntax.program)].flatMap((node) => {
    const what = environmentIn(node);
    if (what !== undefined) return [foundAt("code-environment", module, node, { what })];
    const imported = importedBy(node);
    return imported !== undefined && FORBIDDEN.test(imported)
      ? [foundAt("code-files", module, node, { module: imported })]
      : [];
  });
}

/** Calls that write to standard output or standard error. */
export function checkOutput(module: ProjectModule): readonly Diagnostic[] {
  if (!isConnectorCode(module.path)) return [];
  return [...walk(module.syntax.program)].flatMap((node) => {
    const callee = node.type === "CallExpression" ? dotted(nodeIn(node, "callee")) : undefined;
    return callee !== undefined && OUTPUT.test(callee)
      ? [foundAt("code-standard-output", module, node, { call: callee })]
      : [];
  });
}

const FORBIDDEN = /^(?:node:)?(?:fs(?:\/promises)?|child_process|worker_threads|cluster)$/;
const OUTPUT = /^(?:globalThis\.)?(?:console\.\w+|process\.std(?:out|err)\.write)$/;
const ENVIRONMENT = /^(?:globalThis\.)?(?:process\.(?:env|argv)|import\.meta\.env|Deno\.env|Bun\.env)$/;

function environmentIn(node: SyntaxNode): string | undefined {
  const name = /^(?:Optional)?MemberExpression$/.test(node.type) ? dotted(node) : undefined;
  if (name !== undefined && ENVIRONMENT.test(name)) return name;
  // `const { env } = process`, and `import { env } from "node:process"`.
  if (node.type === "VariableDeclarator" && nameOf(nodeIn(node, "init")) === "process") {
    const id = nodeIn(node, "id");
    const keys = id === undefined ? [] : nodesIn(id, "properties").map((one) => nameOf(nodeIn(one, "key")));
    if (keys.includes("env")) return "process.env";
  }
  const names = nodesIn(node, "specifiers").map((one) => nameOf(nodeIn(one, "imported")));
  const isProcess = /^(?:node:)?process$/.test(importedBy(node) ?? "");
  return isProcess && names.includes("env") ? "process.env" : undefined;
}

/** The module that an import, a re-export, `import()` or `require()` names. */
function importedBy(node: SyntaxNode): string | undefined {
  if (textIn(node, "importKind") === "type") return undefined;
  if (/^(?:Import|ExportNamed|ExportAll)Declaration$/.test(node.type)) return nameOf(nodeIn(node, "source"));
  if (node.type === "ImportExpression") return nameOf(nodeIn(node, "source"));
  if (node.type !== "CallExpression") return undefined;
  const callee = nodeIn(node, "callee");
  const loads = callee?.type === "Import" || nameOf(callee) === "require";
  return loads ? nameOf(nodesIn(node, "arguments")[0]) : undefined;
}

/** `process.stdout.write`: the names of a chain of members. */
function dotted(node: SyntaxNode | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (node.type === "Identifier") return nameOf(node);
  if (node.type === "MetaProperty") return "import.meta";
  if (!/^(?:Optional)?MemberExpression$/.test(node.type)) return undefined;
  const property = nodeIn(node, "property");
  const isNamed = node["computed"] !== true || property?.type === "StringLiteral";
  const [object, name] = [dotted(nodeIn(node, "object")), nameOf(property)];
  return isNamed && object !== undefined && name !== undefined ? `${object}.${name}` : undefined;
}
