/** Credentials and addresses in the registration configuration, where they must not be kept (spec §1.3). */
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { matchedWords } from "./matched-words.js";
import { found } from "./place.js";
import { ADDRESSES, CREDENTIALS } from "./telling-words.js";
import { isLeaf, type VisitedSchema } from "./visit-schemas.js";

/** One finding for a value of the registration configuration that belongs in a connection. */
export function checkRegistration(visited: VisitedSchema): readonly Diagnostic[] {
  const { role, position, condition, place, jsonName } = visited;
  if (role !== "registration" || position !== "property" || condition || !isLeaf(visited)) return [];
  const { what } = place;
  const credential = matchedWords(jsonName, CREDENTIALS);
  if (credential !== undefined) return [found("registration-credential", place, { what, words: credential })];
  const address = matchedWords(jsonName, ADDRESSES);
  return address === undefined ? [] : [found("registration-address", place, { what, words: address })];
}
