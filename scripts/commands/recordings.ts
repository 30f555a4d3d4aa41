/** `connectorcli test record` and `test replay`: what a target system answers, as files, and the connector run on them. */
import path from "node:path";
import { escapeControls } from "../../schemas/diagnostics/diagnostic.js";
import { numberOf, projectOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import type { ReplayedRecording } from "../connector-run/run-protocol.js";
import { findingsJson, summaryOf } from "../findings/findings-text.js";
import {
  type RecordAnswersResult,
  type RecordedFile,
  type ReplayEvent,
  type ReplayRecordingsResult,
  recordAnswers,
  replayRecordings,
} from "../workbench/recordings.js";
import { readInput } from "./action-input.js";
import {
  ambiguous,
  STALE_WORDS,
  sayEvent,
  sayNotRun,
  serviceOptionsOf,
  UsageError,
  withUsageErrors,
} from "./services.js";

/** `connectorcli test record` */
export function testRecord(args: Arguments, shell: Shell): Promise<number> {
  return withUsageErrors(shell, async () => {
    const { storeFile: _, adoptStore: __, ...options } = serviceOptionsOf(args, shell);
    const result = await shell
      .interruptible((signal) =>
        recordAnswers({
          ...options,
          ...actionOf(args, shell),
          object: stringOf(args["object"]),
          limit: numberOf(args["limit"]),
          update: args["update"] === true,
          signal,
          onEvent: (event) => sayEvent(event, shell),
        }),
      )
      .catch(ambiguous("Several data objects have this action: name one with --object."));
    if (args["json"] === true) printJson(result, options.folder, shell);
    else printRecorded(result, shell);
    return result.recordings !== undefined && result.diagnostics.length === 0 ? 0 : 1;
  });
}

/** @throws UsageError */
function actionOf(args: Arguments, shell: Shell) {
  const action = stringOf(args["action"]);
  const file = stringOf(args["input"]);
  if (action === undefined && file === undefined) return {};
  if (action === undefined) throw new UsageError("--input goes with --action.");
  if (file === undefined) throw new UsageError("--action needs its input: --input FILE.");
  if (args["limit"] !== undefined)
    throw new UsageError("--limit is for readers: leave it out with --action.");
  return { action, input: readInput(file, shell).json };
}

function printRecorded({ recordings, diagnostics }: RecordAnswersResult, shell: Shell): void {
  const lines = (recordings ?? []).flatMap((recording) =>
    recording.state === "written" ? recordedLines(recording, shell.cwd) : [],
  );
  if (lines.length > 0) shell.result(`${lines.map(escapeControls).join("\n")}\n`);
  sayNotRun(recordings, diagnostics, shell);
}

function recordedLines(
  { name, file, requests, records, changes }: RecordedFile,
  cwd: string,
): readonly string[] {
  const what = `${name}: ${countsWords(requests, records)}`;
  const shown = (changes ?? []).map((change) => `  ${change}`);
  const none = changes?.length === 0 ? ["  The answers have the form that they had."] : [];
  return [`${what}: ${path.relative(cwd, file)}`, ...shown, ...none];
}

/** `connectorcli test replay [name…]` */
export function testReplay(args: Arguments, shell: Shell): Promise<number> {
  return withUsageErrors(shell, async () => {
    const { name: names } = args;
    const project = projectOf(args, shell);
    const isJson = args["json"] === true;
    const update = args["update"] === true;
    const result = await shell.interruptible((signal) =>
      replayRecordings({
        ...project,
        compareFake: args["compare-fake"] === true,
        names: Array.isArray(names) ? names : [],
        update,
        environment: shell.environment,
        signal,
        onEvent: (event) => printEvent(event, { isJson, update }, shell),
      }),
    );
    if (isJson) printJson(result, project.folder, shell);
    else printReplayed(result, shell);
    return result.recordings !== undefined && result.diagnostics.length === 0 ? 0 : 1;
  });
}

function printEvent(
  event: ReplayEvent,
  { isJson, update }: { readonly isJson: boolean; readonly update: boolean },
  shell: Shell,
): void {
  if (event.kind === "generated-stale") shell.say(STALE_WORDS);
  else if (event.kind === "line") shell.say(event.text);
  else if (!isJson) shell.result(`${replayedLines(event.replayed, update).map(escapeControls).join("\n")}\n`);
}

function replayedLines(
  { name, differences, problems, problem, requests, records, fakeDifferences }: ReplayedRecording,
  update: boolean,
): readonly string[] {
  if (problem !== undefined) return [`${name}: not replayed`];
  const counts = countsWords(requests, records);
  const ofFake = fakeLines(fakeDifferences);
  if (differences.length === 0) return [`${name}: as recorded (${counts})`, ...ofFake];
  const isKept = update && problems.length === 0;
  return [
    `${name}: ${isKept ? "updated" : "not as recorded"}`,
    ...differences.map((difference) => `  ${difference}`),
    ...ofFake,
  ];
}

function fakeLines(differences: readonly string[] | undefined): readonly string[] {
  if (differences === undefined) return [];
  if (differences.length === 0) return ["  The fake answers in the same form."];
  return ["  The fake answers otherwise:", ...differences.map((difference) => `    ${difference}`)];
}

function printReplayed({ recordings, diagnostics }: ReplayRecordingsResult, shell: Shell): void {
  sayNotRun(recordings, diagnostics, shell);
  if (recordings?.length === 0 && diagnostics.length === 0)
    shell.say("There are no recordings. npx connectorcli test record makes them.");
}

function printJson(
  { recordings, diagnostics }: RecordAnswersResult | ReplayRecordingsResult,
  folder: string,
  shell: Shell,
): void {
  const shown = (recordings ?? []).map((recording) => {
    if ("file" in recording)
      return { ...recording, file: path.relative(folder, recording.file).replaceAll("\\", "/") };
    const { text: _, ...facts } = recording;
    return facts;
  });
  const result = {
    recordings: recordings === undefined ? null : shown,
    diagnostics: findingsJson(diagnostics, folder),
    summary: summaryOf(diagnostics),
  };
  shell.result(`${JSON.stringify(result, undefined, 2)}\n`);
}

function countsWords(requests: number, records: number | null): string {
  const words = countWords(requests, "request");
  return records === null ? words : `${words}, ${countWords(records, "record")}`;
}

/** `1 request`, `2 requests`. */
function countWords(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
