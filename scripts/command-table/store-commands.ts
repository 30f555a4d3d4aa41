/** Commands that look into the store, or put an action back into its queue. */
import type { CommandSpec } from "../command-spec.js";
import { JSON_LINES_OPTION, LIMIT_OPTION, REVEAL_OPTION, STORE_OPTIONS } from "./shared-options.js";

export const STORE_COMMANDS: readonly CommandSpec[] = [
  {
    words: ["cache", "show"],
    describe: "Show the cached records of a data object",
    positionals: [{ name: "object", describe: "Its part of the address, its class or its data path" }],
    options: { ...STORE_OPTIONS, ...REVEAL_OPTION, ...LIMIT_OPTION, ...JSON_LINES_OPTION },
    run: async (args, output) => (await import("../commands/cache-show.js")).cacheShow(args, output),
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
    run: async (args, output) => (await import("../commands/cache-get.js")).cacheGet(args, output),
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
    run: async (args, output) => (await import("../commands/cache-changes.js")).cacheChanges(args, output),
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
    run: async (args, output) => (await import("../commands/cache-rejected.js")).cacheRejected(args, output),
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
    run: async (args, output) => (await import("../commands/queue-show.js")).queueShow(args, output),
  },
  {
    words: ["queue", "retry"],
    describe: "Queue an action again that failed or was given up",
    positionals: [{ name: "id", describe: "Its number" }],
    options: STORE_OPTIONS,
    run: async (args, output) => (await import("../commands/queue-retry.js")).queueRetry(args, output),
  },
];
