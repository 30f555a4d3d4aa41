/** `connectorcli fake start`: a target system that is made of the connector, until it is interrupted. */
import { FAULTS, type FaultName } from "../../runtime/testing/fault-names.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { numberOf, projectOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import type { FakeFacts } from "../connector-run/run-protocol.js";
import { findingsText, summaryOf, summaryText } from "../findings/findings-text.js";
import { type StartFakeOptions, startFake } from "../workbench/start-fake.js";
import { STALE_WORDS, UsageError, withUsageErrors } from "./services.js";

export function fakeStart(args: Arguments, shell: Shell): Promise<number> {
  return withUsageErrors(shell, async () => {
    const fake = fakeOptionsOf(args);
    const { diagnostics } = await shell.interruptible((signal) =>
      startFake({
        ...projectOf(args, shell),
        fake,
        isTraced: args["trace"] === true,
        environment: shell.environment,
        signal,
        onEvent: (event) => {
          if (event.kind === "generated-stale") shell.say(STALE_WORDS);
          else if (event.kind === "line") shell.say(event.text);
          else if (args["json"] === true) shell.result(`${JSON.stringify(event.fake)}\n`);
          else print(event.fake, shell);
        },
      }),
    );
    if (diagnostics.length === 0) return 0;
    shell.say(findingsText(diagnostics, { cwd: shell.cwd }).trimEnd());
    shell.say(`not started (${summaryText(summaryOf(diagnostics))})`);
    return 1;
  });
}

/**
 * What the command line says of a fake target system.
 * @throws UsageError for a name that no fault has.
 */
export function fakeOptionsOf(args: Arguments): NonNullable<StartFakeOptions["fake"]> {
  const faults = faultsOf(stringOf(args["fault"]) ?? "");
  return {
    connection: stringOf(args["connection"]),
    port: numberOf(args["port"]),
    records: numberOf(args["records"]),
    seed: numberOf(args["seed"]),
    faults: faults.length === 0 ? undefined : faults,
  };
}

/** @throws UsageError for a name that no fault has. */
function faultsOf(names: string): readonly FaultName[] {
  return names
    .split(",")
    .filter((name) => name !== "")
    .map((name) => {
      if (isFault(name)) return name;
      throw new UsageError(
        `There is no fault "${name}".${didYouMean(name, Object.keys(FAULTS))} docs/testing.md lists them.`,
      );
    });
}

function isFault(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name);
}

function print({ origin, connection, calls, notes }: FakeFacts, shell: Shell): void {
  shell.result(`${origin}\n`);
  shell.say("It answers:");
  for (const call of calls) shell.say(`  ${call}`);
  for (const note of notes) shell.say(note);
  shell.say(`Call it: npx connectorcli read <object> --fake ${origin}`);
  shell.say("run cache-writer, run action-processor, act and test connection take --fake, too.");
  shell.say(`It lets in the connection ${connection.DefinitionKey} with ${connection.Configuration}`);
  shell.say("Interrupt it to stop it.");
}
