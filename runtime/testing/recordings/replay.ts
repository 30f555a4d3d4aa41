/** Runs a connector on recorded answers, and says where it makes something else of them than it did. */
import { isJsonObject } from "../../../schemas/json.js";
import type { SyncSettings } from "../../cache-writer/sync-options.js";
import type { ConnectorRegistration } from "../../registration/registration.js";
import { createReplayer } from "./exchanges.js";
import { withFixedTime } from "./fixed-time.js";
import type { RecordedRun, Recording } from "./recording.js";
import { runSubject, type SubjectRun } from "./subject-run.js";

/** How a recording is replayed. */
export interface ReplayOptions {
  /** How the cache is written. */
  readonly sync?: SyncSettings | undefined;
}

/** What a replay gave. */
export interface ReplayResult {
  /** Whether everything is as it was recorded. */
  readonly isSame: boolean;
  /** What is not, a sentence each. They quote stand-ins, and nothing of the real system. */
  readonly differences: readonly string[];
  /**
   * Those of them that say more than that the outcome is another one: requests that were not recorded, answers that nobody
   * asked for, a second run that changes something.
   */
  readonly problems: readonly string[];
  /** The recording with what the connector makes of the answers now. */
  readonly recording: Recording;
}

/**
 * Replays a recording: no call leaves the process, and the time is that of the recording for all that runs in it meanwhile.
 * Every request has to be one that was recorded, every recorded one has to be made, and what comes of it has to be the same;
 * a second run with the same answers may change nothing.
 * @throws StartError or ConnectionError if the connector does not start with the recorded settings.
 * @example
 * async function check(text: string) {
 *   const { differences } = await replay(registration, readRecording(text));
 *   if (differences.length > 0) throw new Error(differences.join("\n"));
 * }
 */
export async function replay<Client>(
  registration: ConnectorRegistration<Client>,
  recording: Recording,
  options: ReplayOptions = {},
): Promise<ReplayResult> {
  const { runs, problems } = await replayOnce(registration as ConnectorRegistration, recording, options);
  // Whatever else is different then is so because of them.
  const others = problems.length > 0 ? [] : differencesOf(recording.runs, runs);
  const differences = [...problems, ...others];
  return { isSame: differences.length === 0, differences, problems, recording: { ...recording, runs } };
}

/** What came of a replay. */
export interface Replayed {
  readonly runs: readonly RecordedRun[];
  /** Requests that were not recorded, answers that nobody asked for, and changes of a second run, a sentence each. */
  readonly problems: readonly string[];
}

/** Replays once more than it was recorded: each run is made again with the same answers. */
export async function replayOnce(
  registration: ConnectorRegistration,
  recording: Recording,
  { sync }: ReplayOptions,
): Promise<Replayed> {
  const { time, seed, exchanges } = recording;
  const replayer = createReplayer(exchanges);
  const unused: string[] = [];
  const { runs, changedAgain, messages } = await withFixedTime(
    { startMs: Date.parse(time), seed, isReplay: true },
    (clock) =>
      runSubject({
        ...runOf(registration, recording, sync),
        clock,
        host: { transport: replayer.transport },
        begin: replayer.begin,
        end: (run) => {
          for (const { request } of replayer.unused())
            unused.push(`${run}: ${request.method} ${request.url} was recorded, and not asked for`);
        },
        isRepeated: true,
      }),
  );
  const begun = new Set(runs.map(({ run }) => run));
  const notBegun = [...new Set(exchanges.map(({ run }) => run))].filter((run) => !begun.has(run));
  const notMade = notBegun.map((run) => `${run}: this run was recorded, and not made`);
  const known = new Map(recording.runs.map(({ run, outcome }) => [run, outcome]));
  const isFailed = runs.some(({ run, outcome }) => outcome !== "succeeded" && outcome !== known.get(run));
  const problems =
    replayer.unknown.length > 0
      ? replayer.unknown
      : isFailed
        ? messages
        : [...unused, ...notMade, ...changedAgain];
  return { runs, problems: [...new Set(problems)] };
}

/** What a replay is run with. */
export function runOf(
  registration: ConnectorRegistration,
  { subject, connection: { DefinitionKey, properties }, settings, limit }: Recording,
  sync: SyncSettings | undefined,
): Omit<SubjectRun, "clock" | "host" | "begin" | "isRepeated"> {
  return {
    ...{ registration, subject, settings, limit, sync },
    connection: { DefinitionKey, Configuration: JSON.stringify(properties) },
    signal: new AbortController().signal,
  };
}

/** Where runs are other ones than the recorded ones. */
export function differencesOf(
  recorded: readonly RecordedRun[],
  made: readonly RecordedRun[],
): readonly string[] {
  return recorded.flatMap((before) => {
    const after = made.find(({ run }) => run === before.run);
    if (after === undefined) return [];
    const words = [...differencesIn(before, after, "")];
    return words.map((word) => (recorded.length > 1 ? `${before.run}: ${word}` : word));
  });
}

function* differencesIn(before: unknown, after: unknown, place: string): Generator<string> {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  if (!isJsonObject(before) || !isJsonObject(after)) {
    yield differenceWords(place, before, after);
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
    yield* differencesIn(before[name], after[name], place === "" ? name : `${place}/${name}`);
}

function differenceWords(place: string, before: unknown, after: unknown): string {
  const [, property] = /^cache\/properties\/(.*)$/s.exec(place) ?? [];
  if (property !== undefined) return propertyWords(property, before, after);
  if (place === "cache/keys") return "the cache has other keys";
  const [, rejected] = /^rejected\/(.*)$/s.exec(place) ?? [];
  if (rejected !== undefined)
    return `${rejected}: ${Number(before ?? 0)} records did not fit, and ${Number(after ?? 0)} do not`;
  const name = place.replace(/^counts\//, "").replace("cache/records", "count of records in the cache");
  return `${name} was ${valueWords(before)}, and is ${valueWords(after)}`;
}

function propertyWords(property: string, before: unknown, after: unknown): string {
  if (before === undefined) return `the cache has values of ${property} now`;
  if (after === undefined) return `the cache has no values of ${property} any more`;
  return `the cache has other values of ${property}`;
}

const MAX_LENGTH = 200;

function valueWords(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
