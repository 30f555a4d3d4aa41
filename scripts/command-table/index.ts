/** Every command with its words and options, as data: help needs no command to be loaded. */
import type { CommandSpec } from "../command-spec.js";
import { RUNNING_COMMANDS } from "./running-commands.js";
import { SCAFFOLDING_COMMANDS } from "./scaffolding-commands.js";
import { SCHEMA_COMMANDS } from "./schema-commands.js";
import { STORE_COMMANDS } from "./store-commands.js";

export const COMMANDS: readonly CommandSpec[] = [
  ...SCAFFOLDING_COMMANDS,
  ...SCHEMA_COMMANDS,
  ...RUNNING_COMMANDS,
  ...STORE_COMMANDS,
];
