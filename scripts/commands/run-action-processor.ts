/** `connectorcli run action-processor`: performs queued actions, or queues one and performs it (§2.7, §6). */
import { frameLines, framesJson } from "../author-project/author-frames.js";
import { numberOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import type { QueuedInput, ReportedAttempt } from "../connector-run/run-protocol.js";
import { findingsJson, summaryOf } from "../findings/findings-text.js";
import {
  type ActionsResult,
  enqueueAction,
  performActions,
  type ServiceEvent,
} from "../workbench/services.js";
import { readInput } from "./action-input.js";
import { ambiguous, sayEvent, sayNotRun, serviceOptionsOf, UsageError, withUsageErrors } from "./services.js";

/** What was said while it ran. */
interface Transcript {
  queued?: QueuedInput;
  readonly attempts: ReportedAttempt[];
}

export function runActionProcessor(args: Arguments, shell: Shell): Promise<number> {
  return withUsageErrors(shell, async () => {
    const transcript: Transcript = { attempts: [] };
    const options = serviceOptionsOf(args, shell);
    const input = inputOf(args, shell);
    const result = await shell
      .interruptible((signal) => {
        const onEvent = (event: ServiceEvent) => {
          if (event.kind === "queued") transcript.queued = event.queued;
          if (event.kind === "attempt") transcript.attempts.push(event.attempt);
          printEvent(event, args["json"] === true, shell);
        };
        const running = { ...options, action: stringOf(args["action-url"]), signal, onEvent };
        return input === undefined
          ? performActions({
              ...running,
              watch: args["watch"] === true,
              concurrency: numberOf(args["concurrency"]),
            })
          : enqueueAction({ ...running, input: input.json });
      })
      .catch(ambiguous("Say which action: --input needs --data-object-url and --action-url."));
    if (args["json"] === true) printJson(result, transcript, { folder: options.folder, shell });
    else if (args["watch"] !== true) printText(result, transcript, shell);
    return statusOf(result, transcript);
  });
}

/** Undefined without `--input`. */
function inputOf(args: Arguments, shell: Shell): { readonly json: unknown } | undefined {
  const file = stringOf(args["input"]);
  if (file === undefined) return undefined;
  if (args["watch"] === true) throw new UsageError("--input performs one action: leave out --watch.");
  return readInput(file, shell);
}

function statusOf({ counts }: ActionsResult, { queued }: Transcript): number {
  if (counts === undefined || queued?.outcome === "refused") return 1;
  return counts.failed + counts.dead + counts.retry + counts.lost === 0 ? 0 : 1;
}

function printEvent(event: ServiceEvent, isJson: boolean, shell: Shell): void {
  sayEvent(event, shell);
  if (isJson) return;
  if (event.kind === "queued") shell.result(`${queuedText(event.queued)}\n`);
  if (event.kind === "attempt") shell.result(`${attemptText(event.attempt, shell.cwd)}\n`);
}

function printJson(
  { counts, diagnostics }: ActionsResult,
  { queued, attempts }: Transcript,
  { folder, shell }: { readonly folder: string; readonly shell: Shell },
): void {
  const result = {
    queued: queued ?? null,
    attempts: attempts.map((attempt) => ({ ...attempt, frames: framesJson(attempt.frames, folder) })),
    counts: counts ?? null,
    diagnostics: findingsJson(diagnostics, folder),
    summary: summaryOf(diagnostics),
  };
  shell.result(`${JSON.stringify(result, undefined, 2)}\n`);
}

function printText({ counts, diagnostics }: ActionsResult, transcript: Transcript, shell: Shell): void {
  const { queued, attempts } = transcript;
  sayNotRun(counts, diagnostics, shell);
  if (counts !== undefined && attempts.length === 0 && queued === undefined) shell.say("Nothing was due.");
  if (counts !== undefined && counts.cancelled > 0)
    shell.say(`${counts.cancelled} cancelled: they had waited too long.`);
}

function queuedText(queued: QueuedInput): string {
  if (queued.outcome === "refused") {
    const lines = queued.findings.map(({ message }) => `  ${message}`);
    return ["The input does not fit, and was not queued:", ...lines].join("\n");
  }
  if (queued.isEnabled) return `Action ${queued.id} is queued.`;
  return `Action ${queued.id} is queued, and stays so: its ProcessQueuedEvent is off in test-settings.json.`;
}

function attemptText(attempt: ReportedAttempt, cwd: string): string {
  const { id, object, action, outcome, message, dueAt, changes, deletes, result } = attempt;
  const what = `Action ${id} (${object}/${action})`;
  const reason = message === null ? "" : `: ${message}`;
  const frames = frameLines(attempt.frames, cwd)
    .map((line) => `\n    ${line}`)
    .join("");
  const next = `  See it with: npx connectorcli queue show ${id}; again: npx connectorcli queue retry ${id}`;
  switch (outcome) {
    case "retry":
      return `${what} failed${reason} It is tried again after ${dueAt}.${frames}`;
    case "dead":
      return `${what} was given up${reason}${frames}\n${next}`;
    case "failed":
      return `${what} failed: ${shortJson(result)}\n${next}`;
    case "succeeded": {
      const records = [
        countText(changes - deletes, "in the cache"),
        countText(deletes, "deleted from the cache"),
      ];
      const effects = records.filter((text) => text !== "").join(", ");
      return `${what} succeeded${effects === "" ? "" : `: ${effects}`}\n  output ${shortJson(result)}`;
    }
    default:
      return `${what} ${outcome}${reason}`;
  }
}

function countText(count: number, where: string): string {
  if (count === 0) return "";
  return `${count === 1 ? "1 record" : `${count} records`} ${where}`;
}

const MAX_JSON_LENGTH = 500;

function shortJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > MAX_JSON_LENGTH ? `${json.slice(0, MAX_JSON_LENGTH).toWellFormed()} …` : json;
}
