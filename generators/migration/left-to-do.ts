/** What no tool should change by itself: places in the author's modules that the rules of the migration speak of (§5.2). */
import { matchedWords } from "../../schemas/checks/matched-words.js";
import { ADDRESSES, CREDENTIALS } from "../../schemas/checks/telling-words.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { placeInText } from "../../schemas/diagnostics/place-in-text.js";
import { CLIENT_HELPER_FILE } from "../scaffolds/index.js";
import type { SourceFiles } from "../source-edits/index.js";
import { nameOf, nodeIn, nodesIn, type SyntaxNode, unwrapped, walk } from "../source-edits/syntax.js";

/** One finding for each place, file by file, in the order of the text. */
export function leftToDo(files: SourceFiles, modules: readonly string[]): readonly Diagnostic[] {
  return modules.flatMap((file) => {
    const syntax = files.syntax(file);
    const text = files.text(file);
    if (syntax === undefined || text === undefined) return [];
    const nodes = [...walk(syntax.program)];
    const inner = new Set(nodes.filter(isMember).map((node) => nodeIn(node, "object")));
    const context = { file, text, inner, isAuthHandler: importsName(syntax.body, "DelegatingHandler") };
    return nodes.flatMap((node) => RULES.flatMap((rule) => rule(node, context)));
  });
}

interface Context {
  readonly file: string;
  readonly text: string;
  /** What a member is read from. */
  readonly inner: ReadonlySet<SyntaxNode | undefined>;
  /** Whether it is the place that authentication belongs to. */
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
    .filter((one) => tells(nameOf(nodeIn(one, "key")) ?? "", true))
    .map((one) => {
      const code = `${nameOf(nodeIn(one, "key"))} of ${codeOf(from, context)}`;
      return diagnostic("migration-reads-configuration", placeInText(context, one.start), { code });
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

/** `fetch(…)`, `axios.get(…)` of a reader or a handler; the API client may do as it likes. */
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

/** A class whose constructor is given a configuration, in the folder of the client. */
const clientConfigured: Rule = (node, context) => {
  if (!/^Class(?:Declaration|Expression)$/.test(node.type)) return [];
  const name = nameOf(nodeIn(node, "id")) ?? "the class";
  if (!context.file.startsWith("client/") && !/Client$/.test(name)) return [];
  const members = nodesIn(nodeIn(node, "body") ?? node, "body");
  const maker = members.find((one) => one["kind"] === "constructor");
  const given = maker === undefined ? [] : nodesIn(maker, "params");
  const isConfigured = given.some((one) =>
    [...walk(one)].some((each) => each.type === "Identifier" && isConfiguration(nameOf(each) ?? "")),
  );
  return maker !== undefined && isConfigured
    ? [diagnostic("migration-client-configured", placeInText(context, maker.start), { name })]
    : [];
};

/** `Authorization: …`, `headers.set("Authorization", …)`, beside auth handlers. */
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
  return said.some((one) => one?.toLowerCase() === "authorization")
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

/** The names of `a.b["c"]?.d`, outermost object first; what is none of them is left out. */
function chainOf(node: SyntaxNode): readonly string[] {
  const own = unwrapped(node);
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

/** Whether a member is a credential or an address; `auth` and its like hold others where something is read from them. */
function tells(name: string, isLast: boolean): boolean {
  const known = isLast ? CREDENTIALS : { ...CREDENTIALS, whole: [] };
  return matchedWords(name, known) !== undefined || matchedWords(name, ADDRESSES) !== undefined;
}

function codeOf({ start, end }: SyntaxNode, { text }: Context): string {
  return text.slice(start, end).replace(/\s+/g, "");
}

function importsName(body: readonly SyntaxNode[], name: string): boolean {
  const specifiers = body
    .filter(({ type }) => type === "ImportDeclaration")
    .flatMap((one) => nodesIn(one, "specifiers"));
  return specifiers.some((one) => nameOf(nodeIn(one, "imported")) === name);
}
