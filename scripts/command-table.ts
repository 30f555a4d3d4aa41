/** Every command with its words and options, as data: help needs no command to be loaded. */
import type { Output } from "./output.js";

/** An option's value, as its type says. */
export type ArgumentValue = string | boolean | number | readonly string[] | undefined;
export type Arguments = Readonly<Record<string, ArgumentValue>>;

export interface OptionSpec {
  readonly type: "string" | "boolean" | "number";
  readonly describe: string;
  /** What a number says, and so which numbers it may be. */
  readonly counts?: "seconds" | "items" | "port";
  readonly choices?: readonly string[];
  readonly required?: boolean;
}

export interface PositionalSpec {
  readonly name: string;
  readonly describe: string;
  /** Whether the command itself asks for it, or says that it is missing. */
  readonly isAsked?: boolean;
  /** Whether it may be left out. */
  readonly isOptional?: boolean;
  /** Whether it takes all the words that come. */
  readonly isList?: boolean;
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
    counts: "seconds",
    describe: "Seconds that the connector's modules may take to load (default: 30)",
  },
} as const;

/** Options of every command that works with the store. */
const STORE_OPTIONS = {
  ...PROJECT_OPTIONS,
  store: { type: "string", describe: "The store's file (default: .connectorcli-cache/store.db)" },
} as const;

const REVEAL_OPTION = {
  reveal: { type: "boolean", describe: "Show write-only values, which are hidden otherwise" },
} as const;

const JSON_LINES_OPTION = { json: { type: "boolean", describe: "Print JSON, a line each" } } as const;

const LIMIT_OPTION = {
  limit: { type: "number", counts: "items", describe: "At most so many (default: 20; 0 for all)" },
} as const;

const SERVICE_OPTIONS = {
  ...STORE_OPTIONS,
  "module-id": { type: "string", describe: "Only this module, such as app-1" },
  "data-object-url": {
    type: "string",
    describe: "Only this data object: its part of the address, or its class",
  },
  connection: {
    type: "string",
    describe: "The definition key of the connection (default: the active one of the settings)",
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
    run: async (args, output) => (await import("./commands/check.js")).check(args, output),
  },
  {
    words: ["explain"],
    describe: "Tell what a finding means, why it matters, and how the code should be",
    positionals: [{ name: "code", describe: "The code of the finding, such as key-missing" }],
    options: { json: { type: "boolean", describe: "Print the explanation as JSON" } },
    run: async (args, output) => (await import("./commands/explain.js")).explain(args, output),
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
    run: async (args, output) => (await import("./commands/migrate.js")).migrate(args, output),
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
        counts: "seconds",
        describe: "Seconds that the target system may take to answer (default: 30)",
      },
      "sign-in": { type: "boolean", describe: "Sign in again, although a refresh token is there" },
      "no-browser": { type: "boolean", describe: "Only print where to sign in; open no browser" },
      port: {
        type: "number",
        counts: "port",
        describe: "Port that the browser comes back to (default: any that is free)",
      },
      "sign-in-timeout": {
        type: "number",
        counts: "seconds",
        describe: "Seconds that signing in may take (default: 300)",
      },
      json: { type: "boolean", describe: "Print the result as JSON" },
    },
    run: async (args, output) => (await import("./commands/test-connection.js")).testConnection(args, output),
  },
  {
    words: ["run", "cache-writer"],
    describe: "Read data objects into the cache of this machine",
    positionals: [],
    options: {
      ...SERVICE_OPTIONS,
      "approve-deletes": { type: "boolean", describe: "Delete what was not read again, however much it is" },
      "max-rejected": {
        type: "number",
        counts: "items",
        describe: "Fail when more records do not fit their schema (default: never)",
      },
      watch: {
        type: "number",
        counts: "seconds",
        describe: "Run again so many seconds after the end, until interrupted",
      },
      ...JSON_OPTION,
    },
    run: async (args, output) =>
      (await import("./commands/run-cache-writer.js")).runCacheWriter(args, output),
  },
  {
    words: ["run", "action-processor"],
    describe: "Perform queued actions, or queue one and perform it",
    positionals: [],
    options: {
      ...SERVICE_OPTIONS,
      "action-url": { type: "string", describe: "Only this action: its part of the address, or its class" },
      input: {
        type: "string",
        describe: "Queue the action with the JSON of this file (- for standard input), and perform it",
      },
      watch: { type: "boolean", describe: "Go on until interrupted (default: until nothing is due)" },
      ...JSON_OPTION,
    },
    run: async (args, output) =>
      (await import("./commands/run-action-processor.js")).runActionProcessor(args, output),
  },
  {
    words: ["cache", "show"],
    describe: "Show the cached records of a data object",
    positionals: [{ name: "object", describe: "Its part of the address, its class or its data path" }],
    options: { ...STORE_OPTIONS, ...REVEAL_OPTION, ...LIMIT_OPTION, ...JSON_LINES_OPTION },
    run: async (args, output) => (await import("./commands/cache-show.js")).cacheShow(args, output),
  },
  {
    words: ["cache", "get"],
    describe: "Show the cached record with a key",
    positionals: [
      { name: "object", describe: "Its part of the address, its class or its data path" },
      { name: "key", describe: "The values of the key, in its order", isList: true },
    ],
    options: {
      ...STORE_OPTIONS,
      by: { type: "string", describe: "Name of the key (default: the primary one)" },
      ...REVEAL_OPTION,
      ...JSON_LINES_OPTION,
    },
    run: async (args, output) => (await import("./commands/cache-get.js")).cacheGet(args, output),
  },
  {
    words: ["cache", "changes"],
    describe: "List what was inserted, updated and deleted, in order",
    positionals: [],
    options: {
      ...STORE_OPTIONS,
      since: { type: "number", counts: "items", describe: "Only what came after this number (default: 0)" },
      ...REVEAL_OPTION,
      limit: { type: "number", counts: "items", describe: "At most so many (default: all)" },
      ...JSON_LINES_OPTION,
    },
    run: async (args, output) => (await import("./commands/cache-changes.js")).cacheChanges(args, output),
  },
  {
    words: ["cache", "rejected"],
    describe: "Show the records that do not fit their schema, with the reasons",
    positionals: [
      {
        name: "object",
        describe: "Its part of the address, its class or its data path (default: all)",
        isOptional: true,
      },
    ],
    options: { ...STORE_OPTIONS, ...REVEAL_OPTION, ...JSON_LINES_OPTION },
    run: async (args, output) => (await import("./commands/cache-rejected.js")).cacheRejected(args, output),
  },
  {
    words: ["queue", "show"],
    describe: "List the actions of the queue, or show one of them",
    positionals: [{ name: "id", describe: "Number of an action (default: all)", isOptional: true }],
    options: {
      ...STORE_OPTIONS,
      state: {
        type: "string",
        describe: "Only those of this state",
        choices: ["queued", "taken", "succeeded", "failed", "dead", "cancelled"],
      },
      ...REVEAL_OPTION,
      ...JSON_LINES_OPTION,
    },
    run: async (args, output) => (await import("./commands/queue-show.js")).queueShow(args, output),
  },
  {
    words: ["queue", "retry"],
    describe: "Queue an action again that failed or was given up",
    positionals: [{ name: "id", describe: "Its number" }],
    options: STORE_OPTIONS,
    run: async (args, output) => (await import("./commands/queue-retry.js")).queueRetry(args, output),
  },
];

/** `import connector-json <file>`: how a command is called. */
export function usageOf({ words, positionals }: CommandSpec): string {
  return [...words, ...positionals.map(shownPositional)].join(" ");
}

/** How help writes a positional. */
export function shownPositional({ name, isOptional, isList }: PositionalSpec): string {
  const word = isList === true ? `${name}…` : name;
  return isOptional === true ? `[${word}]` : `<${word}>`;
}
