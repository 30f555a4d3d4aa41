/** `connectorcli store migrate` and `store prune`: versions of tables, and the end of the change feed. */
import { numberOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { findingsText } from "../findings/findings-text.js";
import { migrateDatabase, pruneStores } from "../workbench/keep-stores.js";
import { keptStoresOf, printKept } from "./kept-stores.js";

const DAY_MS = 24 * 60 * 60 * 1_000;

/** `store migrate`: brings the tables of a database to the version of this package. */
export async function storeMigrate(args: Arguments, shell: Shell): Promise<number> {
  const { versions, diagnostics } = await migrateDatabase({ database: stringOf(args["database"]) ?? "" });
  if (versions === undefined) {
    shell.say(findingsText(diagnostics, { cwd: shell.cwd }).trimEnd());
    return 1;
  }
  const { from, to } = versions;
  const words =
    from === to
      ? `The tables have version ${to} already.`
      : from === 0
        ? `The tables were made, in version ${to}.`
        : `The tables were brought from version ${from} to ${to}.`;
  shell.result(`${words}\n`);
  return 0;
}

/** `store prune`: removes changes that are old and that nobody waits for. */
export async function storePrune(args: Arguments, shell: Shell): Promise<number> {
  const [keepMs, consumerMs] = ["keep-days", "consumer-days"].map((name) => {
    const days = numberOf(args[name]);
    return days === undefined ? undefined : days * DAY_MS;
  });
  const pruned = await pruneStores({ ...keptStoresOf(args, shell), keepMs, consumerMs });
  return printKept(pruned, {
    ...{ args, shell },
    words: ({ removed, removedTo }) =>
      `${removed} changes removed; the feed begins behind number ${removedTo}`,
  });
}
