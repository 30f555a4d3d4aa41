/**
 * The strings of simple patterns: a few that match, and all of them if the pattern says each character. Patterns with
 * look-around, references or Unicode properties are not read.
 */

/** Longer strings are not made. */
export const MAX_STRING_LENGTH = 2_000;

/** More strings than this are not listed. */
const MAX_LISTED = 200;
const MAX_ALTERNATIVES = 8;
/** Groups nested deeper than this are not read. */
const MAX_DEPTH = 20;

/** What stands at one place of a pattern, and how often. */
interface Part {
  readonly atom: Atom;
  readonly least: number;
  /** Infinite if there is no limit. */
  readonly most: number;
}

type Sequence = readonly Part[];

type Atom =
  | { readonly kind: "start" | "end" }
  /** `characters` are all that match; undefined if they are too many to list. */
  | {
      readonly kind: "character";
      readonly example: string;
      readonly characters: readonly string[] | undefined;
    }
  | { readonly kind: "group"; readonly alternatives: readonly Sequence[] };

/** Strings that most likely match `pattern`, the most likely ones first; none for a pattern that is not read. */
export function stringsMatching(pattern: string, minLength = 1): readonly string[] {
  const alternatives = parse(pattern);
  if (alternatives === undefined) return [];
  const samples = (isLong: boolean) =>
    alternatives.flatMap((sequence) => samplesOfSequence(sequence, { isLong, minLength }));
  return [...new Set([...samples(true), ...samples(false)])].slice(0, 2 * MAX_ALTERNATIVES);
}

/** Every string that `pattern` accepts; undefined if they are too many, or if the pattern is not read. */
export function allStringsMatching(pattern: string): readonly string[] | undefined {
  const alternatives = parse(pattern);
  if (alternatives === undefined || !alternatives.every(isAnchored)) return undefined;
  return languageOf(alternatives.map((sequence) => sequence.slice(1, -1)));
}

function isAnchored(sequence: Sequence): boolean {
  return sequence[0]?.atom.kind === "start" && sequence.at(-1)?.atom.kind === "end" && sequence.length > 1;
}

function languageOf(alternatives: readonly Sequence[]): readonly string[] | undefined {
  const strings = new Set<string>();
  for (const sequence of alternatives) {
    const listed = languageOfSequence(sequence);
    if (listed === undefined) return undefined;
    for (const string of listed) strings.add(string);
    if (strings.size > MAX_LISTED) return undefined;
  }
  return [...strings];
}

function languageOfSequence(sequence: Sequence): readonly string[] | undefined {
  let strings: readonly string[] | undefined = [""];
  for (const part of sequence) strings = strings && extended(strings, part);
  return strings;
}

/** Each of `starts` followed by each string of `part`; undefined if they are too many. */
function extended(starts: readonly string[], { atom, least, most }: Part): readonly string[] | undefined {
  const endings = stringsOfAtom(atom);
  if (endings === undefined || most > MAX_LISTED) return undefined;
  const strings = new Set(least === 0 ? starts : []);
  let repeated = starts;
  for (let count = 1; count <= most; count++) {
    if (repeated.length * endings.length > MAX_LISTED) return undefined;
    repeated = repeated.flatMap((start) => endings.map((end) => start + end));
    if (count >= least) for (const string of repeated) strings.add(string);
  }
  return strings.size > MAX_LISTED ? undefined : [...strings];
}

function stringsOfAtom(atom: Atom): readonly string[] | undefined {
  if (atom.kind === "character") return atom.characters;
  return atom.kind === "group" ? languageOf(atom.alternatives) : undefined;
}

interface SampleLength {
  readonly isLong: boolean;
  /** How long a string should be at least. */
  readonly minLength: number;
}

/** One string for each alternative of its groups, or a few. */
function samplesOfSequence(sequence: Sequence, length: SampleLength): readonly string[] {
  let samples: readonly string[] = [""];
  for (const { atom, least, most } of sequence) {
    const count = length.isLong ? longestOf({ least, most }, length.minLength) : least;
    const endings =
      atom.kind === "character"
        ? [atom.example]
        : atom.kind === "group"
          ? atom.alternatives.flatMap((inner) => samplesOfSequence(inner, length))
          : [""];
    samples = samples
      .flatMap((start) => endings.map((end) => (start + end.repeat(count)).slice(0, MAX_STRING_LENGTH)))
      .slice(0, MAX_ALTERNATIVES);
  }
  return samples;
}

function longestOf({ least, most }: Pick<Part, "least" | "most">, minLength: number): number {
  const longest = most === Number.POSITIVE_INFINITY ? Math.max(least, minLength, 3) : most;
  return Math.min(longest, MAX_STRING_LENGTH);
}

const ATOM =
  /(?<anchor>[\^$])|\\(?<escaped>[^\dpPukcxbB])|\[(?<set>\^?(?:\\[^pPukcx]|[^\]\\])+)\]|(?<any>\.)|(?<open>\((?:\?:)?(?!\?))|(?<literal>[^\\[\](){}.*+?^$|])/uy;
const QUANTIFIER = /\{(?<least>\d+)(?<comma>,(?<most>\d*))?\}\??|(?<sign>[*+?])\??/uy;

/** The alternatives of `pattern`; undefined if it holds what is not read. */
function parse(pattern: string): readonly Sequence[] | undefined {
  let at = 0;
  const alternativesUntil = (end: ")" | undefined, depth: number): Sequence[] | undefined => {
    const alternatives: Part[][] = [[]];
    while (at < pattern.length && pattern[at] !== end) {
      if (pattern[at] === "|") {
        alternatives.push([]);
        at++;
        continue;
      }
      const atom = nextAtom(depth);
      if (atom === undefined) return undefined;
      const isAnchor = atom.kind === "start" || atom.kind === "end";
      alternatives.at(-1)?.push({ atom, ...(isAnchor ? { least: 1, most: 1 } : nextQuantifier()) });
    }
    if (end !== undefined && pattern[at++] !== end) return undefined;
    return alternatives;
  };
  const nextAtom = (depth: number): Atom | undefined => {
    ATOM.lastIndex = at;
    const groups = ATOM.exec(pattern)?.groups;
    if (groups === undefined) return undefined;
    at = ATOM.lastIndex;
    if (groups["open"] === undefined) return simpleAtom(groups);
    const alternatives = depth < MAX_DEPTH ? alternativesUntil(")", depth + 1) : undefined;
    return alternatives && { kind: "group", alternatives };
  };
  const nextQuantifier = (): Pick<Part, "least" | "most"> => {
    QUANTIFIER.lastIndex = at;
    const groups = QUANTIFIER.exec(pattern)?.groups;
    if (groups === undefined) return { least: 1, most: 1 };
    at = QUANTIFIER.lastIndex;
    return repetitionsOf(groups);
  };
  return alternativesUntil(undefined, 0);
}

type Groups = Readonly<Record<string, string | undefined>>;

function repetitionsOf({ least, comma, most, sign }: Groups): Pick<Part, "least" | "most"> {
  if (sign === "?") return { least: 0, most: 1 };
  if (sign !== undefined) return { least: sign === "*" ? 0 : 1, most: Number.POSITIVE_INFINITY };
  const fewest = Math.min(Number(least), MAX_STRING_LENGTH);
  if (comma === undefined) return { least: fewest, most: fewest };
  return { least: fewest, most: most === "" || most === undefined ? Number.POSITIVE_INFINITY : Number(most) };
}

const DIGITS: readonly string[] = [..."0123456789"];

/** An example for each class of characters. */
const CLASS_EXAMPLES: Readonly<Record<string, string>> = { d: "0", w: "a", s: " ", D: "a", W: "-", S: "a" };

const CONTROL_CHARACTERS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v" };

function simpleAtom({ anchor, escaped, set, literal }: Groups): Atom {
  if (anchor !== undefined) return { kind: anchor === "^" ? "start" : "end" };
  if (literal !== undefined) return { kind: "character", example: literal, characters: [literal] };
  if (escaped !== undefined) return escapedAtom(escaped);
  if (set !== undefined) return setAtom(set);
  return { kind: "character", example: "a", characters: undefined };
}

function escapedAtom(escaped: string): Atom {
  const example = CLASS_EXAMPLES[escaped];
  if (example !== undefined) {
    return { kind: "character", example, characters: escaped === "d" ? DIGITS : undefined };
  }
  const character = CONTROL_CHARACTERS[escaped] ?? escaped;
  return { kind: "character", example: character, characters: [character] };
}

const SET_MEMBER = /\\(?<escaped>.)|(?<from>[^\\])-(?<to>[^\\])|(?<single>[^\\])/suy;

function setAtom(set: string): Atom {
  if (set.startsWith("^")) {
    return { kind: "character", example: characterOutside(set), characters: undefined };
  }
  const characters = charactersOf(set);
  const { escaped, single, from } = firstMember(set);
  const example = from ?? single ?? (escaped === undefined ? "a" : escapedExample(escaped));
  return { kind: "character", example, characters };
}

function firstMember(set: string): Groups {
  SET_MEMBER.lastIndex = 0;
  return SET_MEMBER.exec(set)?.groups ?? {};
}

function escapedExample(escaped: string): string {
  const atom = escapedAtom(escaped);
  return atom.kind === "character" ? atom.example : "a";
}

/** Every character of a set; undefined if they are too many. */
function charactersOf(set: string): readonly string[] | undefined {
  const characters = new Set<string>();
  SET_MEMBER.lastIndex = 0;
  while (SET_MEMBER.lastIndex < set.length) {
    const groups = SET_MEMBER.exec(set)?.groups;
    const listed = groups && charactersOfMember(groups);
    if (listed === undefined) return undefined;
    for (const character of listed) characters.add(character);
  }
  return characters.size > MAX_LISTED ? undefined : [...characters];
}

function charactersOfMember({ escaped, from, to, single }: Groups): readonly string[] | undefined {
  if (single !== undefined) return [single];
  if (escaped !== undefined) {
    // `\b` is a backspace in a set.
    const atom = escaped === "b" ? undefined : escapedAtom(escaped);
    return atom?.kind === "character" ? atom.characters : undefined;
  }
  const [first, last] = [from?.codePointAt(0) ?? 0, to?.codePointAt(0) ?? 0];
  if (last - first > MAX_LISTED) return undefined;
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
    String.fromCodePoint(first + index),
  );
}

/** A character that the negated set leaves. */
function characterOutside(set: string): string {
  return ["a", "0", "-", " ", "é"].find((character) => !set.includes(character)) ?? "\u00e9";
}
