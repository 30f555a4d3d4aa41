/** What can be wrong with the answers that a scaffolding command is given. */
import type { RuleFamily } from "./rule.js";

export const SCAFFOLD_RULES = {
  "scaffold-name-invalid": {
    severity: "error",
    section: "§1.7",
    message: '"{name}" can\'t be the {what}: {problem}.{hint}',
    fix: "Choose another; nothing was written.",
  },
  "scaffold-name-taken": {
    severity: "error",
    section: "§1.7",
    message: 'The {what} "{name}" is there already.',
    fix: "Choose another name, or change what is there by hand; nothing was written.",
  },
  "scaffold-name-collides": {
    severity: "error",
    section: "§1.7",
    message: '"{name}" and the {what} "{other}" would both be called "{shared}" in addresses and files.',
    fix: "Choose a name that differs in its letters or digits; nothing was written.",
  },
  "scaffold-name-unknown": {
    severity: "error",
    section: "§1.7",
    message: 'There is no {what} "{name}".{hint}',
    fix: "{known}",
  },
  "scaffold-list-invalid": {
    severity: "error",
    section: "§1.7",
    message: '"{list}" is no list that a reader can ask for: {problem}.',
    fix: "Write a method and a path below the base address, such as {example}; nothing was written.",
  },
  "scaffold-variable-open": {
    severity: "error",
    section: "§1.7",
    message: 'The variable "{variable}" of "{list}" has no value.',
    fix: "{known} Nothing was written.",
  },
  "scaffold-sample-unfit": {
    severity: "error",
    section: "§1.7",
    message: "The sample can't become a data object: {problem}.",
    fix: "Give an answer of the target system that lists some of its records; nothing was written.",
  },
  "scaffold-id-mismatch": {
    severity: "error",
    section: "§1.7",
    message: 'The module id "{id}" is not its key and version, which make "{expected}".',
    fix: "Give the id, key and version of one module; nothing was written.",
  },
  "scaffold-unconfirmed": {
    severity: "error",
    section: "§4.1",
    message: "What was written does not load as it should, and was rolled back: {reason}.",
    fix: "The files are unchanged. Make the change by hand, or write the modules as scaffolds write them first.",
  },
} as const satisfies RuleFamily;
