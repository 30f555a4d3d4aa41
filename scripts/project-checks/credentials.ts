/** Credentials that stand in the code (spec §1.3). */
import { nameOf, nodeIn, type SyntaxNode, walk } from "../../generators/source-edits/syntax.js";
import { credentialIn } from "../../schemas/checks/credential-texts.js";
import { matchedWords } from "../../schemas/checks/matched-words.js";
import { SECRETS } from "../../schemas/checks/telling-words.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { foundAt, type ProjectModule } from "./project-module.js";

/** Texts that are a credential by their shape, or that are set to a name that says so. */
export function checkCredentials(module: ProjectModule): readonly Diagnostic[] {
  return [...walk(module.syntax.program)].flatMap((node) => {
    const kind = credentialIn(textOf(node) ?? "");
    if (kind !== undefined) return [foundAt("code-credential", module, node, { kind })];
    const named = namedText(node);
    if (named === undefined || !looksSecret(named.text, named.name)) return [];
    const words = matchedWords(named.name, SECRETS);
    if (words === undefined) return [];
    return [foundAt("code-secret-literal", module, node, { name: named.name, words })];
  });
}

/** What a literal says; of a template, what stands between its parts. */
function textOf(node: SyntaxNode): string | undefined {
  if (node.type === "StringLiteral") return String(node["value"]);
  if (node.type !== "TemplateElement") return undefined;
  const value = node["value"] as { readonly cooked?: unknown; readonly raw?: unknown } | undefined;
  return String(value?.cooked ?? value?.raw ?? "");
}

interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** `name: "text"`, `name = "text"`, `const name = "text"`. */
function namedText(node: SyntaxNode): NamedText | undefined {
  const [left, right] =
    node.type === "VariableDeclarator"
      ? [nodeIn(node, "id"), nodeIn(node, "init")]
      : node.type === "AssignmentExpression"
        ? [nodeIn(node, "left"), nodeIn(node, "right")]
        : /^(?:Object|Class)(?:Private)?Property$/.test(node.type)
          ? [nodeIn(node, "key"), nodeIn(node, "value")]
          : [undefined, undefined];
  const name = nameOf(left?.type === "MemberExpression" ? nodeIn(left, "property") : left);
  const text = right === undefined ? undefined : textOf(right);
  return name === undefined || text === undefined ? undefined : { name, text };
}

/** Made up of letters and digits without a sense: no word, no address, no name of a header. */
function looksSecret(text: string, name: string): boolean {
  if (text.length < 8 || letters(text).includes(letters(name))) return false;
  if (/\s|^https?:|^[/.]|[<>{}]/.test(text)) return false;
  return /\d/.test(text) && /[a-z]/i.test(text);
}

function letters(text: string): string {
  return text.replace(/[^a-z]/gi, "").toLowerCase();
}
