/** The running process as a shell. A reader that stops reading, as `head` does, ends the program quietly. */
import { setFlagsFromString } from "node:v8";
import { readStreamText } from "../system/read-text.js";
import type { Shell } from "./shell.js";

export function processShell(): Shell {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
  return {
    cwd: process.cwd(),
    environment: process.env,
    isTerminal: process.stdout.isTTY === true && process.env["NO_COLOR"] === undefined,
    columns: process.stdout.isTTY === true ? process.stdout.columns : undefined,
    hasBars: process.stderr.isTTY === true,
    canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
    result: (text) => void process.stdout.write(text),
    say: (text) => void process.stderr.write(`${text}\n`),
    write: (text) => void process.stderr.write(text),
    input: () => readStreamText(0),
    delayOptimization,
    interruptible,
  };
}

const V8_OF_NODE_20 = /^11\./;

/**
 * A command is over before optimized code pays: on Node 20, compiling it later takes a third off the time of both
 * threads. Newer lines do not know the flag, and would print an error.
 */
function delayOptimization(): void {
  if (V8_OF_NODE_20.test(process.versions.v8)) setFlagsFromString("--interrupt-budget=660000");
}

const interruptible: Shell["interruptible"] = async (use, signals = ["SIGINT", "SIGTERM"]) => {
  const controller = new AbortController();
  const letGo = () => {
    for (const signal of signals) process.off(signal, stop);
  };
  // The second one, of either kind, ends the process as if nobody listened.
  const stop = () => {
    letGo();
    controller.abort();
  };
  for (const signal of signals) process.on(signal, stop);
  try {
    return await use(controller.signal);
  } finally {
    letGo();
  }
};
