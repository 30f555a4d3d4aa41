/** Every command with its words and options, as data: help needs no command to be loaded. */
import type { Command } from "../command-line/command.js";

/** Options of every command that reads a project. */
const PROJECT_OPTIONS = {
  "connector-path": { type: "string", describe: "The connector's folder (default: the current one)" },
  "load-timeout": {
    type: "number",
    counts: "seconds",
    describe: "Seconds that the connector's modules may take to load (default: 30)",
  },
} as const;

const STORE_FILE_OPTION = {
  store: { type: "string", describe: "The file of the store (default: .connectorcli-cache/store.db)" },
} as const;

const KEY_OPTION = {
  "key-file": {
    type: "string",
    describe: "File with the key that seals the store (default: the variable CONNECTORCLI_KEY, if it is set)",
  },
} as const;

/** Options of every command that works with the store. */
const STORE_OPTIONS = { ...PROJECT_OPTIONS, ...STORE_FILE_OPTION, ...KEY_OPTION } as const;

/** Options of the commands that keep stores in order, on this machine or in a database. */
const KEPT_STORES_OPTIONS = {
  "connector-path": PROJECT_OPTIONS["connector-path"],
  ...STORE_FILE_OPTION,
  database: {
    type: "string",
    describe:
      "A database in place of the file, such as postgres://user@host/database; PGPASSWORD gives its password",
  },
  workspace: { type: "string", describe: "Only this workspace of the database (default: all)" },
} as const;

/** Options of every command that looks into a store, of this machine or of a database. */
const LOOK_OPTIONS = {
  ...STORE_OPTIONS,
  database: KEPT_STORES_OPTIONS.database,
  workspace: {
    type: "string",
    describe: "Which workspace of the database (default: the only one)",
  },
} as const;

const DATABASE_OPTION = {
  database: {
    ...KEPT_STORES_OPTIONS.database,
    describe: "The database, such as postgres://user@host/database; PGPASSWORD gives its password",
    required: true,
  },
} as const;

/** Options of the commands that change a workspace. */
const WORKSPACE_OPTIONS = { ...DATABASE_OPTION, ...KEY_OPTION } as const;

/** Options of the commands that look at schedules of a workspace, and change them. */
const SCHEDULE_OPTIONS = {
  ...DATABASE_OPTION,
  workspace: { type: "string", describe: "Name of the workspace", required: true },
} as const;

const SCHEDULED_OBJECT = {
  name: "object",
  describe: "Its data path, such as projects-api/app/1/project",
} as const;

const WORKSPACE_NAME = { name: "name", describe: "Name of the workspace" } as const;

const CONNECTOR_OPTION = {
  connector: {
    type: "string",
    describe: "The module that build has made, such as dist/connector.mjs (default: the project)",
  },
} as const;

const REVEAL_OPTION = {
  reveal: { type: "boolean", describe: "Show write-only values (default: they are hidden)" },
} as const;

const JSON_LINES_OPTION = {
  json: { type: "boolean", describe: "Print JSON, one line for each item" },
} as const;

const LIMIT_OPTION = {
  limit: { type: "number", counts: "items", describe: "The most records to show (default: 20; 0 for all)" },
} as const;

const TAIL_OPTION = {
  tail: { type: "number", counts: "items", describe: "Only so many of the latest (default: 20; 0 for all)" },
} as const;

const OBJECT_OPTION = {
  object: {
    type: "string",
    describe: "Only this data object: its part of the address, its class or its data path",
  },
} as const;

/** One meaning for all commands. */
const WATCH_OPTION = {
  watch: {
    type: "boolean",
    describe: "Go on until interrupted, and start again after every save of a module",
  },
} as const;

const TRACE_OPTION = {
  trace: {
    type: "boolean",
    describe: "Print every call of the target system and its answer, without secrets",
  },
} as const;

const FAKE_OPTION = {
  fake: {
    type: "string",
    describe: "Address of a fake target system that is called in place of the real one (see fake start)",
  },
} as const;

/** What a fake target system is started with. */
const FAKE_START_OPTIONS = {
  port: {
    type: "number",
    counts: "port",
    describe: "Port on this machine that it listens at (default: any free one)",
  },
  records: {
    type: "number",
    counts: "items",
    describe: "Records of each data object (default: 1000)",
  },
  seed: {
    type: "number",
    counts: "items",
    describe: "The same seed makes the same records and faults (default: 1)",
  },
  fault: {
    type: "string",
    describe: "What goes wrong, at a fifth of all requests (several: A,B; docs/testing.md lists them)",
  },
  connection: {
    type: "string",
    describe: "The definition key of the connection (default: the first one)",
  },
  trace: { type: "boolean", describe: "Print every request that comes" },
} as const;

/** Options of the commands that use the connection of a workspace in place of that of this machine. */
const CONNECTION_OF_WORKSPACE_OPTIONS = {
  database: {
    ...KEPT_STORES_OPTIONS.database,
    describe:
      "A database, such as postgres://user@host/database: use the connection and settings of a workspace there",
  },
  workspace: LOOK_OPTIONS.workspace,
  "key-file": {
    ...KEY_OPTION["key-file"],
    describe:
      "File with the key that opens the settings of the workspace (default: the variable CONNECTORCLI_KEY)",
  },
} as const;

/** Options of every command that runs readers or handlers. */
const CONNECTED_OPTIONS = {
  ...TRACE_OPTION,
  ...FAKE_OPTION,
  ...PROJECT_OPTIONS,
  "module-id": { type: "string", describe: "Only this module, such as app-1" },
  connection: {
    type: "string",
    describe: "The definition key of the connection (default: the active one of the settings)",
  },
} as const;

const DATA_OBJECT_URL_OPTION = {
  "data-object-url": {
    type: "string",
    describe: "Only this data object, by its part of the address or its class",
  },
} as const;

const SERVICE_OPTIONS = {
  ...CONNECTED_OPTIONS,
  ...STORE_OPTIONS,
  ...DATA_OBJECT_URL_OPTION,
  "adopt-store": {
    type: "boolean",
    describe: "Take over the store of another connection: both lead to the same target system",
  },
} as const;

const JSON_OPTION = { json: { type: "boolean", describe: "Print the result as JSON" } } as const;

/** How findings are printed. */
const FORMAT_OPTION = {
  format: {
    type: "string",
    describe: "How findings are written (default: text)",
    choices: ["text", "json", "sarif", "github", "junit"],
  },
} as const;

/** Commands that add to a project what its author goes on from. */
const SCAFFOLDING_COMMANDS: readonly Command[] = [
  {
    words: ["connector", "new"],
    describe:
      "Make the project of a new connector: connector.ts, package.json, tsconfig.json and a CI workflow",
    positionals: [{ name: "name", describe: "Display name of the connector", isAsked: true }],
    options: {
      key: {
        type: "string",
        describe:
          "First part of every address of the connector; it must never change (default: the name in kebab-case)",
      },
      directory: { type: "string", describe: "The folder of the project (default: the current one)" },
      ...JSON_OPTION,
    },
    run: async (args, shell) => (await import("./scaffolding.js")).connectorNew(args, shell),
  },
  {
    words: ["module", "new"],
    describe: "Add a module to the connector",
    positionals: [],
    options: {
      id: { type: "string", describe: "Key and version of the module, such as app-1" },
      name: { type: "string", describe: "Display name of the module" },
      key: { type: "string", describe: "Part of the module's addresses, such as app; it must never change" },
      version: { type: "string", describe: "Version of the module: a whole number, such as 1" },
      ...PROJECT_OPTIONS,
      ...JSON_OPTION,
    },
    run: async (args, shell) => (await import("./scaffolding.js")).moduleNew(args, shell),
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
        describe: "Whether each read brings all records, or those changed since a checkpoint (default: full)",
        choices: ["full", "incremental"],
      },
      from: {
        type: "string",
        describe: "Make the schema, the key and the selector of this answer (- for standard input)",
      },
      list: {
        type: "string",
        describe: 'Method and path of the list, such as "GET /projects" (default: made from the name)',
      },
      parent: {
        type: "string",
        describe:
          "Data object, or A.property, whose records give variables of the path values (several: A,B)",
      },
      setting: {
        type: "string",
        describe: "Setting that gives a variable of the path its value (several: A,B)",
      },
      code: { type: "boolean", describe: "Write a reader in code (default: it is declared)" },
      ...PROJECT_OPTIONS,
      ...JSON_OPTION,
    },
    run: async (args, shell) => (await import("./scaffolding.js")).dataObjectNew(args, shell),
  },
  {
    words: ["action", "new"],
    describe: "Add an action to a data object, with its handler",
    positionals: [],
    options: {
      "module-id": { type: "string", describe: "The module of the data object, such as app-1" },
      "object-name": { type: "string", describe: "Name of the data object's class, such as Employee" },
      name: { type: "string", describe: "Name of the action, such as Create" },
      code: { type: "boolean", describe: "Write a handler in code (default: it is declared)" },
      ...PROJECT_OPTIONS,
      ...JSON_OPTION,
    },
    run: async (args, shell) => (await import("./scaffolding.js")).actionNew(args, shell),
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
        describe: "Name of the definition's class (default: made from the type, such as ApiKeyAuth)",
      },
      ...PROJECT_OPTIONS,
      ...JSON_OPTION,
    },
    run: async (args, shell) => (await import("./scaffolding.js")).clientNew(args, shell),
  },
];

/** Commands that read the schema modules, and make or judge what comes of them. */
const SCHEMA_COMMANDS: readonly Command[] = [
  {
    words: ["check"],
    describe: "Find everything that the platform would reject",
    positionals: [],
    options: {
      ...PROJECT_OPTIONS,
      ...FORMAT_OPTION,
      max: {
        type: "number",
        counts: "items",
        describe: "The most places that the text shows, errors before others (default: 0, which is all)",
      },
      fix: { type: "boolean", describe: "Correct what has one right answer, then check" },
      strict: {
        type: "boolean",
        describe:
          "Take missing and improper attributes for errors: submissions are commonly rejected for them",
      },
      source: {
        type: "boolean",
        describe:
          "Also read the OpenAPI document that the connector was imported from, and say if it has changed",
      },
      against: {
        type: "string",
        describe: "Compare with this connector.json, or with the one of a git reference such as origin/main",
      },
      "fail-on": {
        type: "string",
        describe: "End with status 1 if --against finds such a change (default: the verdict is only printed)",
        choices: ["major", "minor", "any"],
      },
      "write-changes": {
        type: "string",
        describe:
          "Write the changes that --against finds to this file, as Markdown for the connector's users",
      },
    },
    run: async (args, shell) => (await import("./check.js")).check(args, shell),
  },
  {
    words: ["explain"],
    describe: "Explain a finding: what it means, why it matters, and how the code should be",
    positionals: [{ name: "code", describe: "The code of the finding, such as key-missing" }],
    options: { json: { type: "boolean", describe: "Print the explanation as JSON" } },
    run: async (args, shell) => (await import("./explain.js")).explain(args, shell),
  },
  {
    words: ["extract"],
    describe: "Write connector.json from the schema modules",
    positionals: [],
    options: {
      ...PROJECT_OPTIONS,
      check: { type: "boolean", describe: "Write nothing; fail if the file is stale" },
      output: {
        type: "string",
        describe: "The file to write, or - for standard output (default: connector.json)",
      },
      "allow-errors": {
        type: "boolean",
        describe: "Write even if there are errors; the exit status is still 1",
      },
      ...JSON_OPTION,
    },
    run: async (args, shell) => (await import("./extract.js")).extract(args, shell),
  },
  {
    words: ["gen"],
    describe: "Write typed classes, validators and wiring under generated/",
    positionals: [],
    options: {
      ...PROJECT_OPTIONS,
      check: { type: "boolean", describe: "Write nothing; fail if a generated file is stale or edited" },
      ...WATCH_OPTION,
      ...JSON_OPTION,
    },
    run: async (args, shell) => (await import("./gen.js")).gen(args, shell),
  },
  {
    words: ["build"],
    describe: "Make the connector one module for a host, with connector.json and a manifest",
    positionals: [],
    options: {
      ...PROJECT_OPTIONS,
      output: { type: "string", describe: "The folder to write to (default: dist in the project's folder)" },
      external: {
        type: "string",
        describe: "Packages that stay outside, such as drivers with code of their own; joined by commas",
      },
      ...JSON_OPTION,
    },
    run: async (args, shell) => (await import("./build.js")).build(args, shell),
  },
  {
    words: ["import", "connector-json"],
    describe: "Make a connector's project from a connector.json",
    positionals: [{ name: "file", describe: "The connector.json to read" }],
    options: {
      directory: { type: "string", describe: "The folder of the new project", required: true },
      repair: {
        type: "boolean",
        describe: "Make key properties required and not nullable, and list each change",
      },
      ...JSON_OPTION,
    },
    run: async (args, shell) => (await import("./import-connector-json.js")).importConnectorJson(args, shell),
  },
  {
    words: ["import", "openapi"],
    describe: "Make a connector's project from an OpenAPI document, or show what it would be and why",
    positionals: [
      {
        name: "source",
        isOptional: true,
        describe: "The document: a file, or an address (default: that of openapi.config.ts)",
      },
    ],
    options: {
      directory: {
        type: "string",
        describe: "The folder of the project (default: the current one, if it has an openapi.config.ts)",
      },
      select: {
        type: "string",
        isList: true,
        describe: "Only these tags and paths; a path takes all below it (default: the whole document)",
      },
      overlay: {
        type: "string",
        isList: true,
        describe: "Files of OpenAPI overlays, applied to the document in this order",
      },
      accept: {
        type: "boolean",
        describe: "Take over changed decisions on how lists are read, where a document is imported again",
      },
      add: {
        type: "boolean",
        describe:
          "Make modules for data objects and actions that came with a later document, and properties of connections",
      },
      "dry-run": { type: "boolean", describe: "Write nothing; print what would be made" },
      ...JSON_OPTION,
    },
    run: async (args, shell) => (await import("./import-openapi.js")).importOpenApi(args, shell),
  },
  {
    words: ["migrate"],
    describe: "Move an older connector to structured connections, and list what is left to do by hand",
    positionals: [],
    options: {
      "auth-type": {
        type: "string",
        describe:
          "If the settings do not show it: ApiKey, Basic, OAuth2CodeFlow, OAuth2ClientCredentials or Custom",
      },
      name: {
        type: "string",
        describe: "Name of the definition's class, if there are several or another one is wanted",
      },
      "dry-run": { type: "boolean", describe: "Write nothing; print what would be done" },
      ...PROJECT_OPTIONS,
      ...JSON_OPTION,
    },
    run: async (args, shell) => (await import("./migrate.js")).migrate(args, shell),
  },
];

/** Commands that run a connector on this machine. */
const RUNNING_COMMANDS: readonly Command[] = [
  {
    words: ["test", "init"],
    describe: "Write test-settings.json, or add what is missing in it",
    positionals: [],
    options: {
      ...PROJECT_OPTIONS,
      json: { type: "boolean", describe: "Print the settings, without their values, as JSON" },
    },
    run: async (args, shell) => (await import("./test-init.js")).testInit(args, shell),
  },
  {
    words: ["test", "connection"],
    describe:
      "Run the connection test with the test settings, or with those of a workspace; sign in if needed",
    positionals: [],
    options: {
      ...PROJECT_OPTIONS,
      ...CONNECTION_OF_WORKSPACE_OPTIONS,
      connection: {
        type: "string",
        describe: "The definition key of the connection (default: the active one of the settings)",
      },
      timeout: {
        type: "number",
        counts: "seconds",
        describe: "Seconds that the target system may take to answer (default: 30)",
      },
      "sign-in": { type: "boolean", describe: "Sign in again, even if there is a refresh token" },
      "no-browser": { type: "boolean", describe: "Print the address to sign in at, and open no browser" },
      port: {
        type: "number",
        counts: "port",
        describe: "Port on this machine that the browser comes back to (default: any free one)",
      },
      "sign-in-timeout": {
        type: "number",
        counts: "seconds",
        describe: "Seconds that signing in may take (default: 300)",
      },
      ...TRACE_OPTION,
      ...FAKE_OPTION,
      ...JSON_OPTION,
    },
    run: async (args, shell) => (await import("./test-connection.js")).testConnection(args, shell),
  },
  {
    words: ["test", "acceptance"],
    describe:
      "Try the connector where a target system does everything that goes wrong, without credentials; write nothing",
    positionals: [],
    options: {
      object: {
        type: "string",
        describe: "Only this data object and its actions, by its part of the address or its class",
      },
      scenario: {
        type: "string",
        describe: "Only these scenarios (several: A,B; docs/testing.md lists them)",
      },
      all: {
        type: "boolean",
        describe: "Every scenario with every data object, also if there are more than 50; then it takes long",
      },
      records: {
        type: "number",
        counts: "items",
        describe:
          "Records of the data object that is tried (default: 12); with --live, the most that it may have (default: 2000)",
      },
      live: {
        type: "boolean",
        describe:
          "Try the readers and the connection test at the real target system of the test settings; only read there",
      },
      connection: {
        type: "string",
        describe:
          "With --live, the definition key of the connection (default: the active one of the settings)",
      },
      production: {
        type: "boolean",
        describe: "With --live: the connection may lead to the production system",
      },
      ...TRACE_OPTION,
      seed: {
        type: "number",
        counts: "items",
        describe: "The same seed tries the same (default: 1)",
      },
      ...FORMAT_OPTION,
      ...PROJECT_OPTIONS,
    },
    run: async (args, shell) => (await import("./test-acceptance.js")).testAcceptance(args, shell),
  },
  {
    words: ["test", "record"],
    describe:
      "Record what the target system answers to readers, or to an action, with stand-ins for secrets and for what no schema describes",
    positionals: [],
    options: {
      ...OBJECT_OPTION,
      action: {
        type: "string",
        describe:
          "Record this action in place of readers; it is performed once, in the target system that is called",
      },
      input: {
        type: "string",
        describe: "With --action, the file with the JSON of its input (- for standard input)",
      },
      limit: {
        type: "number",
        counts: "items",
        describe: "The most records of a data object (default: 100; 0 for all)",
      },
      update: {
        type: "boolean",
        describe:
          "Record again what is recorded already, and show what has changed in the form of the answers",
      },
      ...CONNECTED_OPTIONS,
      ...JSON_OPTION,
    },
    run: async (args, shell) => (await import("./recordings.js")).testRecord(args, shell),
  },
  {
    words: ["test", "replay"],
    describe: "Run readers and actions on what was recorded, without the target system, and compare",
    positionals: [
      {
        name: "name",
        describe: "Names of recordings, such as project (default: all)",
        isOptional: true,
        isList: true,
      },
    ],
    options: {
      update: {
        type: "boolean",
        describe:
          "Keep what the connector makes of the recorded answers now as what is expected; the answers stay",
      },
      "compare-fake": {
        type: "boolean",
        describe: "Say as well what the target system has answered and the fake target system would not",
      },
      ...PROJECT_OPTIONS,
      ...JSON_OPTION,
    },
    run: async (args, shell) => (await import("./recordings.js")).testReplay(args, shell),
  },
  {
    words: ["fake", "start"],
    describe: "Start a target system that is made of the connector alone, on this machine; write nothing",
    positionals: [],
    options: {
      ...FAKE_START_OPTIONS,
      ...PROJECT_OPTIONS,
      ...JSON_LINES_OPTION,
    },
    run: async (args, shell) => (await import("./fake-start.js")).fakeStart(args, shell),
  },
  {
    words: ["dev"],
    describe: "After every save: gen, check, the fake target system, and what the readers yield from it",
    positionals: [],
    options: {
      ...FAKE_START_OPTIONS,
      limit: {
        type: "number",
        counts: "items",
        describe: "The most records of each data object that is read (default: 5; 0 for all)",
      },
      ...PROJECT_OPTIONS,
      ...JSON_LINES_OPTION,
    },
    run: async (args, shell) => (await import("./dev.js")).dev(args, shell),
  },
  {
    words: ["console"],
    describe:
      "Open a page on this machine that shows records, runs, failures and traffic, and tries readers and actions",
    positionals: [],
    options: {
      write: {
        type: "boolean",
        describe:
          "Let the page change something: read, queue, perform and cancel, sign in, pause workspaces and schedules",
      },
      open: { type: "boolean", describe: "Open it in a browser" },
      port: {
        type: "number",
        counts: "port",
        describe: "Port on this machine that it listens at (default: any free one)",
      },
      "sign-in-port": {
        type: "number",
        counts: "port",
        describe:
          "Port on this machine that the browser comes back to after a sign-in (default: any free one)",
      },
      "idle-minutes": {
        type: "number",
        counts: "items",
        describe: "Minutes after which a console that nobody looks at ends (default: 60)",
      },
      connection: {
        type: "string",
        describe: "The definition key of the connection (default: the active one of the settings)",
      },
      ...FAKE_OPTION,
      ...LOOK_OPTIONS,
      workspace: {
        ...LOOK_OPTIONS.workspace,
        describe: "Which workspace of the database is shown first (default: the first one)",
      },
    },
    run: async (args, shell) => (await import("./console.js")).consoleCommand(args, shell),
  },
  {
    words: ["read"],
    describe: "Try the reader of a data object: read some records, check them and show them; write nothing",
    positionals: [
      { name: "object", describe: "The data object, by its part of the address, its class or its data path" },
    ],
    options: {
      ...CONNECTED_OPTIONS,
      ...CONNECTION_OF_WORKSPACE_OPTIONS,
      limit: { type: "number", counts: "items", describe: "The most records (default: 20; 0 for all)" },
      page: { type: "number", counts: "pages", describe: "Begin with this page of the list (default: 1)" },
      ...WATCH_OPTION,
      ...JSON_OPTION,
    },
    run: async (args, shell) => (await import("./preview-records.js")).read(args, shell),
  },
  {
    words: ["act"],
    describe: "Try an action: perform it once and show what it gives; with --dry-run show what would be sent",
    positionals: [{ name: "action", describe: "The action, by its part of the address or its class" }],
    options: {
      input: {
        type: "string",
        describe: "The file with the JSON of its input (- for standard input)",
        required: true,
      },
      "dry-run": {
        type: "boolean",
        describe: "Send nothing but what reads: show the request that would change the target system",
      },
      ...DATA_OBJECT_URL_OPTION,
      ...CONNECTED_OPTIONS,
      ...CONNECTION_OF_WORKSPACE_OPTIONS,
      ...JSON_OPTION,
    },
    run: async (args, shell) => (await import("./try-action.js")).act(args, shell),
  },
  {
    words: ["run", "cache-writer"],
    describe: "Read data objects into the cache of this machine",
    positionals: [],
    options: {
      ...SERVICE_OPTIONS,
      "approve-deletes": {
        type: "boolean",
        describe: "Delete all records that were not read again, however many they are",
      },
      "max-rejected": {
        type: "number",
        counts: "items",
        describe: "Fail if more records than this do not fit their schema (default: no limit)",
      },
      "dry-run": {
        type: "boolean",
        describe: "Read some records of each data object, check them and show them; write nothing",
      },
      limit: {
        type: "number",
        counts: "items",
        describe: "With --dry-run, the most records of a data object (default: 20; 0 for all)",
      },
      ...WATCH_OPTION,
      every: {
        type: "number",
        counts: "seconds",
        describe: "Watch, and also run again this many seconds after the end of a run",
      },
      ...JSON_OPTION,
    },
    run: async (args, shell) => (await import("./run-cache-writer.js")).runCacheWriter(args, shell),
  },
  {
    words: ["run", "action-processor"],
    describe: "Perform queued actions, or queue one and perform it",
    positionals: [],
    options: {
      ...SERVICE_OPTIONS,
      "action-url": { type: "string", describe: "Only this action, by its part of the address or its class" },
      input: {
        type: "string",
        describe: "Queue the action with the JSON of this file (- for standard input), and perform it",
      },
      concurrency: {
        type: "number",
        counts: "workers",
        describe: "How many actions are performed at the same time (default: the one in package.json, or 1)",
      },
      ...WATCH_OPTION,
      ...JSON_OPTION,
    },
    run: async (args, shell) => (await import("./run-action-processor.js")).runActionProcessor(args, shell),
  },
];

/** Commands that look into the store, or put an action back into its queue. */
const STORE_COMMANDS: readonly Command[] = [
  {
    words: ["cache", "show"],
    describe: "Show the cached records of a data object",
    positionals: [
      { name: "object", describe: "The data object, by its part of the address, its class or its data path" },
    ],
    options: { ...LOOK_OPTIONS, ...REVEAL_OPTION, ...LIMIT_OPTION, ...JSON_LINES_OPTION },
    run: async (args, shell) => (await import("./cache.js")).cacheShow(args, shell),
  },
  {
    words: ["cache", "get"],
    describe: "Show the cached record with a key",
    positionals: [
      { name: "object", describe: "The data object, by its part of the address, its class or its data path" },
      { name: "key", describe: "The values of the key, in the order of its properties", isList: true },
    ],
    options: {
      ...LOOK_OPTIONS,
      by: { type: "string", describe: "Name of the key (default: the primary one)" },
      ...REVEAL_OPTION,
      ...JSON_LINES_OPTION,
    },
    run: async (args, shell) => (await import("./cache.js")).cacheGet(args, shell),
  },
  {
    words: ["cache", "changes"],
    describe: "List what was inserted, updated and deleted, in order",
    positionals: [],
    options: {
      ...LOOK_OPTIONS,
      since: {
        type: "number",
        counts: "items",
        describe: "All changes after this number; 0 for all (default: the last 20)",
      },
      ...REVEAL_OPTION,
      limit: { type: "number", counts: "items", describe: "The most changes to list (default: all)" },
      ...OBJECT_OPTION,
      tail: {
        type: "number",
        counts: "items",
        describe: "Only so many of the latest (default: 20, or all with --since or --limit; 0 for all)",
      },
      ...JSON_LINES_OPTION,
    },
    run: async (args, shell) => (await import("./cache.js")).cacheChanges(args, shell),
  },
  {
    words: ["cache", "rejected"],
    describe: "Show the records that do not fit their schema, with the reasons",
    positionals: [
      {
        name: "object",
        describe: "The data object, by its part of the address, its class or its data path (default: all)",
        isOptional: true,
      },
    ],
    options: { ...LOOK_OPTIONS, ...REVEAL_OPTION, ...JSON_LINES_OPTION },
    run: async (args, shell) => (await import("./cache.js")).cacheRejected(args, shell),
  },
  {
    words: ["runs", "list"],
    describe: "List the runs of the cache writer, the newest first",
    positionals: [
      {
        name: "object",
        describe: "The data object, by its part of the address, its class or its data path (default: all)",
        isOptional: true,
      },
    ],
    options: {
      ...LOOK_OPTIONS,
      failed: { type: "boolean", describe: "Only runs that have ended without success" },
      ...TAIL_OPTION,
      ...JSON_LINES_OPTION,
    },
    run: async (args, shell) => (await import("./runs.js")).runsList(args, shell),
  },
  {
    words: ["runs", "show"],
    describe: "Show a run of the cache writer: its counts, its requests, and why it did not succeed",
    positionals: [{ name: "id", describe: "Number of the run" }],
    options: { ...LOOK_OPTIONS, ...JSON_LINES_OPTION },
    run: async (args, shell) => (await import("./runs.js")).runsShow(args, shell),
  },
  {
    words: ["queue", "list"],
    describe: "List the actions of the queue",
    positionals: [],
    options: {
      ...LOOK_OPTIONS,
      state: {
        type: "string",
        describe: "Only actions in this state (default: all)",
        choices: ["queued", "taken", "succeeded", "failed", "dead", "cancelled"],
      },
      ...OBJECT_OPTION,
      ...TAIL_OPTION,
      ...REVEAL_OPTION,
      ...JSON_LINES_OPTION,
    },
    run: async (args, shell) => (await import("./queue.js")).queueList(args, shell),
  },
  {
    words: ["queue", "show"],
    describe: "Show an action of the queue with all that is known of it",
    positionals: [{ name: "id", describe: "Number of the action" }],
    options: { ...LOOK_OPTIONS, ...REVEAL_OPTION, ...JSON_LINES_OPTION },
    run: async (args, shell) => (await import("./queue.js")).queueShow(args, shell),
  },
  {
    words: ["queue", "retry"],
    describe:
      "Queue an action again that failed, is a dead letter or was cancelled, or let one that waits be due now",
    positionals: [{ name: "id", describe: "Number of the action", isOptional: true }],
    options: {
      ...LOOK_OPTIONS,
      state: {
        type: "string",
        describe: "All actions in this state",
        choices: ["queued", "failed", "dead", "cancelled"],
      },
    },
    run: async (args, shell) => (await import("./queue.js")).queueRetry(args, shell),
  },
  {
    words: ["queue", "cancel"],
    describe: "Cancel an action that waits in the queue",
    positionals: [{ name: "id", describe: "Number of the action" }],
    options: LOOK_OPTIONS,
    run: async (args, shell) => (await import("./queue.js")).queueCancel(args, shell),
  },
  {
    words: ["store", "copy"],
    describe: "Copy the store of this machine into a PostgreSQL database; the next run there changes nothing",
    positionals: [],
    options: {
      "connector-path": PROJECT_OPTIONS["connector-path"],
      from: STORE_FILE_OPTION.store,
      to: {
        type: "string",
        describe:
          "The database, such as postgres://user@host/database; the variable PGPASSWORD gives its password",
        required: true,
      },
      workspace: {
        type: "string",
        describe: "Name of the tenant that it becomes, such as acme",
        required: true,
      },
      ...KEY_OPTION,
      ...JSON_OPTION,
    },
    run: async (args, shell) => (await import("./store-copy.js")).storeCopy(args, shell),
  },
  {
    words: ["serve"],
    describe: "Run a worker for the workspaces of a database; start as many as wanted, on any machines",
    positionals: [],
    options: {
      ...WORKSPACE_OPTIONS,
      ...CONNECTOR_OPTION,
      ...PROJECT_OPTIONS,
      "action-slots": {
        type: "number",
        counts: "workers",
        describe: "In how many workspaces actions are performed at the same time (default: 10)",
      },
      "read-slots": {
        type: "number",
        counts: "workers",
        describe: "In how many workspaces data objects are read at the same time (default: 4)",
      },
      slice: {
        type: "number",
        counts: "seconds",
        describe: "Seconds that one workspace is served while others wait (default: 30)",
      },
      drain: {
        type: "number",
        counts: "seconds",
        describe: "Seconds that handlers may go on after an interruption (default: 30)",
      },
      "keep-before": {
        type: "number",
        counts: "items",
        describe: "Of how many of the latest changes the record before is kept (default: 0)",
      },
      host: {
        type: "string",
        describe: "Address where health and metrics are answered (default: 127.0.0.1)",
      },
      port: { type: "number", counts: "items", describe: "Port of that, 0 for any (default: 9464)" },
    },
    run: async (args, shell) => (await import("./serve.js")).serve(args, shell),
  },
  {
    words: ["workspace", "add"],
    describe: "Add a workspace that workers serve: its connection, its configurations, its schedules",
    positionals: [WORKSPACE_NAME],
    options: {
      settings: {
        type: "string",
        describe:
          "JSON file with connection, registrationConfiguration, services and schedules; - for standard input",
        required: true,
      },
      ...WORKSPACE_OPTIONS,
    },
    run: async (args, shell) => (await import("./workspace.js")).workspaceAdd(args, shell),
  },
  {
    words: ["workspace", "set"],
    describe: "Change a workspace: workers go by it from the next action or read on",
    positionals: [WORKSPACE_NAME],
    options: {
      settings: { type: "string", describe: "JSON file with all settings, as of workspace add" },
      pause: { type: "boolean", describe: "Let workers leave the workspace alone" },
      resume: { type: "boolean", describe: "Let workers serve it again" },
      ...WORKSPACE_OPTIONS,
    },
    run: async (args, shell) => (await import("./workspace.js")).workspaceSet(args, shell),
  },
  {
    words: ["workspace", "list"],
    describe: "List the workspaces of a database, with --json also their schedules",
    positionals: [],
    options: { ...DATABASE_OPTION, ...JSON_LINES_OPTION },
    run: async (args, shell) => (await import("./workspace.js")).workspaceList(args, shell),
  },
  {
    words: ["workspace", "remove"],
    describe: "Remove a workspace with its records, runs and actions",
    positionals: [WORKSPACE_NAME],
    options: DATABASE_OPTION,
    run: async (args, shell) => (await import("./workspace.js")).workspaceRemove(args, shell),
  },
  {
    words: ["schedule", "list"],
    describe: "List when the data objects of a workspace are read, and how the last read ended",
    positionals: [],
    options: { ...SCHEDULE_OPTIONS, ...JSON_LINES_OPTION },
    run: async (args, shell) => (await import("./workspace.js")).scheduleList(args, shell),
  },
  {
    words: ["schedule", "pause"],
    describe: "Let workers leave a data object of a workspace alone",
    positionals: [SCHEDULED_OBJECT],
    options: SCHEDULE_OPTIONS,
    run: async (args, shell) => (await import("./workspace.js")).schedulePause(args, shell),
  },
  {
    words: ["schedule", "resume"],
    describe: "Let workers read a data object of a workspace by its schedule again",
    positionals: [SCHEDULED_OBJECT],
    options: SCHEDULE_OPTIONS,
    run: async (args, shell) => (await import("./workspace.js")).scheduleResume(args, shell),
  },
  {
    words: ["schedule", "run"],
    describe: "Let workers read a data object of a workspace as soon as one is free, also if it is paused",
    positionals: [SCHEDULED_OBJECT],
    options: {
      ...SCHEDULE_OPTIONS,
      "approve-deletes": {
        type: "boolean",
        describe: "Let this read delete all records that it does not meet, however many they are",
      },
    },
    run: async (args, shell) => (await import("./workspace.js")).scheduleRun(args, shell),
  },
  {
    words: ["worker", "list"],
    describe: "List the workers of a database: which live, what they do, and what waits for them",
    positionals: [],
    options: { ...DATABASE_OPTION, ...JSON_LINES_OPTION },
    run: async (args, shell) => (await import("./workspace.js")).workerList(args, shell),
  },
  {
    words: ["action", "enqueue"],
    describe: "Queue an action for a workspace of a database; a worker performs it",
    positionals: [{ name: "action", describe: "Its address, such as projects-api/app/1/project/create" }],
    options: {
      input: { type: "string", describe: "JSON file with the input; - for standard input", required: true },
      workspace: { type: "string", describe: "Name of the workspace", required: true },
      "max-queued": {
        type: "number",
        counts: "items",
        describe: "How many actions of the workspace may wait; no more are queued then (default: 100000)",
      },
      ...WORKSPACE_OPTIONS,
      ...CONNECTOR_OPTION,
      ...PROJECT_OPTIONS,
    },
    run: async (args, shell) => (await import("./workspace.js")).actionEnqueue(args, shell),
  },
  {
    words: ["store", "migrate"],
    describe: "Bring the tables of a database to the version of this package, before its workers are started",
    positionals: [],
    options: {
      database: {
        ...KEPT_STORES_OPTIONS.database,
        describe: "The database, such as postgres://user@host/database; PGPASSWORD gives its password",
        required: true,
      },
    },
    run: async (args, shell) => (await import("./keep-stores.js")).storeMigrate(args, shell),
  },
  {
    words: ["store", "prune"],
    describe: "Remove changes from the change feed that are old and that no consumer waits for",
    positionals: [],
    options: {
      ...KEPT_STORES_OPTIONS,
      "keep-days": {
        type: "number",
        counts: "items",
        describe: "Days for which every change is kept (default: 14)",
      },
      "consumer-days": {
        type: "number",
        counts: "items",
        describe:
          "Days for which a consumer that says nothing keeps what it has not dealt with (default: 30)",
      },
      ...JSON_LINES_OPTION,
    },
    run: async (args, shell) => (await import("./keep-stores.js")).storePrune(args, shell),
  },
  {
    words: ["consumers", "list"],
    describe: "List the programs that follow the change feed, and how far each is",
    positionals: [],
    options: { ...KEPT_STORES_OPTIONS, ...JSON_LINES_OPTION },
    run: async (args, shell) => (await import("./consumers.js")).consumersList(args, shell),
  },
  {
    words: ["consumers", "advance"],
    describe: "Note that a program has dealt with all changes up to a number",
    positionals: [{ name: "name", describe: "Name of the consumer, which is made if it is new" }],
    options: {
      ...KEPT_STORES_OPTIONS,
      to: { type: "number", counts: "items", describe: "Number of the last change", required: true },
      ...JSON_LINES_OPTION,
    },
    run: async (args, shell) => (await import("./consumers.js")).consumersAdvance(args, shell),
  },
  {
    words: ["consumers", "forget"],
    describe: "Forget a program that follows the change feed no more",
    positionals: [{ name: "name", describe: "Name of the consumer" }],
    options: { ...KEPT_STORES_OPTIONS, ...JSON_LINES_OPTION },
    run: async (args, shell) => (await import("./consumers.js")).consumersForget(args, shell),
  },
  {
    words: ["key", "new"],
    describe: "Write a new key for sealed stores into a file that only you can read",
    positionals: [{ name: "file", describe: "The file, which must not be there yet" }],
    options: {},
    run: async (args, shell) => (await import("./keys.js")).keyNew(args, shell),
  },
  {
    words: ["key", "rotate"],
    describe: "Wrap the data keys of sealed stores with the first key that is given",
    positionals: [],
    options: {
      ...KEPT_STORES_OPTIONS,
      "key-file": {
        type: "string",
        describe: "File with the new key, and behind it the old one (default: the variable CONNECTORCLI_KEY)",
      },
      "new-data-key": {
        type: "boolean",
        describe: "Also make a new data key for what is written from now on",
      },
      ...JSON_LINES_OPTION,
    },
    run: async (args, shell) => (await import("./keys.js")).keyRotate(args, shell),
  },
];

export const COMMANDS: readonly Command[] = [
  ...SCAFFOLDING_COMMANDS,
  ...SCHEMA_COMMANDS,
  ...RUNNING_COMMANDS,
  ...STORE_COMMANDS,
];
