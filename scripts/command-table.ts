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

export interface PositionalSpec {
  readonly name: string;
  readonly describe: string;
  /** Whether the command itself asks for it, or says that it is missing. */
  readonly isAsked?: boolean;
}

export interface CommandSpec {
  /** Words of the command: `import connector-json`. */
  readonly words: readonly string[];
  readonly describe: string;
  readonly positionals: readonly PositionalSpec[];
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

const JSON_OPTION = { json: { type: "boolean", describe: "Print the result as JSON" } } as const;

export const COMMANDS: readonly CommandSpec[] = [
  {
    words: ["connector", "new"],
    describe: "Start a connector's project: connector.ts and the papers around it",
    positionals: [{ name: "name", describe: "Name of the connector, as people read it", isAsked: true }],
    options: {
      key: {
        type: "string",
        describe: "Part of every address of the connector, for ever (default: the name in kebab-case)",
      },
      directory: { type: "string", describe: "The folder of the project (default: the current one)" },
      ...JSON_OPTION,
    },
    run: async (args, output) => (await import("./commands/connector-new.js")).connectorNew(args, output),
  },
  {
    words: ["module", "new"],
    describe: "Add a module to the connector",
    positionals: [],
    options: {
      id: { type: "string", describe: "Its key and version, such as app-1" },
      name: { type: "string", describe: "Its name, as people read it" },
      key: { type: "string", describe: "Part of its addresses, for ever, such as app" },
      version: { type: "string", describe: "A whole number, such as 1" },
      ...PROJECT_OPTIONS,
      ...JSON_OPTION,
    },
    run: async (args, output) => (await import("./commands/module-new.js")).moduleNew(args, output),
  },
  {
    words: ["data-object", "new"],
    describe: "Add a data object to a module, with its reader",
    positionals: [],
    options: {
      "module-id": { type: "string", describe: "The module that it belongs to, such as app-1" },
      name: { type: "string", describe: "Name of its class, such as Employee" },
      "reader-type": {
        type: "string",
        describe: "Whether it is read as a whole, or from a checkpoint on (default: full)",
        choices: ["full", "incremental"],
      },
      ...PROJECT_OPTIONS,
      ...JSON_OPTION,
    },
    run: async (args, output) => (await import("./commands/data-object-new.js")).dataObjectNew(args, output),
  },
  {
    words: ["action", "new"],
    describe: "Add an action to a data object, with its handler",
    positionals: [],
    options: {
      "module-id": { type: "string", describe: "The module of the data object, such as app-1" },
      "object-name": { type: "string", describe: "Name of the data object's class, such as Employee" },
      name: { type: "string", describe: "Name of the action, such as Create" },
      ...PROJECT_OPTIONS,
      ...JSON_OPTION,
    },
    run: async (args, output) => (await import("./commands/action-new.js")).actionNew(args, output),
  },
  {
    words: ["check"],
    describe: "Find what the platform would reject, all of it at once",
    positionals: [],
    options: {
      ...PROJECT_OPTIONS,
      format: {
        type: "string",
        describe: "How findings are written (default: text)",
        choices: ["text", "json"],
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
  {
    words: ["client", "new"],
    describe: "Add a connection: its definition, authentication, API client and test",
    positionals: [],
    options: {
      "auth-type": {
        type: "string",
        describe: "Required: ApiKey, Basic, OAuth2CodeFlow, OAuth2ClientCredentials or Custom",
      },
      name: {
        type: "string",
        describe: "Name of the definition's class, for a second one of the type (default: as ApiKeyAuth)",
      },
      ...PROJECT_OPTIONS,
      json: { type: "boolean", describe: "Print the result as JSON" },
    },
    run: async (args, output) => (await import("./commands/client-new.js")).clientNew(args, output),
  },
  {
    words: ["test", "init"],
    describe: "Write test-settings.json, or add to it what is missing",
    positionals: [],
    options: {
      ...PROJECT_OPTIONS,
      json: { type: "boolean", describe: "Print the settings, without their values, as JSON" },
    },
    run: async (args, output) => (await import("./commands/test-init.js")).testInit(args, output),
  },
  {
    words: ["test", "connection"],
    describe: "Run the connection test with the test settings",
    positionals: [],
    options: {
      ...PROJECT_OPTIONS,
      connection: {
        type: "string",
        describe: "The definition key of the connection (default: the active one of the settings)",
      },
      timeout: {
        type: "number",
        describe: "Seconds that the target system may take to answer (default: 30)",
      },
      "sign-in": { type: "boolean", describe: "Sign in again, although a refresh token is there" },
      "no-browser": { type: "boolean", describe: "Only print where to sign in; open no browser" },
      port: { type: "number", describe: "Port that the browser comes back to (default: any that is free)" },
      "sign-in-timeout": { type: "number", describe: "Seconds that signing in may take (default: 300)" },
      json: { type: "boolean", describe: "Print the result as JSON" },
    },
    run: async (args, output) => (await import("./commands/test-connection.js")).testConnection(args, output),
  },
];

/** `import connector-json <file>`: how a command is called. */
export function usageOf({ words, positionals }: CommandSpec): string {
  return [...words, ...positionals.map(({ name }) => `<${name}>`)].join(" ");
}
