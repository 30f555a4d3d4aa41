/** Whether a mistake is found: the acceptance suite runs on the connector that has it. */
import { type AcceptanceFinding, observedProcess, runAcceptance } from "../../runtime/entries/testing.js";
import { connectorcli } from "../support/command-line.js";
import { changedConnector, generatedConnector, loadedConnectors } from "./connector-copies.js";
import { type AuthorMistake, type ConnectorName, objectOf } from "./list-of-mistakes.js";

export interface TriedMistake {
  readonly mistake: AuthorMistake;
  /** What the suite has found; the first of it if that was enough. */
  readonly findings: readonly AcceptanceFinding[];
  /** Codes of the warnings and errors that `connectorcli check` has of it. */
  readonly checks: readonly string[];
}

export interface TryOptions {
  readonly seed?: number | undefined;
  /** Ends when something was found. */
  readonly isShort?: boolean | undefined;
  /** Names of data objects. */
  readonly objects?: readonly string[] | undefined;
}

/** Makes the mistake in a copy of its connector, and tries that: the data object that has it, or all if it is in a client. */
export async function triedMistake(mistake: AuthorMistake, options: TryOptions = {}): Promise<TriedMistake> {
  const folder = await changedConnector(mistake.connector, mistake.changes);
  const checks = await checksOf(folder);
  const object = objectOf(mistake);
  const objects = object === undefined ? undefined : [object];
  return { mistake, checks, findings: await findingsIn(folder, { objects, ...options }) };
}

/** What the suite finds in a sound connector: it should be nothing. */
export async function triedSound(
  name: ConnectorName,
  options: TryOptions = {},
): Promise<readonly AcceptanceFinding[]> {
  return findingsIn(await generatedConnector(name), options);
}

async function findingsIn(folder: string, { seed, objects, isShort = false }: TryOptions) {
  const [loaded] = await loadedConnectors([folder]);
  if (loaded === undefined) throw new Error(`${folder} was not loaded`);
  const stop = new AbortController();
  const { findings } = await runAcceptance(loaded.registration, {
    fake: loaded.fake,
    surroundings: observedProcess(process),
    seed,
    objects,
    signal: stop.signal,
    onTried: ({ isPassed }) => {
      if (isShort && !isPassed) stop.abort();
    },
  });
  return findings;
}

async function checksOf(folder: string): Promise<readonly string[]> {
  const { stdout } = await connectorcli(folder, "check", "--strict", "--format", "json");
  const { diagnostics } = JSON.parse(stdout) as {
    readonly diagnostics: readonly { readonly code: string; readonly severity: string }[];
  };
  return [...new Set(diagnostics.filter(({ severity }) => severity !== "info").map(({ code }) => code))];
}

/** The scenario that was the first to find something, and the code of what it found; undefined if none has. */
export function foundBy({ findings: [first] }: TriedMistake): string | undefined {
  return first === undefined ? undefined : `${first.scenario}: \`${first.code}\``;
}
