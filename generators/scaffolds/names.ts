/** Names that a scaffolding command takes: what is wrong with them, and descriptions in plain English that follow from them. */
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { classIdentifier, fileName, isIdentifier, isReserved } from "../../schemas/naming/identifiers.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { splitWords, upperFirst, urlPartOf } from "../../schemas/naming/words.js";

/** Longer names make paths that some file systems refuse. */
const LONGEST = 60;

/** Problems of a class name. @param generated The identifier that is generated from it, if it is another. */
export function classNameProblems(what: string, name: string, generated = name): readonly Diagnostic[] {
  const right = classIdentifier(name);
  const hint = right !== name && right !== "Unnamed" ? ` Did you mean "${right}"?` : "";
  const invalid = (problem: string) => [
    diagnostic("scaffold-name-invalid", {}, { name, what, problem, hint }),
  ];
  if (name.length > LONGEST) return invalid(`it is longer than ${LONGEST} characters`);
  if (!isIdentifier(name) || !/^\p{Lu}/u.test(name))
    return invalid("it must be letters and digits, beginning with a capital");
  if (fileName(name) === "unnamed" || urlPartOf(name) === "")
    return invalid("no file and no address can be named by it");
  return isReserved(generated) ? invalid("it is a word of the language that is generated") : [];
}

/** Problems of a display name. */
export function displayNameProblems(what: string, name: string): readonly Diagnostic[] {
  const invalid = (problem: string) => [
    diagnostic("scaffold-name-invalid", {}, { name, what, problem, hint: "" }),
  ];
  if (name.trim() === "" || !/[\p{L}\p{Nd}]/u.test(name)) return invalid("it has no letter and no digit");
  if (/[\p{Cc}\u2028\u2029]/u.test(name)) return invalid("it holds a control character");
  return name.length > LONGEST ? invalid(`it is longer than ${LONGEST} characters`) : [];
}

/** Problems of a key, which is part of addresses for ever. */
export function keyProblems(what: string, key: string): readonly Diagnostic[] {
  if (key.length <= LONGEST && /^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/.test(key)) return [];
  const right = fileName(key);
  const hint = right === "unnamed" ? "" : ` Did you mean "${right}"?`;
  const problem = "it must be lower-case letters and digits, with hyphens between words";
  return [diagnostic("scaffold-name-invalid", {}, { name: key, what, problem, hint })];
}

/** Problems of a name that one of `others` has, or that gives the same address or file. */
export function takenProblems(what: string, name: string, others: readonly string[]): readonly Diagnostic[] {
  if (others.includes(name)) return [diagnostic("scaffold-name-taken", {}, { what, name })];
  const other = others.find(
    (known) => urlPartOf(known) === urlPartOf(name) || fileName(known) === fileName(name),
  );
  if (other === undefined) return [];
  const shared = urlPartOf(name);
  return [diagnostic("scaffold-name-collides", {}, { name, what, other, shared })];
}

/** The finding that `name` is not one of `known`. */
export function unknownProblem(what: string, name: string, known: readonly string[]): Diagnostic {
  const list =
    known.length === 0 ? `There is no ${what} yet: make one first.` : `Use one of: ${known.join(", ")}.`;
  return diagnostic("scaffold-name-unknown", {}, { what, name, hint: didYouMean(name, known), known: list });
}

/** A record of the class in words: `employee` for `Employees` and `Employee`, `PCO` for `PCO`. */
export function nounOf(className: string): string {
  const words = splitWords(className).map((word) => (isAcronym(word) ? word : word.toLowerCase()));
  return [...words.slice(0, -1), singular(words.at(-1) ?? "record")].join(" ");
}

/** `an employee`, `a PCO`. */
export function withArticle(noun: string): string {
  const hasVowel = isAcronym(noun.split(" ")[0] ?? "")
    ? /^[AEFHILMNORSX]/.test(noun)
    : /^(?:[aeiou]|hour|honest|heir)/i.test(noun) && !CONSONANT_SOUND.test(noun);
  return `${hasVowel ? "an" : "a"} ${noun}`;
}

/** The path that the list of such objects probably has: `employees` for `employee`. */
export function listPath(urlPart: string): string {
  return singular(urlPart) === urlPart ? plural(urlPart) : urlPart;
}

/** What an action does: `Creates an employee in the target system.` for `Create` and `Employee`. */
export function actionSentence(actionName: string, className: string): string {
  const [verb = "run", ...others] = splitWords(actionName).map((word) => word.toLowerCase());
  const does = upperFirst(thirdPerson(verb));
  const noun = withArticle(nounOf(className));
  return others.length === 0
    ? `${does} ${noun} in the target system.`
    : `${does} ${others.join(" ")} of ${noun} in the target system.`;
}

/** Words that begin with a vowel and are spoken as in `you` or `won`: a user, a unit, a one-time password. */
const CONSONANT_SOUND = /^(?:us[aeu]|uti|uni(?!n)|ur[aeiou]|eu|ewe|once|one\b)/i;

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
