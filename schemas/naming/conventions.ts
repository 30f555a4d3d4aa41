/** The six conventions that turn the name of a property in code into its serialized name (spec §2.9 rule 1). */
import { lowerFirst, splitWords, upperFirst } from "./words.js";

/** The conventions by the names that authors give them. */
export const NAMING_CONVENTIONS = [
  "camelCase",
  "PascalCase",
  "kebab-case",
  "UPPER-KEBAB-CASE",
  "snake_case",
  "UPPER_SNAKE_CASE",
] as const;

/** A convention that turns names in code into serialized names (§2.9). */
export type NamingConvention = (typeof NAMING_CONVENTIONS)[number];

/**
 * The serialized form of a code name. camelCase and PascalCase keep the inner capitals of a name that is
 * one word already (`projectID` stays); the other four join its words. A name without letters or digits stays.
 */
export function applyConvention(name: string, convention: NamingConvention): string {
  const words = splitWords(name);
  if (words.length === 0) return name;
  switch (convention) {
    case "camelCase":
      return isJoined(name) ? lowerLeadingCapitals(name) : lowerFirst(joinCapitalized(words));
    case "PascalCase":
      return isJoined(name) ? upperFirst(name) : joinCapitalized(words);
    case "kebab-case":
      return words.join("-").toLowerCase();
    case "UPPER-KEBAB-CASE":
      return words.join("-").toUpperCase();
    case "snake_case":
      return words.join("_").toLowerCase();
    case "UPPER_SNAKE_CASE":
      return words.join("_").toUpperCase();
    default:
      return convention satisfies never;
  }
}

function isJoined(name: string): boolean {
  return /^[\p{L}\p{M}\p{Nd}]+$/u.test(name);
}

function joinCapitalized(words: readonly string[]): string {
  return words.map((word) => upperFirst(word.toLowerCase())).join("");
}

/** `ID` becomes `id`, `URLValue` becomes `urlValue`: a leading run of capitals is lowered up to the next word. */
function lowerLeadingCapitals(name: string): string {
  return name.replace(/^\p{Lu}+(?![\p{Ll}])|^\p{Lu}+(?=\p{Lu})|^\p{Lu}/u, (run) => run.toLowerCase());
}
