/** Finds what no tool should change by itself: code that the migration rules are about (§5.2). */
import { type Diagnostic, diagnostic, placeInText } from "../../schemas/diagnostics/diagnostic.js";
import { ADDRESS_NAMES, CREDENTIAL_NAMES, matchedPhrase } from "../../schemas/naming/secret-names.js";
import { CLIENT_HELPER_FILE } from "../layout.js";
import type { SourceFiles } from "../source-edits/index.js";
import { nameOf, nodeIn, nodesIn, type SyntaxNode, unwrap, walk } from "../source-edits/syntax.js";

/** One finding for each place, file by file, in the order of the text. */
export function leftToDo(files: SourceFiles, modules: readonly string[]): readonly Diagnostic[] {
  return modules.flatMap((file) => {
    const syntax = files.syntax(file);
    const text = files.text(file);
    if (syntax === undefined || text === undefined) return [];
    const nodes = [...walk(syntax.program)];
    const inner = new Set(nodes.filter(isMember).map((node) => nodeIn(node, "object")));
    const context = { file, text, inner, isAuthHandler: importsName(syntax.body, "Middleware") };
    return nodes.flatMap((node) => RULES.flatMap((rule) => rule(node, context)));
  });
}

interface Context {
  readonly file: string;
  readonly text: string;
  /** Nodes that are the object of a member expression: only the whole expression is reported. */
  readonly inner: ReadonlySet<SyntaxNode | undefined>;
  /** Whether the module is an auth handler, where authentication belongs. */
  readonly isAuthHandler: boolean;
}

type Rule = (node: SyntaxNode, context: Context) => readonly Diagnostic[];

/** `configuration.auth.clientSecret`, `const { apiKey } = settings`. */
const readsConfiguration: Rule = (node, context) => {
  if (isMember(node)) {
    const chain = chainOf(node);
    const below = chain.slice(chain.findIndex(isConfiguration) + 1);
    const isRead =
      chain.some(isConfiguration) && below.some((name, index) => tells(name, index === below.length - 1));
    return isRead && !context.inner.has(node)
      ? [
          diagnostic("migration-reads-configuration", placeInText(context, node.start), {
            code: codeOf(node, context),
          }),
        ]
      : [];
  }
  const pattern = node.type === "VariableDeclarator" ? nodeIn(node, "id") : undefined;
  const from = nodeIn(node, "init");
  if (pattern?.type !== "ObjectPattern" || from === undefined || !chainOf(from).some(isConfiguration))
    return [];
  return nodesIn(pattern, "properties")
    .filter((property) => tells(nameOf(nodeIn(property, "key")) ?? "", true))
    .map((property) => {
      const code = `${nameOf(nodeIn(property, "key"))} of ${codeOf(from, context)}`;
      return diagnostic("migration-reads-configuration", placeInText(context, property.start), { code });
    });
};

/** `process.env.API_KEY`, `process.env["BASE_URL"]`. */
const readsEnvironment: Rule = (node, context) => {
  if (node.type !== "MemberExpression") return [];
  const [first, second, name, ...more] = chainOf(node);
  if (first !== "process" || second !== "env" || name === undefined || more.length > 0) return [];
  return tells(name, true)
    ? [
        diagnostic("migration-reads-environment", placeInText(context, node.start), {
          code: codeOf(node, context),
        }),
      ]
    : [];
};

/** `new ProjectsClient(…)`, `axios.create(…)`, `got.extend(…)`. */
const makesClient: Rule = (node, context) => {
  if (context.file === CLIENT_HELPER_FILE) return [];
  const callee = nodeIn(node, "callee");
  if (callee === undefined) return [];
  const chain = chainOf(callee);
  const isNew = node.type === "NewExpression" && /Client$/.test(chain.at(-1) ?? "");
  const isMade =
    node.type === "CallExpression" &&
    /^(?:axios\.create|got\.extend|ky\.(?:create|extend))$/.test(chain.join("."));
  if (!isNew && !isMade) return [];
  const code = `${isNew ? "new " : ""}${chain.join(".")}(…)`;
  return [diagnostic("migration-makes-client", placeInText(context, node.start), { code })];
};

/** `fetch(…)`, `axios.get(…)` in a reader or a handler. The API client may call what it likes. */
const callsDirectly: Rule = (node, context) => {
  const callee = node.type === "CallExpression" ? nodeIn(node, "callee") : undefined;
  if (callee === undefined || context.file.startsWith("client/")) return [];
  const code = chainOf(callee).join(".");
  if (
    !/^(?:(?:globalThis\.)?fetch|(?:axios|got|ky)(?:\.(?:get|post|put|patch|delete|head|request|stream))?)$/.test(
      code,
    )
  )
    return [];
  return [diagnostic("migration-calls-directly", placeInText(context, node.start), { code: `${code}(…)` })];
};

/** A client class whose constructor takes a configuration. */
const clientConfigured: Rule = (node, context) => {
  if (!/^Class(?:Declaration|Expression)$/.test(node.type)) return [];
  const name = nameOf(nodeIn(node, "id")) ?? "the class";
  if (!context.file.startsWith("client/") && !/Client$/.test(name)) return [];
  const members = nodesIn(nodeIn(node, "body") ?? node, "body");
  const constructorNode = members.find((member) => member["kind"] === "constructor");
  const parameters = constructorNode === undefined ? [] : nodesIn(constructorNode, "params");
  const isConfigured = parameters.some((parameter) =>
    [...walk(parameter)].some((node) => node.type === "Identifier" && isConfiguration(nameOf(node) ?? "")),
  );
  return constructorNode !== undefined && isConfigured
    ? [diagnostic("migration-client-configured", placeInText(context, constructorNode.start), { name })]
    : [];
};

/** `Authorization: …`, `headers.set("Authorization", …)`, outside of auth handlers. */
const authorizes: Rule = (node, context) => {
  if (context.isAuthHandler) return [];
  const key = node.type === "ObjectProperty" ? nodeIn(node, "key") : undefined;
  const [argument] = node.type === "CallExpression" ? nodesIn(node, "arguments") : [];
  const assigned = node.type === "AssignmentExpression" ? nodeIn(node, "left") : undefined;
  const said = [
    nameOf(key),
    argument?.type === "StringLiteral" ? nameOf(argument) : undefined,
    assigned && chainOf(assigned).at(-1),
  ];
  return said.some((text) => text?.toLowerCase() === "authorization")
    ? [diagnostic("migration-authorizes", placeInText(context, node.start), {})]
    : [];
};

const RULES = [
  readsConfiguration,
  readsEnvironment,
  makesClient,
  callsDirectly,
  clientConfigured,
  authorizes,
];

/** The names of `a.b["c"]?.d`, outermost object first. Other expressions are left out. */
function chainOf(node: SyntaxNode): readonly string[] {
  const own = unwrap(node);
  if (own.type === "Identifier") return [nameOf(own) ?? ""];
  if (!isMember(own)) return [];
  const property = nodeIn(own, "property");
  const holder = nodeIn(own, "object");
  const isName = own["computed"] !== true || property?.type === "StringLiteral";
  const name = property?.type === "PrivateName" ? nameOf(nodeIn(property, "id")) : nameOf(property);
  return [...(holder === undefined ? [] : chainOf(holder)), isName ? (name ?? "") : ""];
}

function isMember({ type }: SyntaxNode): boolean {
  return /MemberExpression$/.test(type);
}

function isConfiguration(name: string): boolean {
  return /config|settings|registration/i.test(name);
}

/** Whether a member is a credential or an address. A name such as `auth` counts only as the last one: it may hold others. */
function tells(name: string, isLast: boolean): boolean {
  const known = isLast ? CREDENTIAL_NAMES : { ...CREDENTIAL_NAMES, wholeNames: [] };
  return matchedPhrase(name, known) !== undefined || matchedPhrase(name, ADDRESS_NAMES) !== undefined;
}

function codeOf({ start, end }: SyntaxNode, { text }: Context): string {
  return text.slice(start, end).replace(/\s+/g, "");
}

function importsName(body: readonly SyntaxNode[], name: string): boolean {
  const specifiers = body
    .filter(({ type }) => type === "ImportDeclaration")
    .flatMap((statement) => nodesIn(statement, "specifiers"));
  return specifiers.some((specifier) => nameOf(nodeIn(specifier, "imported")) === name);
}
