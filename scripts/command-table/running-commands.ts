/** Commands that run a connector on this machine. */
import type { CommandSpec } from "../command-spec.js";
import { JSON_OPTION, PROJECT_OPTIONS, SERVICE_OPTIONS } from "./shared-options.js";

export const RUNNING_COMMANDS: readonly CommandSpec[] = [
  {
    words: ["test", "init"],
    describe: "Write test-settings.json, or add to it what is missing",
    positionals: [],
    options: {
      ...PROJECT_OPTIONS,
      json: { type: "boolean", describe: "Print the settings, without their values, as JSON" },
    },
    run: async (args, output) => (await import("../commands/test-init.js")).testInit(args, output),
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
      ...JSON_OPTION,
    },
    run: async (args, output) =>
      (await import("../commands/test-connection.js")).testConnection(args, output),
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
      (await import("../commands/run-cache-writer.js")).runCacheWriter(args, output),
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
      (await import("../commands/run-action-processor.js")).runActionProcessor(args, output),
  },
];
