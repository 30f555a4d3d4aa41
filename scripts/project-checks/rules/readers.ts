/** Rules of readers and handlers: swallowed errors, state between runs, what the cache learns (§2.6, §2.7). */
import {
  isNode,
  nameOf,
  nodeIn,
  nodesIn,
  type SyntaxNode,
  textIn,
  walk,
} from "../../../generators/source-edits/syntax.js";
import type { CheckRules } from "../../../schemas/diagnostics/codes.js";
import type { Diagnostic } from "../../../schemas/diagnostics/diagnostic.js";
import {
  handlerExample,
  readerExample,
  readerModuleExample,
} from "../../../schemas/diagnostics/rules/example-code.js";
import { codeFindingsOf, isModuleCode, type ProjectModule } from "./project-module.js";

export const READER_RULES = {
  "reader-stops-silently": {
    severity: "warning",
    section: "§2.6",
    message:
      "The reader {reader} catches an error and does not throw it: after a full read, everything that was not yielded is deleted.",
    fix: "Throw the error again, or do not catch it; retries belong in the client.",
    example: readerExample(
      `  try {
    yield* await client.get("sites");
  } catch (error) {
    log.error("The sites can't be read.");
  }`,
      `  try {
    yield* await client.get("sites");
  } catch (error) {
    log.error("The sites can't be read.");
    throw error;
  }`,
    ),
  },
  "reader-state-kept": {
    severity: "warning",
    section: "§2.6",
    message: 'The variable "{name}" keeps its value after a run of the reader: the next run begins with it.',
    fix: "Declare it inside the reader.",
    example: readerModuleExample(
      `let page = 0;
export async function* readSites({ client }) {
  yield* await client.get("sites", { query: { page: page++ } });
}`,
      `export async function* readSites({ client }) {
  let page = 0;
  yield* await client.get("sites", { query: { page: page++ } });
}`,
    ),
  },
  "reader-undecided": {
    severity: "error",
    section: "§2.6",
    message: "Nobody has decided how this is read: {question}",
    fix: "Declare the reader with defineReader, or take the data object out of its module.",
    example: readerModuleExample(
      `import { undecided } from "connectorcli/runtime";

export const siteReader = undecided("How does GET /sites come in pages?");`,
      `import { defineReader } from "connectorcli/runtime";
import { Site } from "../../../generated/app/site.js";

export const siteReader = defineReader(Site, {
  list: "GET /sites",
  items: "$",
  pages: { kind: "linkHeader", size: { send: "limit", value: 100 } },
});`,
    ),
  },
  "record-key-by-hand": {
    severity: "warning",
    section: "§2.6",
    message:
      'A string begins with "{name}/", as record keys do: a key written by hand may be another record\'s.',
    fix: "Take the key from the generated class: record.key(), or the static key(record).",
    example: readerExample(`  const key = \`id/\${record.number}\`;`, "  const key = record.key();"),
  },
  "handler-cache-untouched": {
    severity: "info",
    section: "§2.7",
    message: "The handler {handler} reports no change for the cache.",
    fix: "If it changes a record, give succeeded(...) the change as well, or declare change; otherwise there is nothing to do.",
    example: handlerExample(
      `export async function createSite(input, { client }) {
  const site = await client.post("sites", input);
  return succeeded(site);
}`,
      `export async function createSite(input, { client }) {
  const site = await client.post("sites", input);
  return succeeded(site, [{ dataObject: "Site", operation: "upsert", record: site }]);
}`,
    ),
  },
} as const satisfies CheckRules;

const findingAt = codeFindingsOf(READER_RULES);

/** Finds `catch` without `throw` in readers. */
export function checkReaderErrors(module: ProjectModule): readonly Diagnostic[] {
  if (!isModuleCode(module.path)) return [];
  return readersIn(module).flatMap(({ node, name }) =>
    ownNodes(node)
      .filter((inner) => inner.type === "CatchClause" && !rethrows(inner))
      .map((clause) => findingAt("reader-stops-silently", module, clause, { reader: name })),
  );
}

/** Finds readers that wait for an answer. */
export function checkUndecided(module: ProjectModule): readonly Diagnostic[] {
  if (!isModuleCode(module.path) || !module.text.includes("undecided(")) return [];
  return [...walk(module.syntax.program)].flatMap((node) => {
    if (node.type !== "CallExpression" || nameOf(nodeIn(node, "callee")) !== "undecided") return [];
    const [question] = nodesIn(node, "arguments");
    const text = question === undefined ? "" : textIn(question, "value");
    return [findingAt("reader-undecided", module, node, { question: text ?? "" })];
  });
}

/** Finds variables of a reader's module that its functions change. */
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
      return [findingAt("reader-state-kept", module, declared, { name })];
    });
}

interface Reader {
  readonly node: SyntaxNode;
  readonly name: string;
}

/** The readers of a module. Heuristic: every async generator is taken for one. */
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

/** Whether a `catch` clause throws on some path, outside of inner functions. */
function rethrows(clause: SyntaxNode): boolean {
  return ownNodes(clause).some(({ type }) => type === "ThrowStatement");
}

/** Names that are assigned, incremented or decremented anywhere in the module. */
function changedNames(program: SyntaxNode): ReadonlySet<string> {
  const names = [...walk(program)].flatMap((node) => {
    if (node.type === "AssignmentExpression") return nameOf(nodeIn(node, "left")) ?? [];
    return node.type === "UpdateExpression" ? (nameOf(nodeIn(node, "argument")) ?? []) : [];
  });
  return new Set(names);
}

/** Finds strings that begin as record keys do: with the name of a key of the connector, and `/`. */
export function checkRecordKeys(module: ProjectModule, keyNames: ReadonlySet<string>): readonly Diagnostic[] {
  if (!isModuleCode(module.path)) return [];
  return [...walk(module.syntax.program)].flatMap((node) => {
    const [, name] = /^([\w-]+)\/$/.exec(fixedPrefix(node) ?? "") ?? [];
    if (name === undefined || !keyNames.has(name)) return [];
    return [findingAt("record-key-by-hand", module, node, { name })];
  });
}

/** Finds the first call of `succeeded` in a module whose calls give no change. */
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
  return [findingAt("handler-cache-untouched", module, first, { handler })];
}

/** The fixed beginning of a template or of a concatenation; undefined for other nodes. */
function fixedPrefix(node: SyntaxNode): string | undefined {
  if (node.type === "TemplateLiteral" && nodesIn(node, "expressions").length > 0) {
    const value = nodesIn(node, "quasis")[0]?.["value"] as { readonly cooked?: unknown } | undefined;
    return typeof value?.cooked === "string" ? value.cooked : undefined;
  }
  const isSum = node.type === "BinaryExpression" && node["operator"] === "+";
  const left = isSum ? nodeIn(node, "left") : undefined;
  return left?.type === "StringLiteral" ? nameOf(left) : undefined;
}
