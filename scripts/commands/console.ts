/** `connectorcli console`: a page in a browser, until it is interrupted. */
import { StoreError } from "../../runtime/store/store.js";
import { numberOf, projectOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { startConsole } from "../console/start-console.js";
import { findingsText } from "../findings/findings-text.js";
import { openBrowser } from "../sign-in/browser.js";
import { storeFindingOf } from "../workbench/store-file.js";
import { storeFileOf } from "./services.js";
import { storeKeyOf } from "./store-key.js";

export async function consoleCommand(args: Arguments, shell: Shell): Promise<number> {
  if (args["connection"] !== undefined && args["database"] !== undefined) {
    shell.say("Each workspace of a database has its own connection: leave out --connection.");
    return 2;
  }
  return shell.interruptible(async (signal) => {
    let running: Awaited<ReturnType<typeof startConsole>>;
    try {
      running = await startConsole({
        ...projectOf(args, shell),
        storeFile: storeFileOf(args, shell),
        storeKey: storeKeyOf(args, shell),
        database: stringOf(args["database"]),
        workspace: stringOf(args["workspace"]),
        connection: stringOf(args["connection"]),
        fake: stringOf(args["fake"]),
        isWritable: args["write"] === true,
        port: numberOf(args["port"]),
        signInPort: numberOf(args["sign-in-port"]),
        idleMinutes: numberOf(args["idle-minutes"]),
        environment: shell.environment,
        onLine: shell.say,
      });
    } catch (error) {
      if (error instanceof StoreError) {
        shell.say(findingsText([storeFindingOf(error)], { cwd: shell.cwd }).trimEnd());
        return 1;
      }
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      shell.say(`Port ${numberOf(args["port"])} is taken: choose another --port, or leave it out.`);
      return 1;
    }
    shell.result(`${running.address}\n`);
    shell.say(
      "The address has a token: whoever has it can do what the page can. Interrupt to end the console.",
    );
    if (args["open"] === true) await openBrowser(running.address, shell.environment);
    await Promise.race([running.ended, interrupted(signal)]);
    await running.close();
    return 0;
  });
}

function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
