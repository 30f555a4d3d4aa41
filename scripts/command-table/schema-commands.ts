/** Commands that read the schema modules, and make or judge what comes of them. */
import type { CommandSpec } from "../command-spec.js";
import { JSON_OPTION, PROJECT_OPTIONS } from "./shared-options.js";

export const SCHEMA_COMMANDS: readonly CommandSpec[] = [
  {
    words: ["check"],
    describe: "Find what the platform would reject, all of it at once",
    positionals: [],
    options: {
      ...PROJECT_OPTIONS,
      format: {
        type: "string",
        describe: "How findings are written (default: text)",
        choices: ["text", "json", "sarif", "github", "junit"],
      },
      fix: { type: "boolean", describe: "Mend what has one right answer, then check" },
      against: {
        type: "string",
        describe: "Compare with this connector.json, or with the one of a git reference such as origin/main",
      },
      "fail-on": {
        type: "string",
        describe: "Exit with 1 when --against finds such a change (default: the verdict is only printed)",
        choices: ["major", "minor", "any"],
      },
      "write-changes": {
        type: "string",
        describe: "Write what --against finds to this file, as Markdown for the connector's users",
      },
    },
    run: async (args, output) => (await import("../commands/check.js")).check(args, output),
  },
  {
    words: ["explain"],
    describe: "Tell what a finding means, why it matters, and how the code should be",
    positionals: [{ name: "code", describe: "The code of the finding, such as key-missing" }],
    options: { json: { type: "boolean", describe: "Print the explanation as JSON" } },
    run: async (args, output) => (await import("../commands/explain.js")).explain(args, output),
  },
  {
    words: ["extract"],
    describe: "Write connector.json from the schema modules",
    positionals: [],
    options: {
      ...PROJECT_OPTIONS,
      check: { type: "boolean", describe: "Write nothing; fail when the file is stale" },
      output: {
        type: "string",
        describe: "The file to write, or - for standard output (default: connector.json)",
      },
      "allow-errors": { type: "boolean", describe: "Write in spite of errors; the exit status is still 1" },
      ...JSON_OPTION,
    },
    run: async (args, output) => (await import("../commands/extract.js")).extract(args, output),
  },
  {
    words: ["gen"],
    describe: "Write typed classes, validators and wiring under generated/",
    positionals: [],
    options: {
      ...PROJECT_OPTIONS,
      check: { type: "boolean", describe: "Write nothing; fail when a generated file is stale or edited" },
      watch: { type: "boolean", describe: "Write again after every save, until interrupted" },
      ...JSON_OPTION,
    },
    run: async (args, output) => (await import("../commands/gen.js")).gen(args, output),
  },
  {
    words: ["import", "connector-json"],
    describe: "Make an author's project from a connector.json",
    positionals: [{ name: "file", describe: "The connector.json to read" }],
    options: {
      directory: { type: "string", describe: "The folder of the new project", required: true },
      repair: {
        type: "boolean",
        describe: "Mend key properties that are optional or nullable, and list each change",
      },
      ...JSON_OPTION,
    },
    run: async (args, output) =>
      (await import("../commands/import-connector-json.js")).importConnectorJson(args, output),
  },
  {
    words: ["migrate"],
    describe: "Move an older connector to structured connections, and list what is left to do by hand",
    positionals: [],
    options: {
      "auth-type": {
        type: "string",
        describe: "Where it can't be told: ApiKey, Basic, OAuth2CodeFlow, OAuth2ClientCredentials or Custom",
      },
      name: {
        type: "string",
        describe: "Name of the definition's class, where there are several or the usual one is not wanted",
      },
      "dry-run": { type: "boolean", describe: "Write nothing; print what would be done" },
      ...PROJECT_OPTIONS,
      ...JSON_OPTION,
    },
    run: async (args, output) => (await import("../commands/migrate.js")).migrate(args, output),
  },
];
