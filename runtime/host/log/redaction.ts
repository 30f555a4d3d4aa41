/** Any value as a log may show it: plain, bounded, and without secrets. Nothing of the value can make it throw. */
import type { RecordType } from "../../records/record-type.js";
import { attempt } from "./odd-values.js";
import { sensitiveNamesOf } from "./schema-names.js";
import { secretTexts } from "./secret-texts.js";
import { isSensitiveName, lettersOf } from "./sensitive-names.js";
import { shownTree } from "./shown-tree.js";
import { withoutTelling } from "./telling-texts.js";

export interface Redaction {
  /** Hides these values from now on, wherever they occur. */
  hide(values: Iterable<unknown>): void;
  /** `text` without secrets, cut where it is too long. */
  text(text: string): string;
  /** `value` as plain JSON without secrets. */
  value(value: unknown): unknown;
}

/** The longest text that is shown whole. */
const LONGEST = 10_000;

/** Hides by `schemas` too: a member that one of them calls write-only is hidden by its name. */
export function createRedaction(schemas: readonly RecordType[] = []): Redaction {
  const secrets = secretTexts();
  const names = sensitiveNamesOf(schemas);
  const isSensitive = (name: string) => isSensitiveName(name) || names.has(lettersOf(name));
  const text = (given: string) => {
    if (secrets.has(given)) return secrets.without(given);
    // A secret that the cut goes through must be whole when it is looked for.
    const part = given.slice(0, LONGEST + secrets.longest);
    const shown = withoutTelling(secrets.without(part), isSensitive);
    const more = given.length - LONGEST;
    return more <= 0 ? shown : `${shown.slice(0, LONGEST).toWellFormed()}… (${more} more characters)`;
  };
  return {
    hide: (values) => attempt(() => secrets.add(typeof values === "string" ? [values] : values)),
    text,
    value: (value) => shownTree(value, { text, isSensitive }),
  };
}
