/** `connectorcli consumers …`: the programs that follow the change feed. */
import { numberOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { findingsText } from "../findings/findings-text.js";
import { advanceConsumer, forgetConsumer, listConsumers } from "../workbench/keep-stores.js";
import { keptStoresOf, printKept } from "./kept-stores.js";
import { printList } from "./table.js";

/** `consumers list`: how far each is. */
export async function consumersList(args: Arguments, shell: Shell): Promise<number> {
  const { results = [], diagnostics } = await listConsumers(keptStoresOf(args, shell));
  const consumers = results.flatMap(({ workspace, consumers: some, last }) =>
    some.map((consumer) => ({ workspace, ...consumer, last })),
  );
  const count = await printList(consumers, {
    ...{ args, shell },
    json: (consumer) => consumer,
    row: ({ workspace, name, position, last, seenAt }) => [
      ...(workspace === null ? [] : [["workspace", workspace] as const]),
      ...([
        ["consumer", name],
        ["number", position],
        ["behind", last - position],
        ["seen", seenAt],
      ] as const),
    ],
  });
  if (diagnostics.length > 0) shell.say(findingsText(diagnostics, { cwd: shell.cwd }).trimEnd());
  else if (count === 0) shell.say("Nobody follows the change feed by a name.");
  return diagnostics.length > 0 ? 1 : 0;
}

/** `consumers advance <name> --to n`: it has dealt with all changes up to a number. */
export async function consumersAdvance(args: Arguments, shell: Shell): Promise<number> {
  const [consumer, sequence] = [stringOf(args["name"]) ?? "", numberOf(args["to"]) ?? 0];
  try {
    const advanced = await advanceConsumer({ ...keptStoresOf(args, shell), consumer, sequence });
    return printKept(advanced, {
      args,
      shell,
      words: () => `${consumer} has dealt with changes up to ${sequence}`,
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    shell.say(error.message.replace("sequence", "--to"));
    return 2;
  }
}

/** `consumers forget <name>`: it holds nothing any more. */
export async function consumersForget(args: Arguments, shell: Shell): Promise<number> {
  const consumer = stringOf(args["name"]) ?? "";
  const forgotten = await forgetConsumer({ ...keptStoresOf(args, shell), consumer });
  const status = printKept(forgotten, {
    ...{ args, shell },
    words: ({ isForgotten }) => (isForgotten ? `${consumer} is forgotten` : `nobody is called ${consumer}`),
  });
  return status === 0 && !forgotten.results?.some(({ isForgotten }) => isForgotten) ? 1 : status;
}
