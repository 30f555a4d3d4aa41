#!/usr/bin/env node
import { runCommandLine } from "./command-line/front.js";
/** The program `connectorcli`: a process around the command line. */
import { processShell } from "./command-line/process-shell.js";
import { COMMANDS } from "./commands/command-table.js";

process.exitCode = await runCommandLine(process.argv.slice(2), COMMANDS, processShell());
