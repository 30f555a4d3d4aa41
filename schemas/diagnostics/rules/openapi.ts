/** What can be wrong with an OpenAPI document, and with what is asked of it. */
import type { RuleFamily } from "./rule.js";

export const OPENAPI_RULES = {
  "openapi-unreadable": {
    severity: "error",
    section: "§4.1",
    message: '"{source}" can\'t be read: {reason}.',
    fix: "Name a file, or an address that begins with https:// and has no credentials in it.",
  },
  "openapi-select-unknown": {
    severity: "error",
    section: "§4.1",
    message: 'The selected "{name}" is no tag and no path of the document.{hint}',
    fix: "Name a tag, a path such as /projects, or an operation such as GET /projects.",
  },
  "openapi-config-missing": {
    severity: "error",
    section: "§4.1",
    message: "Nothing says where the OpenAPI document is: there is no {path}.",
    fix: "Name the document: npx connectorcli import openapi FILE --directory D. What it makes has that file.",
  },
  "openapi-config": {
    severity: "error",
    section: "§4.1",
    message: "What is decided of the import can't be used: {problem}.",
    fix: "Correct this line of openapi.config.ts.",
  },
  "openapi-config-decides": {
    severity: "error",
    section: "§4.1",
    message:
      "{option} is for the first import: openapi.config.ts says by now what is taken, and how the document is changed.",
    fix: "Change it there, and run the command without {option}.",
  },
  "openapi-answer-unused": {
    severity: "error",
    section: "§4.1",
    message: "This decides nothing: {reason}.{hint}",
    fix: "Correct the answer, or take it out. imported/operations.ts has the operations of the document.",
  },
  "openapi-answer-moot": {
    severity: "info",
    section: "§4.1",
    message: "The document says the same as this answer: {reason}.",
    fix: "Take the answer out, unless it shall hold whatever the document says later.",
  },
  "openapi-lock": {
    severity: "error",
    section: "§4.1",
    message: "What was imported before is not known: {path} can't be used, {reason}.",
    fix: "Restore the file from version control; after a merge, either side will do. Then import again.",
  },
  "openapi-base-edited": {
    severity: "error",
    section: "§4.1",
    message: '"{path}" says what the document says, and was edited by hand.',
    fix: "Write your change behind the base, in your module that spreads it (schemas/ or modules/), or as an answer in openapi.config.ts. Then restore the file from version control, or delete it, and import again.",
  },
  "openapi-undecided-now": {
    severity: "error",
    section: "§4.1",
    message: "{name} was {was}, and the document does not decide it any more{why}.",
    fix: "Answer it in openapi.config.ts, or leave the operation out with skip. Nothing was written.",
  },
  "openapi-not-accepted": {
    severity: "error",
    section: "§4.1",
    message: "{name} decides which records are read; it was {was}, and would be {now}{why}.",
    fix: "Run the command with --accept if that is right, or decide otherwise in openapi.config.ts. Nothing was written.",
  },
  "openapi-override-moot": {
    severity: "info",
    section: "§4.1",
    message: "{name} says what the document says by now.",
    fix: "Take it out, unless it shall hold whatever the document says later.",
  },
  "openapi-newer": {
    severity: "warning",
    section: "§4.1",
    message:
      "The OpenAPI document has changed since it was imported{version}: {count} in what the connector is made of.",
    fix: "Run npx connectorcli import openapi --dry-run to see them, and without --dry-run to take them over.",
  },
  "openapi-nothing": {
    severity: "error",
    section: "§4.1",
    message: "Nothing in the document is a list that can be a data object.",
    fix: "Run the command with --dry-run: it says of each list why it is left out.",
  },
  "openapi-too-many": {
    severity: "error",
    section: "§4.1",
    message: "The document has {count} data objects; {limit} are taken at most unless they are selected.",
    fix: "Select what you need by tags or paths: --select Tag /path. Nothing was written.",
  },
  "openapi-tag": {
    severity: "info",
    section: "§4.1",
    message: "A tag with the number of its data objects: {tag}.",
    fix: "Name it behind --select to take them.",
  },
  "openapi-version": {
    severity: "error",
    section: "§4.1",
    message: "This is no OpenAPI document of version 2.0, 3.0 or 3.1: the version that it says is {version}.",
    fix: 'Name the file that begins with "openapi" or "swagger".',
  },
  "openapi-syntax": {
    severity: "error",
    section: "§4.1",
    message: "The YAML can't be read: {reason}.",
    fix: "Correct the document at this place.",
  },
  "openapi-too-large": {
    severity: "error",
    section: "§4.1",
    message: "The document can't be read: {problem}.",
    fix: "Check that this is the right file.",
  },
  "openapi-reference-dangling": {
    severity: "warning",
    section: "§4.1",
    message: '"{reference}" leads nowhere; nothing is known of what should be there.',
    fix: "Correct the reference, or add what it names.",
  },
  "openapi-reference-outside": {
    severity: "warning",
    section: "§4.1",
    message: '"{reference}" leads out of the folder of the document, and was not followed.',
    fix: "Put the file into the folder of the document, and name it by its path from there.",
  },
  "openapi-overlay": {
    severity: "error",
    section: "§4.1",
    message: "The overlay can't be applied: {problem}.",
    fix: "Correct the overlay at this place; the Overlay Specification 1.0 or 1.1 says what it may hold.",
  },
  "openapi-overlay-unmatched": {
    severity: "error",
    section: "§4.1",
    message: '"{target}" selects nothing, so the overlay changes nothing there.',
    fix: "Correct the target of the action, or take the action out. Overlays are applied in the order of the command line.",
  },
  "openapi-part": {
    severity: "warning",
    section: "§4.1",
    message: "{what} {problem}; it was passed over.",
    fix: "Correct the document at this place.",
  },
} as const satisfies RuleFamily;
