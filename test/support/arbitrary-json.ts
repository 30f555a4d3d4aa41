/** Texts and JSON that break what is careless with them. */
import fc from "fast-check";
import type { JsonMember, JsonTree } from "../../schemas/formats/json-tree.js";

const HOSTILE = [
  "",
  " ",
  "*/",
  "/*",
  "//",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what breaks careless templates
  "${x}",
  "`",
  '"',
  "'",
  "\\",
  "</script>",
  "{{x}}",
  "\u2028",
  "\u2029",
  "\ufeff",
  "\u200b",
  "\u202e",
  "\n",
  "\r\n",
  "\t",
  "\u0000",
  "\u007f",
  "\ud800",
  "\udc00x",
  "😀",
  "é",
  "e\u0301",
  "ŉ",
  "ß",
  "İ",
  "ǆ",
  "日本語",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "then",
  "class",
  "delete",
  "import",
  "default",
  "await",
  "let",
  "enum",
  "null",
  "undefined",
  "NaN",
  "Object",
  "String",
  "Type",
  "Nullable",
  "StringEnum",
  "connector",
  "defineModule",
  "RegistrationConfiguration",
  "0",
  "1",
  "01",
  "_1",
  "-1",
  "1.5",
  "4294967295",
  "property1",
  "con",
  "aux",
  "../..",
  "a/b",
  "~",
  "%",
  "%2F",
  "#",
  "$ref",
  "$id",
  "x-",
  "@ts-expect-error",
];

const WORDS = [
  "id",
  "name",
  "Name",
  "NAME",
  "companyId",
  "company_id",
  "CompanyID",
  "hired-on",
  "URLValue",
  "x1y2",
  "value",
  "T1",
];

/** Any text: mostly names that people give, names that break things, and pieces of both. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.constantFrom(...WORDS, ...HOSTILE), { maxLength: 4 })
      .map((parts) => parts.join("")),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
  { weight: 1, arbitrary: fc.constantFrom("x".repeat(300), "long name ".repeat(40), "ünï".repeat(80)) },
);

const number = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((value) => (value === 0 ? 0 : value));

/** Any JSON value, members in any order. */
export const json: fc.Arbitrary<JsonTree> = fc.letrec<{ tree: JsonTree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(fc.constant(null), fc.boolean(), number, text),
    fc.array(tie("tree"), { maxLength: 4 }),
    membersWith(text, tie("tree"), 4),
  ),
})).tree;

/** An object with up to `most` members of different names. */
export function membersWith(
  name: fc.Arbitrary<string>,
  value: fc.Arbitrary<JsonTree>,
  most: number,
): fc.Arbitrary<{ members: JsonMember[] }> {
  return fc
    .uniqueArray(fc.tuple(name, value), { maxLength: most, selector: ([key]) => key })
    .map((members) => ({ members }));
}
