/** What is wrong with the names that a scaffolding command is given: found before a file is planned. */
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { classIdentifier, fileName, isIdentifier, isReserved } from "../../schemas/naming/identifiers.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { urlPartOf } from "../../schemas/naming/words.js";

/** Longer names make paths that some file systems refuse. */
const LONGEST = 60;

/** The name of a class in code. `generated` is what it becomes where that is more than itself. */
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

/** A name that people read. */
export function displayNameProblems(what: string, name: string): readonly Diagnostic[] {
  const invalid = (problem: string) => [
    diagnostic("scaffold-name-invalid", {}, { name, what, problem, hint: "" }),
  ];
  if (name.trim() === "" || !/[\p{L}\p{Nd}]/u.test(name)) return invalid("it has no letter and no digit");
  if (/[\p{Cc}\u2028\u2029]/u.test(name)) return invalid("it holds a control character");
  return name.length > LONGEST ? invalid(`it is longer than ${LONGEST} characters`) : [];
}

/** A key, which stands in addresses for ever. */
export function keyProblems(what: string, key: string): readonly Diagnostic[] {
  if (key.length <= LONGEST && /^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/.test(key)) return [];
  const right = fileName(key);
  const hint = right === "unnamed" ? "" : ` Did you mean "${right}"?`;
  const problem = "it must be lower-case letters and digits, with hyphens between words";
  return [diagnostic("scaffold-name-invalid", {}, { name: key, what, problem, hint })];
}

/** A name that one of `others` has, or that becomes the same address or file. */
export function takenProblems(what: string, name: string, others: readonly string[]): readonly Diagnostic[] {
  if (others.includes(name)) return [diagnostic("scaffold-name-taken", {}, { what, name })];
  const other = others.find((one) => urlPartOf(one) === urlPartOf(name) || fileName(one) === fileName(name));
  if (other === undefined) return [];
  const shared = urlPartOf(name);
  return [diagnostic("scaffold-name-collides", {}, { name, what, other, shared })];
}

/** A name that must be one of `known`. */
export function unknownProblem(what: string, name: string, known: readonly string[]): Diagnostic {
  const list =
    known.length === 0 ? `There is no ${what} yet: make one first.` : `Use one of: ${known.join(", ")}.`;
  return diagnostic("scaffold-name-unknown", {}, { what, name, hint: didYouMean(name, known), known: list });
}
