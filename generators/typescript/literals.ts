/** Text of any content as TypeScript: everything that authors write goes through here into generated code. */

import { escapeControls, printable } from "../../schemas/diagnostics/diagnostic.js";
import { isJsonArray, isJsonObject, type JsonTree } from "../../schemas/json.js";
import { isIdentifier } from "../../schemas/naming/identifiers.js";
import { type Code, list, object } from "./code.js";

/** What can't stand in a source file as it is: control characters, line separators, lone surrogates, the byte order mark. */
const PLAIN = /^[\x20-\x7e]*$/;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** A string literal in double quotes. */
export function stringLiteral(text: string): string {
  const quoted = JSON.stringify(text);
  if (PLAIN.test(quoted)) return quoted;
  return quoted.replace(UNPRINTABLE, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** A property name of an object literal: bare where it can be, never one that sets a prototype. */
export function propertyKey(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return isIdentifier(name) && PLAIN.test(name) ? name : stringLiteral(name);
}

/** A JSON value as an expression. */
export function jsonLiteral(tree: JsonTree): Code {
  if (typeof tree === "string") return stringLiteral(tree);
  if (isJsonArray(tree)) return list(tree.map(jsonLiteral));
  if (isJsonObject(tree))
    return object(
      tree.members.map(([name, value]) => ({ key: propertyKey(name), value: jsonLiteral(value) })),
    );
  return String(tree);
}

/** One line of comment, whatever the text holds: it neither ends the comment nor speaks to the compiler. */
export function commentText(text: string): string {
  return safeComment(printable(text));
}

/** As `commentText`, of any length. */
export function wholeCommentText(text: string): string {
  return safeComment(escapeControls(text));
}

function safeComment(text: string): string {
  return text.replace(/\*\//g, "*\\/").replace(/(?<!\w)@/g, "\\@");
}
