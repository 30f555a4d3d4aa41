/** Finds the telling phrase in the name of a property. */
import { wordsOf } from "../naming/words.js";
import { QUESTIONS, TAILS, type Vocabulary } from "./telling-words.js";

/** The words of `name` that `vocabulary` holds, as the name says them; undefined where it says nothing. */
export function matchedWords(name: string, vocabulary: Vocabulary): string | undefined {
  const words = wordsOf(name.slice(0, LONGEST)).map((word) => word.toLowerCase());
  if (words.length > 1 && QUESTIONS.has(words[0] ?? "")) return undefined;
  const { endings, whole, innocent } = indexOf(vocabulary);
  for (let length = words.length; length > 0; length--) {
    const ended = words.slice(0, length);
    if (endOf(ended, innocent) !== undefined) return undefined;
    const matched = endOf(ended, endings) ?? (whole.has(singular(ended.join(""))) ? ended : undefined);
    if (matched !== undefined) return matched.join(" ");
    const last = ended.at(-1) ?? "";
    if (!TAILS.has(singular(last)) && !/^\p{Nd}+$/u.test(last)) return undefined;
  }
  return undefined;
}

/** No phrase is longer, and names of files may be. */
const LONGEST = 200;
const MOST_WORDS = 4;

/** The longest end of `words` that is one of `phrases`, written together or apart. */
function endOf(words: readonly string[], phrases: ReadonlySet<string>): readonly string[] | undefined {
  for (let count = Math.min(MOST_WORDS, words.length); count > 0; count--) {
    const end = words.slice(-count);
    if (phrases.has(singular(end.join("")))) return end;
  }
  return undefined;
}

/** `emails` is many of `email`; `address` and `pass` are one. */
function singular(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

type Index = { readonly [List in keyof Vocabulary]: ReadonlySet<string> };

const indexes = new WeakMap<Vocabulary, Index>();

function indexOf(vocabulary: Vocabulary): Index {
  const known = indexes.get(vocabulary);
  if (known !== undefined) return known;
  const joined = (phrases: readonly string[]) =>
    new Set(phrases.map((phrase) => singular(phrase.replaceAll(" ", ""))));
  const index = {
    endings: joined(vocabulary.endings),
    whole: joined(vocabulary.whole),
    innocent: joined(vocabulary.innocent),
  };
  indexes.set(vocabulary, index);
  return index;
}
