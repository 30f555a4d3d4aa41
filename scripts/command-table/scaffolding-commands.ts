/** Commands that add to a project what its author goes on from. */
import type { CommandSpec } from "../command-spec.js";
import { JSON_OPTION, PROJECT_OPTIONS } from "./shared-options.js";

export const SCAFFOLDING_COMMANDS: readonly CommandSpec[] = [
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
    run: async (args, output) => (await import("../commands/connector-new.js")).connectorNew(args, output),
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
    run: async (args, output) => (await import("../commands/module-new.js")).moduleNew(args, output),
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
    run: async (args, output) => (await import("../commands/data-object-new.js")).dataObjectNew(args, output),
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
    run: async (args, output) => (await import("../commands/action-new.js")).actionNew(args, output),
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
      ...JSON_OPTION,
    },
    run: async (args, output) => (await import("../commands/client-new.js")).clientNew(args, output),
  },
];
