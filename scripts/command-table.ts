/** Every command with its words and options, as data: help needs no command to be loaded. */
import type { Output } from "./output.js";

/** An option's value, as its type says. */
export type ArgumentValue = string | boolean | number | undefined;
export type Arguments = Readonly<Record<string, ArgumentValue>>;

export interface OptionSpec {
  readonly type: "string" | "boolean" | "number";
  readonly describe: string;
  readonly choices?: readonly string[];
  readonly required?: boolean;
}

export interface CommandSpec {
  /** Words of the command: `import connector-json`. */
  readonly words: readonly string[];
  readonly describe: string;
  readonly positionals: readonly { readonly name: string; readonly describe: string }[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Loads the command and runs it; the exit status is 0 when done, 1 with findings. */
  readonly run: (args: Arguments, output: Output) => Promise<number>;
}

/** Options of every command that reads a project. */
const PROJECT_OPTIONS = {
  "connector-path": { type: "string", describe: "The connector's folder (default: the current one)" },
  "load-timeout": {
    type: "number",
    describe: "Seconds that the connector's modules may take to load (default: 30)",
  },
} as const;

export const COMMANDS: readonly CommandSpec[] = [
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
    run: async (args, output) => (await import("./commands/check.js")).check(args, output),
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
      json: { type: "boolean", describe: "Print the result as JSON" },
    },
    run: async (args, output) => (await import("./commands/extract.js")).extract(args, output),
  },
  {
    words: ["gen"],
    describe: "Write typed classes, validators and wiring under generated/",
    positionals: [],
    options: {
      ...PROJECT_OPTIONS,
      check: { type: "boolean", describe: "Write nothing; fail when a generated file is stale or edited" },
      watch: { type: "boolean", describe: "Write again after every save, until interrupted" },
      json: { type: "boolean", describe: "Print the result as JSON" },
    },
    run: async (args, output) => (await import("./commands/gen.js")).gen(args, output),
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
      json: { type: "boolean", describe: "Print the result as JSON" },
    },
    run: async (args, output) =>
      (await import("./commands/import-connector-json.js")).importConnectorJson(args, output),
  },
];

/** `import connector-json <file>`: how a command is called. */
export function usageOf({ words, positionals }: CommandSpec): string {
  return [...words, ...positionals.map(({ name }) => `<${name}>`)].join(" ");
}
