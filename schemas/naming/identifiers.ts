/** Makes identifiers and file names out of any text, in one place. */
import { lowerFirst, splitWords, upperFirst } from "./words.js";

/** Words that can't name a variable in a strict ES module, or would hide what generated code uses. */
const RESERVED = new Set([
  // ECMAScript keywords and literals
  ..."break case catch class const continue debugger default delete do else enum export extends false finally".split(
    " ",
  ),
  ..."for function if import in instanceof new null return super switch this throw true try typeof var void".split(
    " ",
  ),
  ..."while with".split(" "),
  // reserved in strict mode and in modules
  ..."arguments await eval implements interface let package private protected public static yield".split(" "),
  // TypeScript's own types and values of the language
  ..."any bigint boolean never number object string symbol undefined unknown NaN Infinity".split(" "),
  ..."Array Boolean Date Error Function JSON Map Math Number Object Promise Record RegExp Set String".split(
    " ",
  ),
]);

/** Property names that JavaScript treats as something else than a property. */
const UNSAFE_PROPERTIES = new Set(["__proto__", "constructor", "prototype"]);

/** `com` and `lpt` too: a number may come to stand behind them. */
const WINDOWS_DEVICES = /^(?:con|prn|aux|nul|com\d?|lpt\d?)$/;

/** Latin letters that no decomposition brings to ASCII. */
const LATIN: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  Æ: "Ae",
  ø: "o",
  Ø: "O",
  œ: "oe",
  Œ: "Oe",
  đ: "d",
  Đ: "D",
  ł: "l",
  Ł: "L",
  þ: "th",
  Þ: "Th",
};
/** Blocks that letters are still added to: compilers differ in which of those they know. */
const YOUNG = /[\u1c80-\u1c8f\ua720-\ua7ff\u{10000}-\u{10ffff}]/u;
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** Whether `text` can stand as a property name without quotes. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text) && !YOUNG.test(text) && text.isWellFormed() && text === text.normalize("NFC");
}

/** Whether `name` is a word of the language, or a property that JavaScript treats in its own way. */
export function isReserved(name: string): boolean {
  return RESERVED.has(name) || UNSAFE_PROPERTIES.has(name);
}

/** A good name in code for a property of any serialized name: `hired_on` gives `hiredOn`, `$id` gives `id`. */
export function propertyIdentifier(serializedName: string): string {
  if (/^\p{Ll}[\p{L}\p{Nd}]*$/u.test(serializedName) && isIdentifier(serializedName)) {
    return UNSAFE_PROPERTIES.has(serializedName) ? `${serializedName}Value` : serializedName;
  }
  const name = lowerFirst(capitalizeWords(serializedName, "property"));
  return UNSAFE_PROPERTIES.has(name) ? `${name}Value` : name;
}

/** A good name for a class or an exported value: `P C O` gives `PCO`, `signal-r` gives `SignalR`. */
export function classIdentifier(text: string): string {
  const joined = text.replace(/[^\p{L}\p{M}\p{Nd}]+(.?)/gu, (_, next: string) => next.toUpperCase());
  const name = upperFirst(isIdentifier(joined) ? joined : capitalizeWords(text, "Unnamed"));
  if (!isIdentifier(name)) return "Unnamed";
  return RESERVED.has(name) ? `${name}Object` : name;
}

/** A file name without extension that is the same on every file system: lower-case ASCII letters, digits and hyphens. */
export function fileName(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\p{ASCII}]/gu, (letter) => LATIN[letter] ?? letter);
  // As people separate words in file names: digits, and the "s" of an acronym, stay with what is before them.
  const name = plain
    .replace(/^oauth/i, "Oauth")
    .replace(/([A-Z]{2,})s(?![a-z])/g, "$1S")
    .replace(/([a-z0-9])(?=[A-Z])/g, "$1-")
    .replace(/([A-Z])(?=[A-Z][a-z])/g, "$1-")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  const trimmed = name.replace(/^-+/, "").slice(0, 60).replace(/-+$/, "") || "unnamed";
  return WINDOWS_DEVICES.test(trimmed) ? `${trimmed}-file` : trimmed;
}

/** The first of `name`, `name2`, `name3` … that `taken` does not hold; it is added to `taken`. */
export function unique(name: string, taken: Set<string>): string {
  let candidate = name;
  for (let count = 2; taken.has(candidate); count++) candidate = `${name}${count}`;
  taken.add(candidate);
  return candidate;
}

function capitalizeWords(text: string, fallback: string): string {
  const name = splitWords(text)
    .map((word) => upperFirst(/^\p{Lu}+$/u.test(word) ? word.toLowerCase() : word))
    .join("")
    .normalize("NFC");
  if (name === "") return fallback;
  const safe = /^\p{Nd}/u.test(name) ? `${fallback}${name}` : name;
  return isIdentifier(safe) ? safe : fallback;
}
