/** What the process of a connector does to record answers, and to replay them. */
import type { ClientHost, ConnectorRegistration } from "../../runtime/entries/runtime.js";
import type * as Testing from "../../runtime/entries/testing.js";
import type {
  RecordedAnswers,
  RecordedPart,
  RecordTask,
  ReplayedRecording,
  ReplayTask,
  RunMessage,
} from "./run-protocol.js";

interface RecordSurroundings extends Pick<ClientHost, "transport" | "saveProperties" | "lockProperties"> {
  readonly registration: ConnectorRegistration;
  readonly signal: AbortSignal;
  readonly postMessage: (message: RunMessage) => void;
}

/** Records one part after the other. What is refused keeps no other from being recorded. */
export async function runRecordings(
  task: RecordTask,
  { postMessage, signal, ...around }: RecordSurroundings,
): Promise<RunMessage> {
  // The very module that the connector's own packages share.
  const testing: typeof Testing = await import(import.meta.resolve("connectorcli/testing"));
  postMessage({ kind: "started" });
  const result: RecordedAnswers[] = [];
  for (const part of task.parts) {
    if (signal.aborted) break;
    const recorded = await recordPart(task, part, { testing, signal, ...around });
    result.push(recorded);
    postMessage({ kind: "recorded", recorded });
  }
  return { kind: "result", task: task.kind, result };
}

async function recordPart(
  { registrationConfiguration, services, options, container, key, limit, keep, secrets }: RecordTask,
  { name, object, action, before }: RecordedPart,
  {
    testing,
    registration,
    ...around
  }: Omit<RecordSurroundings, "postMessage"> & { readonly testing: typeof Testing },
): Promise<RecordedAnswers> {
  const { signal, ...host } = around;
  try {
    const recording = await testing.record(registration, {
      ...{ object, action, key, limit, keep, secrets, signal },
      connection: container,
      settings: { registrationConfiguration, services },
      sync: { ...options.cacheWriter, volatile: options.volatile[object] ?? [] },
      host: { environment: process.env, ...host },
    });
    const old = before === undefined ? undefined : readIfWhole(before, testing);
    return {
      ...{ name, text: testing.recordingText(recording), ...countsOf(recording) },
      ...(old && { changes: testing.answerChanges(old, recording) }),
    };
  } catch (error) {
    if (!(error instanceof testing.RecordingRefusedError)) throw error;
    return { name, reason: error.message.replace(/\.$/, ""), advice: error.advice };
  }
}

function readIfWhole(text: string, { readRecording }: typeof Testing): Testing.Recording | undefined {
  try {
    return readRecording(text);
  } catch {
    return undefined;
  }
}

function countsOf({ exchanges, runs }: Testing.Recording) {
  return { requests: exchanges.length, records: runs.at(-1)?.cache?.records ?? null };
}

/** Replays recordings one after the other: each has the time of its own. @param fake What `fake.ts` says. */
export async function runReplays(
  { kind, recordings, options, isFakeCompared }: ReplayTask,
  fake: unknown,
  { registration, signal, postMessage }: Pick<RecordSurroundings, "registration" | "signal" | "postMessage">,
): Promise<RunMessage> {
  const testing: typeof Testing = await import(import.meta.resolve("connectorcli/testing"));
  postMessage({ kind: "started" });
  const result: ReplayedRecording[] = [];
  for (const { name, text } of recordings) {
    if (signal.aborted) break;
    const replayed = {
      ...(await replayText({ name, text }, { testing, registration, options })),
      ...(isFakeCompared && (await heldAgainstFake(text, { testing, registration, fake }))),
    };
    result.push(replayed);
    postMessage({ kind: "replayed", replayed });
  }
  return { kind: "result", task: kind, result };
}

/** What can't be read is said by its replay. */
async function heldAgainstFake(
  text: string,
  {
    testing,
    registration,
    fake,
  }: {
    readonly testing: typeof Testing;
    readonly registration: ConnectorRegistration;
    readonly fake: unknown;
  },
): Promise<Pick<ReplayedRecording, "fakeDifferences">> {
  const recording = readIfWhole(text, testing);
  if (recording === undefined) return {};
  const own = typeof fake === "object" && fake !== null ? fake : {};
  return { fakeDifferences: await testing.fakeDifferences(registration, recording, { fake: own }) };
}

/** What can't be replayed is no reason not to replay the others. */
async function replayText(
  { name, text }: ReplayTask["recordings"][number],
  {
    testing,
    registration,
    options: { cacheWriter, volatile },
  }: { readonly testing: typeof Testing; readonly registration: ConnectorRegistration } & Pick<
    ReplayTask,
    "options"
  >,
): Promise<ReplayedRecording> {
  const nothing = { name, differences: [], problems: [], requests: 0, records: null };
  try {
    const given = testing.readRecording(text);
    const sync = { ...cacheWriter, volatile: volatile[given.subject.object] ?? [] };
    const { differences, problems, recording } = await testing.replay(registration, given, { sync });
    return { name, differences, problems, ...countsOf(recording), text: testing.recordingText(recording) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ...nothing, problem: problem.replace(/\.$/, "") };
  }
}
