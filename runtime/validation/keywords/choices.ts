/** `enum` and `const`. */
import { isSame } from "../equal.js";
import { type KeywordPlace, report } from "../evaluation.js";
import { shownOfSchema } from "../finding.js";

export function evaluateChoices(place: KeywordPlace): void {
  const { schema, value } = place;
  const members = schema["enum"];
  if (Array.isArray(members) && !members.some((member) => isSame(member, value))) {
    report(place, "enum", `one of ${shownOfSchema(members)}`);
  }
  const only = schema["const"];
  if (only !== undefined && !isSame(only, value)) report(place, "const", shownOfSchema(only));
}
