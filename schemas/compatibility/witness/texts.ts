/** Texts that have a format or match a simple pattern: what witnesses are made of. */
import type { JsonObject } from "../json.js";

const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  date: ["2024-02-29"],
  time: ["12:00:00Z"],
  "date-time": ["2024-02-29T12:00:00Z"],
  "iso-time": ["12:00:00"],
  "iso-date-time": ["2024-02-29T12:00:00"],
  duration: ["P1D"],
  uri: ["https://a.example/b"],
  "uri-reference": ["a/b"],
  "uri-template": ["/a/{b}"],
  url: ["https://a.example/b"],
  email: ["a@b.example"],
  hostname: ["a.example"],
  ipv4: ["192.0.2.1"],
  ipv6: ["2001:db8::1"],
  regex: ["^a$"],
  uuid: ["c0ffee00-0000-4000-8000-00000000c0de"],
  "json-pointer": ["/a"],
  "json-pointer-uri-fragment": ["#/a"],
  "relative-json-pointer": ["0/a"],
  byte: ["YQ=="],
};

const COMMON = [
  "a",
  "A",
  "0",
  "ab",
  "AB",
  "a1",
  "A-1",
  "abc",
  "123",
  "abc-123",
  "a b",
  "ABC123",
  "",
  "-",
  "é",
  "+1",
];

/** Nothing longer is shown. */
const LONGEST = 2_000;

/** Texts for the schema, the most fitting first; some of them are just beyond its limits. */
export function textsFor(node: JsonObject): readonly string[] {
  const { format, pattern, minLength, maxLength } = node;
  const lengths = [minLength, maxLength].filter((value) => typeof value === "number");
  const least = typeof minLength === "number" ? minLength : 1;
  const bases = [
    ...(typeof pattern === "string" ? matching(pattern, least) : []),
    ...(typeof format === "string" && Object.hasOwn(EXAMPLES, format) ? (EXAMPLES[format] ?? []) : []),
  ];
  const sized = [least, ...lengths.flatMap((length) => [length, length - 1, length + 1])]
    .filter((length) => Number.isInteger(length) && length >= 0 && length <= LONGEST)
    .map((length) => "a".repeat(length));
  const longer = bases.flatMap((base) =>
    lengths.flatMap((length) =>
      base !== "" && length + 1 <= LONGEST ? [base.padEnd(length + 1, base)] : [],
    ),
  );
  return [...bases, ...sized, ...longer, ...COMMON];
}

/** One atom of a pattern and how often it may stand. */
const ATOM =
  /\\(?<escaped>[\s\S])|\[(?<set>\^?(?:\\.|[^\]\\])+)\]|(?<any>\.)|(?<literal>[^\\[\](){}.*+?^$|])/uy;
const TIMES = /\{(?<least>\d+)(?<open>,(?<most>\d*))?\}|(?<sign>[*+?])/uy;

const CLASSES: Readonly<Record<string, string>> = { d: "0", w: "a", s: " ", D: "a", W: "-", S: "a" };

/** Texts for patterns that are a row of characters and sets; none for others. Whether they match is not decided here. */
function matching(pattern: string, least: number): readonly string[] {
  const body = pattern.replace(/^\^/, "").replace(/\$$/, "");
  let short = "";
  let long = "";
  for (let at = 0; at < body.length; ) {
    ATOM.lastIndex = at;
    const atom = ATOM.exec(body);
    if (atom === null) return [];
    TIMES.lastIndex = ATOM.lastIndex;
    const times = TIMES.exec(body);
    at = times === null ? ATOM.lastIndex : TIMES.lastIndex;
    const { fewest, most } = timesOf(times?.groups ?? {}, least);
    const character = characterOf(atom.groups ?? {});
    short += character.repeat(fewest);
    long += character.repeat(most);
  }
  return [...new Set([long, short])];
}

/** How often an atom is written in a short text and in a long one. */
function timesOf({ least, most, open, sign }: Groups, wanted: number): { fewest: number; most: number } {
  const isOptional = sign === "*" || sign === "?";
  const fewest = Math.min(least === undefined ? (isOptional ? 0 : 1) : Number(least), LONGEST);
  const isOpen = sign === "*" || sign === "+" || (open !== undefined && (most ?? "") === "");
  const longest = isOpen ? Math.max(fewest, wanted, 3) : Number(most ?? fewest) || fewest;
  return { fewest, most: Math.min(longest, LONGEST) };
}

type Groups = Readonly<Record<string, string | undefined>>;

function characterOf({ escaped, set, any, literal }: Groups): string {
  if (literal !== undefined) return literal;
  if (any !== undefined) return "a";
  if (escaped !== undefined) return CLASSES[escaped] ?? escaped;
  if (set === undefined) return "a";
  const members = /^\^/.test(set) ? undefined : /^(?:\\(.)|(.))/u.exec(set);
  if (members === null || members === undefined) return outside(set);
  return members[1] === undefined ? (members[2] ?? "a") : (CLASSES[members[1]] ?? members[1]);
}

/** A character that the negated set leaves. */
function outside(set: string): string {
  return ["a", "0", "-", " ", "é"].find((character) => !set.includes(character)) ?? "\u00e9";
}
