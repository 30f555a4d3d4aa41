/** What can be wrong with what a project says of findings: severities in package.json, silences beside properties. */
export const silenceMessages = {
  "severity-code-unknown": {
    severity: "error",
    section: "§1.7",
    message: 'package.json gives "{code}" a severity, but no finding has this code.{hint}',
    fix: "Correct the code, or remove the line.",
  },
  "severity-invalid": {
    severity: "error",
    section: "§1.7",
    message: 'The severity of "{code}" in package.json is {actual}.',
    fix: 'Use "error", "warning" or "off".',
  },
  "severity-fixed": {
    severity: "error",
    section: "§1.7",
    message: 'package.json lowers "{code}", which is an error that can\'t be lowered.',
    fix: "Mend what is found; only warnings can be turned off.",
  },
  "silence-invalid": {
    severity: "error",
    section: "§1.7",
    message: "The silence of {what} {problem}.",
    fix: "Write the code of the finding and, in a sentence, why it does not matter here.",
  },
  "silence-code-unknown": {
    severity: "error",
    section: "§1.7",
    message: '{what} silences "{code}", but no finding has this code.{hint}',
    fix: "Correct the code, or remove it.",
  },
  "silence-refused": {
    severity: "error",
    section: "§1.7",
    message: '{what} silences "{code}", which can\'t be silenced.',
    fix: "Mend what is found.",
  },
  "silence-unused": {
    severity: "warning",
    section: "§1.7",
    message: '{what} silences "{code}", but nothing is found there any more.',
    fix: "Remove it.",
  },
} as const;
