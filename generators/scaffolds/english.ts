/** What can be said in plain words from a name alone: descriptions that are true before the author finds better ones. */
import { upperFirst, wordsOf } from "../../schemas/naming/words.js";

/** One of what a class holds, in words: `Employees` and `Employee` give `employee`, `PCO` stays. */
export function nounOf(className: string): string {
  const words = wordsOf(className).map((word) => (isAcronym(word) ? word : word.toLowerCase()));
  return [...words.slice(0, -1), singular(words.at(-1) ?? "record")].join(" ");
}

/** `an employee`, `a PCO`. */
export function withArticle(noun: string): string {
  const vowel = isAcronym(noun.split(" ")[0] ?? "") ? /^[AEFHILMNORSX]/ : /^[aeiou]/i;
  return `${vowel.test(noun) ? "an" : "a"} ${noun}`;
}

/** The path that a list of such objects is likely to have: `Employee` gives `employees`. */
export function listPath(urlPart: string): string {
  return singular(urlPart) === urlPart ? plural(urlPart) : urlPart;
}

/** What an action does, as a sentence: `Create` gives `Creates an employee in the target system.` */
export function actionSentence(actionName: string, className: string): string {
  const [verb = "run", ...others] = wordsOf(actionName).map((word) => word.toLowerCase());
  const does = upperFirst(thirdPerson(verb));
  const noun = withArticle(nounOf(className));
  return others.length === 0
    ? `${does} ${noun} in the target system.`
    : `${does} ${others.join(" ")} of ${noun} in the target system.`;
}

function isAcronym(word: string): boolean {
  return /^\p{Lu}{2,}$/u.test(word);
}

function singular(word: string): string {
  if (/(?:ss|us|is)$/i.test(word) || !/[^s]s$/i.test(word)) return word;
  if (/ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  return /(?:x|ch|sh|ss)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

function plural(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

function thirdPerson(verb: string): string {
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh|o)$/.test(verb) ? `${verb}es` : `${verb}s`;
}
