/** The secrets that a log knows, and texts without them. */
import { HIDDEN } from "../../validation/finding.js";
import { formsOf } from "./secret-forms.js";

/** A shorter secret stands in too many words by chance: it is hidden only where it is the whole text. */
const SHORTEST = 4;

const NO_FORMS = { plain: [], base64: [] };

const OF_BASE64 = /[A-Za-z0-9+/_=-]/;

export interface SecretTexts {
  /** Hides these from now on, in every form. */
  add(secrets: Iterable<unknown>): void;
  /** Whether the whole of `text` is a secret. */
  has(text: string): boolean;
  /** `text` without the secrets. */
  without(text: string): string;
  /** Length of the longest form, so that nothing is cut in its middle. */
  readonly longest: number;
}

export function secretTexts(): SecretTexts {
  const whole = new Set<string>();
  const plain = new Set<string>();
  const base64 = new Set<string>();
  let pattern: RegExp | undefined;
  let longest = 0;
  return {
    add(secrets) {
      for (const secret of distinctTexts(secrets, whole)) {
        whole.add(secret);
        const forms = secret.trim().length < SHORTEST ? NO_FORMS : formsOf(secret);
        for (const form of forms.plain) plain.add(form);
        for (const form of forms.base64) base64.add(form);
      }
      longest = [...plain, ...base64].reduce((length, form) => Math.max(length, form.length), 0);
      pattern = longest === 0 ? undefined : new RegExp(`(${oneOf(plain)})|${oneOf(base64)}`, "g");
    },
    has: (text) => whole.has(text),
    without(text) {
      if (whole.has(text)) return HIDDEN;
      return pattern === undefined ? text : replaced(text, pattern);
    },
    get longest() {
      return longest;
    },
  };
}

function distinctTexts(secrets: Iterable<unknown>, known: ReadonlySet<string>): readonly string[] {
  return [...secrets]
    .filter((secret) => typeof secret === "string" || typeof secret === "number")
    .map(String)
    .filter((secret) => secret.trim() !== "" && !known.has(secret));
}

/** With base64 of a secret goes the text around it that may be one with it: its edges hold bits of the secret. */
function replaced(text: string, pattern: RegExp): string {
  let result = "";
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index < end) continue;
    const isBase64 = match[1] === undefined;
    let start = match.index;
    while (isBase64 && start > end && OF_BASE64.test(text[start - 1] ?? "")) start--;
    result += `${text.slice(end, start)}${HIDDEN}`;
    end = match.index + match[0].length;
    while (isBase64 && OF_BASE64.test(text[end] ?? "")) end++;
  }
  return result + text.slice(end);
}

/** A pattern for any of `forms`, the longest first; for nothing where there are none. */
function oneOf(forms: ReadonlySet<string>): string {
  const sorted = [...forms].sort((a, b) => b.length - a.length);
  return sorted.length === 0 ? "(?!)" : sorted.map(escaped).join("|");
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
