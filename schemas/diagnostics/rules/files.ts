/** What can be wrong with the files that the tool reads and writes, and with the modules of a project while they load. */
import type { RuleFamily } from "./rule.js";

export const FILE_RULES = {
  "project-missing": {
    severity: "error",
    section: "§4.1",
    message: 'There is no connector.ts in "{folder}".',
    fix: "Run the command in a connector's folder, or name one with --connector-path.",
  },
  "project-syntax": {
    severity: "error",
    section: "§4.1",
    message: "The module can't be read: {reason}.",
    fix: "Correct the code at this place.",
  },
  "project-import-missing": {
    severity: "error",
    section: "§4.1",
    message: "An import can't be found: {reason}.",
    fix: "Correct the path, or install the package.",
  },
  "project-imports-generated": {
    severity: "error",
    section: "§4.1",
    message: 'A schema module imports "{path}", which is generated from it.',
    fix: "Import the schema module that this file was generated from.",
  },
  "project-throws": {
    severity: "error",
    section: "§4.1",
    message: "The connector's modules threw while they were loaded: {reason}.",
    fix: "Correct this line. Schema modules only describe: they read no files, no environment and no network.",
  },
  "project-hangs": {
    severity: "error",
    section: "§4.1",
    message: "The connector's modules did not finish loading {limit}.",
    fix: "Look for an endless loop, or an await that never ends, at the top level of a module.",
  },
  "project-exports-nothing": {
    severity: "error",
    section: "§4.1",
    message: "connector.ts does not export a connector.",
    fix: "Export the value that defineConnector returns.",
  },
  "project-exports-several": {
    severity: "error",
    section: "§4.1",
    message: "connector.ts exports {count} connectors: {names}.",
    fix: "Export one.",
  },
  "file-missing": {
    severity: "error",
    section: "§4.1",
    message: 'The file "{path}" can\'t be read: {reason}.',
    fix: "Name a file that exists and can be read.",
  },
  "file-too-large": {
    severity: "error",
    section: "§4.1",
    message: "The file is {size} MB; {limit} MB is the most that is read.",
    fix: "Check that this is the right file.",
  },
  "file-exists": {
    severity: "error",
    section: "§4.1",
    message: 'The file "{path}" exists, and differs from what would be written.',
    fix: "Choose an empty folder, or move the file away.",
  },
  "file-edited": {
    severity: "error",
    section: "§4.1",
    message: 'The generated file "{path}" was edited by hand, or was not generated.',
    fix: "Move your change into a schema module, or the file to another folder; then delete it here and run npx connectorcli gen.",
  },
  "file-not-writable": {
    severity: "error",
    section: "§4.1",
    message: 'The file "{path}" can\'t be written: {reason}.',
    fix: "Check the folder and its permissions; nothing was changed.",
  },
  "file-changed": {
    severity: "error",
    section: "§4.1",
    message: 'The file "{path}" was changed while the command ran, so nothing was written.',
    fix: "Run the command again.",
  },
  "file-foreign": {
    severity: "warning",
    section: "§4.1",
    message: 'The file "{path}" lies in the folder of generated files, and was left as it is: {problem}.',
    fix: "Move it to another folder, or delete it.",
  },
  "files-locked": {
    severity: "error",
    section: "§4.1",
    message: 'Another run is writing files here: {holder} holds "{path}".',
    fix: "Run the command again when that one has ended. If there is no such process, delete this file first.",
  },
  "files-unfinished": {
    severity: "error",
    section: "§4.1",
    message:
      'A run that wrote files here was interrupted: {reason}. The files from before are kept in "{path}".',
    fix: 'Correct this, or move away what was changed, and run the command that writes again: it completes the run or rolls it back. To keep the files as they are, delete "{path}".',
  },
  "file-outside": {
    severity: "error",
    section: "§4.1",
    message: 'The path "{path}" leads out of the folder that is written to.',
    fix: "Use a name without path separators, and no link that leads elsewhere.",
  },
  "file-stale": {
    severity: "error",
    section: "§1.6",
    message: "{path} is {state}.",
    fix: "Run: {command}",
  },
  "edit-by-hand": {
    severity: "error",
    section: "§4.1",
    message: '"{path}" can\'t be changed by the tool: {reason}.',
    fix: "Write it as scaffolds write it and run the command again, or make the change by hand: {line}.",
  },
  "json-syntax": {
    severity: "error",
    section: "§1.6",
    message: "The file is not JSON: {reason}.",
    fix: "Correct it, or take it from where it was made.",
  },
  "json-duplicate-name": {
    severity: "error",
    section: "§1.6",
    message: 'The name "{name}" occurs twice in one object.',
    fix: "Remove one of the two.",
  },
  "json-too-deep": {
    severity: "error",
    section: "§1.6",
    message: "The file is nested more than {limit} levels deep.",
    fix: "Check that this is the right file.",
  },
  "format-mismatch": {
    severity: "error",
    section: "§1.6",
    message: "This is not a connector.json: {problem}.",
    fix: "Correct the value at this place.",
  },
  "import-differs": {
    severity: "warning",
    section: "§1.6",
    message: "Extracting the imported project gives a file that differs from line {line} on: {problem}.",
    fix: "{loss}; compare the two files once.",
  },
  "import-number-rounded": {
    severity: "warning",
    section: "§1.6",
    message: "The number {written} can't be kept exactly: it becomes {value}.",
    fix: "Correct it in the imported module: limits of 64-bit integers are as good left out.",
  },
  "import-too-deep": {
    severity: "info",
    section: "§2.9",
    message:
      "What is nested here, more than {limit} schemas deep, is kept as text (ExactJson): compilers go no deeper.",
    fix: "Nothing to do; the extracted schema is the same. Its values have no types in code.",
  },
  "import-repaired": {
    severity: "info",
    section: "§2.6",
    message: '"{property}" of "{object}" is required now, because key "{key}" uses it.',
    fix: "Nothing to do; the change is listed so that it can be reviewed.",
  },
  "import-not-repaired": {
    severity: "warning",
    section: "§2.6",
    message: 'Key "{key}" of "{object}" {problem}; there is more than one way to repair it.',
    fix: "Choose the properties that identify a record.",
  },
} as const satisfies RuleFamily;
