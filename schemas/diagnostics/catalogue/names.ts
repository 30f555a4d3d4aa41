/** What can be wrong with names and the url parts that are made from them (spec §2.9). */
export const nameMessages = {
  "name-empty": {
    severity: "error",
    section: "§1.7",
    message: "The {field} of {what} is empty.",
    fix: "Give it a name.",
  },
  "name-duplicate-property": {
    severity: "error",
    section: "§2.9",
    message: 'Properties "{first}" and "{second}" of {what} are both serialized as "{name}".',
    fix: "Give one of them another jsonPropertyName.",
  },
  "name-duplicate": {
    severity: "error",
    section: "§1.7",
    message: 'Two {kind}s in {what} are named "{name}".',
    fix: "Rename one of them.",
  },
  "name-url-collision": {
    severity: "error",
    section: "§1.7",
    message: 'The {kind}s "{first}" and "{second}" in {what} share the url part "{url}".',
    fix: "Rename one of them, or set its urlPart.",
  },
  "name-url-unsafe": {
    severity: "error",
    section: "§1.7",
    message: 'The {field} "{url}" of {what} holds characters that do not belong in an address.',
    fix: "Use letters, digits, hyphens, dots and underscores.",
  },
  "name-style-mixed": {
    severity: "info",
    section: "§2.9",
    message: 'Properties of {what} are serialized in {style}, but "{name}" is in {other}.',
    fix: "Nothing to do where the target system has these names; else let namingConvention make them.",
  },
  "name-reserved": {
    severity: "error",
    section: "§2.9",
    message: '"{name}" can\'t name a {kind}: it is reserved in the language that is generated.',
    fix: "Choose another name in the code, and set jsonPropertyName or title to keep what is shown.",
  },
  "name-not-identifier": {
    severity: "error",
    section: "§2.9",
    message: '"{name}" can\'t name a {kind} in the code.',
    fix: "Use a name of letters and digits that starts with a letter, and set title for what is shown.",
  },
} as const;
