import { isJsonArray, isJsonObject, type JsonTree } from "../json.js";

/** Writes JSON in the bytes of the reference tool: two spaces, LF, no final newline, pure ASCII. */

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\f": "\\f",
  "\r": "\\r",
  "\\": "\\\\",
};

/** Everything but printable ASCII, and the ASCII characters that could end a string in HTML or in a script. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const ESCAPED = /[\u0000-\u001f"&'+<>\\`\u007f-\uffff]/g;

/** The text of `tree`, as `connector.json` has it. Lone surrogates stay what they are, as escapes. */
export function jsonText(tree: JsonTree): string {
  return indentedText(tree, "\n");
}

/** The text of `tree` on one line, with the escapes of `JSON.stringify`. */
export function compactJson(tree: JsonTree): string {
  if (isJsonArray(tree)) return `[${tree.map(compactJson).join(",")}]`;
  if (isJsonObject(tree)) {
    return `{${tree.members.map(([name, value]) => `${JSON.stringify(name)}:${compactJson(value)}`).join(",")}}`;
  }
  return JSON.stringify(tree);
}

/** A JSON string in quotes, with the reference tool's escapes. */
export function jsonString(text: string): string {
  return `"${text.replace(ESCAPED, escapeUnit)}"`;
}

function escapeUnit(unit: string): string {
  return SHORT_ESCAPES[unit] ?? `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function indentedText(tree: JsonTree, lineBreak: string): string {
  if (typeof tree === "string") return jsonString(tree);
  const inner = `${lineBreak}  `;
  if (isJsonArray(tree)) {
    if (tree.length === 0) return "[]";
    return `[${tree.map((item) => inner + indentedText(item, inner)).join(",")}${lineBreak}]`;
  }
  if (isJsonObject(tree)) {
    if (tree.members.length === 0) return "{}";
    const lines = tree.members.map(
      ([name, value]) => `${inner}${jsonString(name)}: ${indentedText(value, inner)}`,
    );
    return `{${lines.join(",")}${lineBreak}}`;
  }
  return String(tree);
}
