/** Splits names into words. Display names and url parts split differently, on purpose, as the platform's files do. */

const ACRONYM_END = /(\p{Lu})(?=\p{Lu}\p{Ll})/gu;
const LOWER_TO_UPPER = /(\p{Ll})(?=\p{Lu})/gu;
const DIGIT_EDGE = /(?<=\p{L})(?=\p{Nd})|(?<=\p{Nd})(?=\p{L})/gu;

/**
 * The display name of a class: a space before every capital, none before digits.
 * `PCO` becomes `P C O`, `SignalR` becomes `Signal R`, `Schedulesv2` stays as it is.
 */
export function displayName(className: string): string {
  return className.replace(/(?<=\S)(?=\p{Lu})/gu, " ");
}

/**
 * The words of a name: acronyms stay together, digits stand alone, anything but letters and digits separates.
 * `PCOs` gives `PC`, `Os`; `Schedulesv2` gives `Schedulesv`, `2`.
 */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(LOWER_TO_UPPER, "$1 ")
    .replace(ACRONYM_END, "$1 ")
    .replace(DIGIT_EDGE, " ")
    .split(/[^\p{L}\p{M}\p{Nd}]+/u)
    .filter((word) => word !== "");
}

/** The url part of a name: its words in kebab-case. `SignalR` becomes `signal-r`, `PCOs` becomes `pc-os`. */
export function urlPartOf(name: string): string {
  return wordsOf(name).join("-").toLowerCase();
}

/** `name` with its first letter lowered, the rest untouched. `OAuth2CodeFlow` becomes `oAuth2CodeFlow`. */
export function lowerFirst(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}

/** `name` with its first letter raised, the rest untouched. */
export function upperFirst(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
