/** Rules of credentials that stand in code (§1.3). */
import { nameOf, nodeIn, type SyntaxNode, walk } from "../../../generators/source-edits/syntax.js";
import type { CheckRules } from "../../../schemas/diagnostics/codes.js";
import type { Diagnostic } from "../../../schemas/diagnostics/diagnostic.js";
import { clientExample } from "../../../schemas/diagnostics/rules/example-code.js";
import { credentialKind } from "../../../schemas/naming/credential-texts.js";
import { CODE_SECRET_NAMES, matchedPhrase } from "../../../schemas/naming/secret-names.js";
import { codeFindingsOf, type ProjectModule } from "./project-module.js";

export const CREDENTIAL_RULES = {
  "code-credential": {
    severity: "error",
    section: "§1.3",
    message: "The code holds {kind}.",
    fix: "Remove it and revoke it: everyone who reads the code has it. Credentials belong in connection properties.",
    isSilenceable: true,
    example: clientExample(
      `headers = { authorization: "Bearer 0a1b2c3d4e5f6a7b8c9d" };`,
      `headers = { authorization: \`Bearer \${connection.apiKey}\` };`,
    ),
  },
  "code-secret-literal": {
    severity: "warning",
    section: "§1.3",
    message: '"{name}" is set to a string in the code, and looks like a secret (its name says "{words}").',
    fix: "Take it from a connection property; revoke it if it is real.",
    example: clientExample('password = "hunter2hunter2";', "password = connection.password;"),
  },
} as const satisfies CheckRules;

const findingAt = codeFindingsOf(CREDENTIAL_RULES);

/** Finds strings that are a credential by their shape, or that are set to a secret's name. */
export function checkCredentials(module: ProjectModule): readonly Diagnostic[] {
  return [...walk(module.syntax.program)].flatMap((node) => {
    const kind = credentialKind(stringIn(node) ?? "");
    if (kind !== undefined) return [findingAt("code-credential", module, node, { kind })];
    const named = namedStringIn(node);
    if (named === undefined || !looksSecret(named.text, named.name)) return [];
    const words = matchedPhrase(named.name, CODE_SECRET_NAMES);
    if (words === undefined) return [];
    return [findingAt("code-secret-literal", module, node, { name: named.name, words })];
  });
}

/** The value of a string literal, or the fixed text of a part of a template; undefined for other nodes. */
function stringIn(node: SyntaxNode): string | undefined {
  if (node.type === "StringLiteral") return String(node["value"]);
  if (node.type !== "TemplateElement") return undefined;
  const value = node["value"] as { readonly cooked?: unknown; readonly raw?: unknown } | undefined;
  return String(value?.cooked ?? value?.raw ?? "");
}

interface NamedString {
  readonly name: string;
  readonly text: string;
}

/** `name: "text"`, `name = "text"`, `const name = "text"`. */
function namedStringIn(node: SyntaxNode): NamedString | undefined {
  const [left, right] =
    node.type === "VariableDeclarator"
      ? [nodeIn(node, "id"), nodeIn(node, "init")]
      : node.type === "AssignmentExpression"
        ? [nodeIn(node, "left"), nodeIn(node, "right")]
        : /^(?:Object|Class)(?:Private)?Property$/.test(node.type)
          ? [nodeIn(node, "key"), nodeIn(node, "value")]
          : [undefined, undefined];
  const name = nameOf(left?.type === "MemberExpression" ? nodeIn(left, "property") : left);
  const text = right === undefined ? undefined : stringIn(right);
  return name === undefined || text === undefined ? undefined : { name, text };
}

/** Whether `text` looks generated: letters and digits, and not a word, an address or its own name. */
function looksSecret(text: string, name: string): boolean {
  if (text.length < 8 || lettersOnly(text).includes(lettersOnly(name))) return false;
  if (/\s|^https?:|^[/.]|[<>{}]/.test(text)) return false;
  return /\d/.test(text) && /[a-z]/i.test(text);
}

function lettersOnly(text: string): string {
  return text.replace(/[^a-z]/gi, "").toLowerCase();
}
