/** Credentials and addresses in configurations: they are kept in connections only (spec §1.3). */
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { matchedWords } from "./matched-words.js";
import { found } from "./place.js";
import { ADDRESSES, CREDENTIALS, SECRETS } from "./telling-words.js";
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

/** A secret in the configuration of a service, which is no place for it either. */
export function checkServiceSecret(visited: VisitedSchema): readonly Diagnostic[] {
  const { role, position, condition, place, jsonName } = visited;
  if (role !== "service" || position !== "property" || condition || !isLeaf(visited)) return [];
  const words = matchedWords(jsonName, SECRETS);
  return words === undefined ? [] : [found("service-credential", place, { what: place.what, words })];
}
