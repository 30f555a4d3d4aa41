/** What can be wrong with what a project says of findings: silences beside properties and in comments, severities in package.json. */
import { severitiesExample, silenceExample } from "./example-code.js";
import type { RuleFamily } from "./rule.js";

export const SILENCE_RULES = {
  "severity-code-unknown": {
    severity: "error",
    section: "§1.7",
    message: 'package.json gives "{code}" a severity, but no finding has this code.{hint}',
    fix: "Correct the code, or remove the line.",
    example: severitiesExample('"description-mising": "off"', '"description-missing": "off"'),
  },
  "severity-invalid": {
    severity: "error",
    section: "§1.7",
    message: 'The severity of "{code}" in package.json is {actual}.',
    fix: 'Use "error", "warning" or "off".',
    example: severitiesExample('"description-missing": "none"', '"description-missing": "off"'),
  },
  "severity-fixed": {
    severity: "error",
    section: "§1.7",
    message: 'package.json lowers "{code}", which is always an error.',
    fix: "Correct what is found; only warnings and notes can be turned off.",
    example: severitiesExample('"key-missing": "warning"', '"title-missing": "error"'),
  },
  "silence-invalid": {
    severity: "error",
    section: "§1.7",
    message: "The silence of {what} {problem}.",
    fix: "Write the code of the finding and, in a sentence, why it does not matter here.",
    example: silenceExample('"sensitive-not-write-only": ""', '"sensitive-not-write-only": "It is public."'),
  },
  "silence-code-unknown": {
    severity: "error",
    section: "§1.7",
    message: '{what} silences "{code}", but no finding has this code.{hint}',
    fix: "Correct the code, or remove it.",
    example: silenceExample('"sensitive": "It is public."', '"sensitive-not-write-only": "It is public."'),
  },
  "silence-refused": {
    severity: "error",
    section: "§1.7",
    message: '{what} silences "{code}", which can\'t be silenced.',
    fix: "Correct what is found.",
    example: silenceExample(
      '"sensitive-not-write-only": "It is public.", "constraint-invalid": "We know."',
      '"sensitive-not-write-only": "It is public."',
    ),
  },
  "silence-unused": {
    severity: "warning",
    section: "§1.7",
    message: '{what} silences "{code}", but there is no such finding any more.',
    fix: "Remove it.",
    isSilenceable: false,
    example: silenceExample(
      '"sensitive-not-write-only": "It is public.", "description-missing": "Later."',
      '"sensitive-not-write-only": "It is public."',
    ),
  },
} as const satisfies RuleFamily;
