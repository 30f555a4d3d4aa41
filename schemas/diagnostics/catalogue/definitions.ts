/** What can be wrong with the calls that define a connector, whoever wrote them in whichever language. */
export const definitionMessages = {
  "definition-invalid": {
    severity: "error",
    section: "§1.2",
    message: "{what} must be {expected}, but is {actual}.",
    fix: "Correct the value.",
  },
  "definition-option-unknown": {
    severity: "error",
    section: "§1.7",
    message: '"{option}" is not an option of {what}.{hint}',
    fix: "Correct its name, or remove it.",
  },
  "definition-action-unplaced": {
    severity: "error",
    section: "§2.7",
    message: 'Action "{action}" belongs to "{object}", which module "{module}" does not list.',
    fix: "List the data object in the same module as its actions.",
  },
  "definition-reader-type-unknown": {
    severity: "error",
    section: "§2.8",
    message: 'Data object "{object}" has the reader type "{readerType}".',
    fix: "Use full or incremental.",
  },
} as const;
