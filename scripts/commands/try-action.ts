/** `connectorcli act`: tries an action, or shows what it would send; nothing is queued, and no cache is changed. */
import { escapeControls } from "../../schemas/diagnostics/diagnostic.js";
import { frameLines, framesJson } from "../author-project/author-frames.js";
import { stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import type { ActionTrial, PlannedRequest } from "../connector-run/run-protocol.js";
import { findingsJson, summaryOf } from "../findings/findings-text.js";
import { type TryActionResult, tryAction } from "../workbench/services.js";
import { readInput } from "./action-input.js";
import {
  ambiguous,
  sayEvent,
  sayNotRun,
  serviceOptionsOf,
  withUsageErrors,
  workspaceChoiceOf,
} from "./services.js";
import { membersOf, printTable } from "./table.js";

export function act(args: Arguments, shell: Shell): Promise<number> {
  return withUsageErrors(shell, async () => {
    const options = { ...serviceOptionsOf(args, shell), ...workspaceChoiceOf(args, shell) };
    const { json: input } = readInput(stringOf(args["input"]) ?? "", shell);
    const tried = { ...options, action: stringOf(args["action"]), input, dryRun: args["dry-run"] === true };
    const result = await shell
      .interruptible((signal) => tryAction({ ...tried, signal, onEvent: (event) => sayEvent(event, shell) }))
      .catch(ambiguous("Several data objects have this action: name one with --data-object-url."));
    if (args["json"] === true) printJson(result, options.folder, shell);
    else await printText(result, shell);
    return statusOf(result);
  });
}

/** What was not sent ends the handler, in whatever way: that is no failure. */
function statusOf({ trial }: TryActionResult): number {
  if (trial === undefined) return 1;
  return trial.requests.length > 0 || trial.outcome === "succeeded" ? 0 : 1;
}

function printJson({ trial, diagnostics }: TryActionResult, folder: string, shell: Shell): void {
  const result = {
    action: trial === undefined ? null : { ...trial, frames: framesJson(trial.frames, folder) },
    diagnostics: findingsJson(diagnostics, folder),
    summary: summaryOf(diagnostics),
  };
  shell.result(`${JSON.stringify(result, undefined, 2)}\n`);
}

async function printText({ trial, diagnostics }: TryActionResult, shell: Shell): Promise<void> {
  sayNotRun(trial, diagnostics, shell);
  if (trial === undefined) return;
  const what = `${trial.object}/${trial.action}`;
  if (trial.requests.length > 0) {
    print([...trial.requests.flatMap(requestLines), `${what}: nothing was sent`], shell);
    return;
  }
  const frames = frameLines(trial.frames, shell.cwd).map((line) => `    ${line}`);
  print([`${what} ${OUTCOMES[trial.outcome]}${reasonOf(trial)}`, ...frames, ...resultLines(trial)], shell);
  if (trial.changes.length === 0) return;
  print(["Changes for the cache, which stays as it is:"], shell);
  await printTable(
    trial.changes.map(({ object, operation, key, record }) => [
      ["data object", object],
      ["operation", operation],
      ["primary key", key],
      ...(record === null ? [] : membersOf(record)),
    ]),
    shell,
  );
}

const OUTCOMES: Readonly<Record<ActionTrial["outcome"], string>> = {
  succeeded: "succeeded",
  failed: "failed",
  refused: "was not called: the input does not fit",
  retry: "failed, and would be tried again",
  dead: "failed, and would be given up",
  stopped: "was stopped",
};

function reasonOf({ message }: ActionTrial): string {
  return message === null ? "" : `: ${message}`;
}

function resultLines({ findings, result }: ActionTrial): readonly string[] {
  if (findings.length > 0) return findings.map(({ message }) => `  ${message}`);
  return result === null ? [] : jsonLines(result).map((line) => `  ${line}`);
}

/** As it goes over the wire: the address, the headers, an empty line, the body. */
function requestLines({ method, address, headers, body }: PlannedRequest): readonly string[] {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const content = body === null ? [] : typeof body === "string" ? body.split("\n") : jsonLines(body);
  return [`${method} ${address}`, ...fields, "", ...content, ...(content.length > 0 ? [""] : [])];
}

function jsonLines(value: unknown): readonly string[] {
  return JSON.stringify(value, undefined, 2).split("\n");
}

function print(lines: readonly string[], shell: Shell): void {
  shell.result(`${lines.map(escapeControls).join("\n")}\n`);
}
