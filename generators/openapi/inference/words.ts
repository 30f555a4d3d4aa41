/** Names of documents, compared whole: `startYear` is no `start`. */
import { splitWords } from "../../../schemas/naming/words.js";

/** Lower case, without separators: `page_size`, `pageSize` and `page[size]` are one name. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{Nd}]/gu, "");
}

/** A set of plain names, written as words with spaces between them. */
export function nameSet(names: string): ReadonlySet<string> {
  return new Set(names.split(/\s+/).filter((name) => name !== ""));
}

const UNCOUNTED = /(?:ss|us|is|news|series|status|metadata)$/;

/** One of the things that a word names: `categories` gives `category`. */
export function singular(word: string): string {
  const lower = word.toLowerCase();
  if (word.length < 3 || UNCOUNTED.test(lower)) return word;
  if (lower.endsWith("people")) return `${word.slice(0, -6)}${word.slice(-6, -5)}erson`;
  if (lower.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (lower.endsWith("caches")) return word.slice(0, -1);
  if (/(?:ss|sh|ch|x|zz)es$/.test(lower)) return word.slice(0, -2);
  if (lower.endsWith("uses") || lower.endsWith("ases")) return word.slice(0, -1);
  return lower.endsWith("s") ? word.slice(0, -1) : word;
}

/** Whether two names differ in number at most. */
export function isSameNoun(a: string, b: string): boolean {
  return plainName(singular(a)) === plainName(singular(b));
}

/** A part of a path between slashes. */
export interface Segment {
  readonly text: string;
  /** Name of the variable that is the whole segment. */
  readonly variable: string | undefined;
}

/** The segments of a path; a slash at its end does not count. */
export function segmentsOf(path: string): readonly Segment[] {
  return path
    .split("/")
    .filter((text) => text !== "")
    .map((text) => ({ text, variable: /^\{([^{}]+)\}$/.exec(text)?.[1] }));
}

/** The path without the names of its variables: two paths that differ in those are one. */
export function patternOf(segments: readonly Segment[]): string {
  return `/${segments.map(({ text, variable }) => (variable === undefined ? text : "{}")).join("/")}`;
}

/** What a list is of, by the last word of its path that is no verb: `projects` of `/v1/projects/search`. */
export function nounOf(path: string): string {
  const fixed = segmentsOf(path).filter(({ variable }) => variable === undefined);
  const noun = fixed.findLast(({ text }) => !LIST_VERBS.has(plainName(text))) ?? fixed.at(-1);
  return noun?.text.replace(/\.\w+$/, "").replace(/\(.*\)$/, "") ?? "";
}

const LIST_VERBS = nameSet("all list search query filter find get index browse");

/** The last word of a name, lower case. */
export function lastWord(name: string): string {
  return splitWords(name).at(-1)?.toLowerCase() ?? "";
}

/** Whether a name ends in a word for an identifier. */
export function isIdentifierName(name: string): boolean {
  return /^(?:id|ids|uuid|guid|gid|sid|uid|urn|key|identifier)$/.test(lastWord(name));
}

/** A text as it stands in a reason: `"data"`. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}
