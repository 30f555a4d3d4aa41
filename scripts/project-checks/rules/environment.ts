/** Rules of what the code of a connector takes from, or gives to, the process around it (§1.3, §4.2). */
import {
  nameOf,
  nodeIn,
  nodesIn,
  type SyntaxNode,
  textIn,
  walk,
} from "../../../generators/source-edits/syntax.js";
import type { CheckRules } from "../../../schemas/diagnostics/codes.js";
import type { Diagnostic } from "../../../schemas/diagnostics/diagnostic.js";
import { clientExample } from "../../../schemas/diagnostics/rules/example-code.js";
import { codeFindingsOf, isConnectorCode, type ProjectModule } from "./project-module.js";

export const ENVIRONMENT_RULES = {
  "code-environment": {
    severity: "error",
    section: "§1.3",
    message: "A module of the connector reads the environment ({what}).",
    fix: "Settings belong in the registration configuration, credentials and addresses in a connection.",
    example: clientExample("region = process.env.REGION;", "region = configuration.region;"),
  },
  "code-files": {
    severity: "error",
    section: "§1.3",
    message: 'A module of the connector imports "{module}", which works on files or processes.',
    fix: "Keep what must be remembered between runs in the checkpoint; settings belong in configurations.",
    example: clientExample('state = import("node:fs");', "state = context.checkpoint;"),
  },
  "code-standard-output": {
    severity: "warning",
    section: "§4.2",
    message: "{call} writes past the log, where nothing hides sensitive values.",
    fix: "Use the log that readers and handlers are given.",
    example: clientExample("console.log(record);", 'context.log.info("Read a site.", { record });'),
  },
} as const satisfies CheckRules;

const findingAt = codeFindingsOf(ENVIRONMENT_RULES);

/** Finds uses of environment variables, files and other processes. */
export function checkInputs(module: ProjectModule): readonly Diagnostic[] {
  if (!isConnectorCode(module.path)) return [];
  return [...walk(module.syntax.program)].flatMap((node) => {
    const what = environmentIn(node);
    if (what !== undefined) return [findingAt("code-environment", module, node, { what })];
    const imported = loadedModule(node);
    return imported !== undefined && FORBIDDEN_MODULES.test(imported)
      ? [findingAt("code-files", module, node, { module: imported })]
      : [];
  });
}

/** Finds calls that write to standard output or standard error. */
export function checkOutput(module: ProjectModule): readonly Diagnostic[] {
  if (!isConnectorCode(module.path)) return [];
  return [...walk(module.syntax.program)].flatMap((node) => {
    const callee = node.type === "CallExpression" ? memberPath(nodeIn(node, "callee")) : undefined;
    return callee !== undefined && OUTPUT_CALLS.test(callee)
      ? [findingAt("code-standard-output", module, node, { call: callee })]
      : [];
  });
}

const FORBIDDEN_MODULES = /^(?:node:)?(?:fs(?:\/promises)?|child_process|worker_threads|cluster)$/;
const OUTPUT_CALLS = /^(?:globalThis\.)?(?:console\.\w+|process\.std(?:out|err)\.write)$/;
const ENVIRONMENT = /^(?:globalThis\.)?(?:process\.(?:env|argv)|import\.meta\.env|Deno\.env|Bun\.env)$/;

/** The environment that `node` reads, as it is written; undefined if it reads none. */
function environmentIn(node: SyntaxNode): string | undefined {
  const name = /^(?:Optional)?MemberExpression$/.test(node.type) ? memberPath(node) : undefined;
  if (name !== undefined && ENVIRONMENT.test(name)) return name;
  // `const { env } = process`, and `import { env } from "node:process"`.
  if (node.type === "VariableDeclarator" && nameOf(nodeIn(node, "init")) === "process") {
    const id = nodeIn(node, "id");
    const keys = id === undefined ? [] : nodesIn(id, "properties").map((one) => nameOf(nodeIn(one, "key")));
    if (keys.includes("env")) return "process.env";
  }
  const names = nodesIn(node, "specifiers").map((one) => nameOf(nodeIn(one, "imported")));
  const isProcess = /^(?:node:)?process$/.test(loadedModule(node) ?? "");
  return isProcess && names.includes("env") ? "process.env" : undefined;
}

/** The module that an import, a re-export, `import()` or `require()` loads. */
function loadedModule(node: SyntaxNode): string | undefined {
  if (textIn(node, "importKind") === "type") return undefined;
  if (/^(?:Import|ExportNamed|ExportAll)Declaration$/.test(node.type)) return nameOf(nodeIn(node, "source"));
  if (node.type === "ImportExpression") return nameOf(nodeIn(node, "source"));
  if (node.type !== "CallExpression") return undefined;
  const callee = nodeIn(node, "callee");
  const isLoad = callee?.type === "Import" || nameOf(callee) === "require";
  return isLoad ? nameOf(nodesIn(node, "arguments")[0]) : undefined;
}

/** `process.stdout.write`: the names of a chain of members. */
function memberPath(node: SyntaxNode | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (node.type === "Identifier") return nameOf(node);
  if (node.type === "MetaProperty") return "import.meta";
  if (!/^(?:Optional)?MemberExpression$/.test(node.type)) return undefined;
  const property = nodeIn(node, "property");
  const isNamed = node["computed"] !== true || property?.type === "StringLiteral";
  const [object, name] = [memberPath(nodeIn(node, "object")), nameOf(property)];
  return isNamed && object !== undefined && name !== undefined ? `${object}.${name}` : undefined;
}
