/** Texts that templates and hurried authors leave where a description belongs. */
import { wordsOf } from "../naming/words.js";

/** Whole texts that say nothing, without case and closing punctuation. */
const EMPTY_TEXTS = new Set(
  [
    "todo, tbd, tba, fixme, xxx, n/a, na, none, null, undefined, test, foo, bar, asdf, string, text",
    "description, a description, the description, desc, no description, description here, some description",
    "property description, object description, action description, field description, your description",
    "placeholder, change me, changeme, fill me in, to be done, to be defined, to be described",
  ].flatMap((line) => line.split(", ")),
);

/** Beginnings of template texts. */
const TEMPLATE_TEXTS: readonly RegExp[] = [
  /^(?:todo|fixme|tbd)\b\s*[:.,;!–-]/i,
  /^lorem ipsum\b/i,
  /^example description\b/i,
  /^(?:enter|add|insert|write|put|provide|type)\s+(?:a |the |your |some )?description\b/i,
  /^(?:your|the|a|some)?\s*description (?:goes|comes|of (?:the|this) (?:property|object|action|field|class|module|connector)$)/i,
  /^[<[{(]\s*(?:a |the |your )?description\b.*[>\]})]$/i,
];

/** A template text longer than this is the author's own, whatever it begins with. */
const LONGEST = 200;

/** Whether `text` describes nothing: a template's text, or only one of `names` again. */
export function isPlaceholder(text: string, names: readonly string[]): boolean {
  if (text.length > LONGEST) return /^\s*lorem ipsum\b/i.test(text);
  const plain = text
    .trim()
    .replace(/[\s.!…]+$/u, "")
    .toLowerCase();
  // Dots, dashes and question marks only.
  if (!/[\p{L}\p{Nd}]/u.test(plain)) return true;
  if (EMPTY_TEXTS.has(plain) || names.some((name) => name.toLowerCase() === plain)) return true;
  return TEMPLATE_TEXTS.some((pattern) => pattern.test(plain)) || onlyRepresents(plain, names);
}

/** `Represents a(n) <ClassName>`, with the name of the class as code or in words. */
function onlyRepresents(plain: string, names: readonly string[]): boolean {
  const [, subject] = /^represents (?:a\(n\)|an|a|the) (.+)$/.exec(plain) ?? [];
  if (subject === undefined) return /^represents a\(n\)/.test(plain);
  const joined = letters(subject.replace(/ (?:object|record|entity|data object|class|model)$/, ""));
  return names.some((name) => letters(name) === joined);
}

function letters(text: string): string {
  return wordsOf(text).join("").toLowerCase();
}
