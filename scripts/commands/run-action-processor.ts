/** `connectorcli run action-processor`: performs queued actions, or queues one and performs it (spec §2.7, §6). */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { ActionAttempt, ProcessorResult } from "../../runtime/host/index.js";
import { textOf } from "../argument-values.js";
import type { QueuedInput } from "../author-project/run-protocol.js";
import type { Arguments } from "../command-spec.js";
import { findingsJson, findingsText, summaryOf, summaryText } from "../findings-text.js";
import type { Output } from "../output.js";
import { projectOf } from "../project-arguments.js";
import { chosenActions, UnknownName } from "../running/chosen-parts.js";
import { runProject, type ServiceRan } from "../running/run-project.js";

/** What was heard of while it ran. */
interface Heard {
  queued?: QueuedInput;
  readonly attempts: ActionAttempt[];
}

/** Wrong usage. */
class UsageError extends Error {}

export async function runActionProcessor(args: Arguments, output: Output): Promise<number> {
  const heard: Heard = { attempts: [] };
  try {
    const input = inputOf(args);
    return report(args, output, { ...(await run(args, output, { heard, input })), heard });
  } catch (error) {
    if (!(error instanceof UnknownName || error instanceof UsageError)) throw error;
    output.say(error.message);
    return 2;
  }
}

function run(
  args: Arguments,
  output: Output,
  { heard, input }: { readonly heard: Heard; readonly input: { readonly json: unknown } | undefined },
): Promise<ServiceRan> {
  const choice = {
    moduleId: textOf(args["module-id"]),
    object: textOf(args["data-object-url"]),
    action: textOf(args["action-url"]),
  };
  return runProject({
    args,
    output,
    partOf: (model) => {
      const actions = chosenActions(model, choice).map(({ object, action }) => ({
        object: object.dataPath,
        action: action.urlPart,
      }));
      const [only, other] = actions;
      if (input !== undefined && (only === undefined || other !== undefined)) {
        throw new UsageError("Say which action: --input needs --data-object-url and --action-url.");
      }
      const enqueue = input !== undefined && only !== undefined ? { ...only, input: input.json } : undefined;
      return { kind: "runActionProcessor", actions, enqueue, isWatching: args["watch"] === true };
    },
    onNews: (news, hide) => {
      if (news.kind === "queued") heard.queued = news.queued;
      if (news.kind === "attempt") heard.attempts.push(news.attempt);
      if (args["json"] === true) return;
      if (news.kind === "queued") output.result(`${hide(queuedText(news.queued))}\n`);
      if (news.kind === "attempt") output.result(`${hide(attemptText(news.attempt))}\n`);
    },
  });
}

type Reported = ServiceRan & { readonly heard: Heard };

function report(args: Arguments, output: Output, { result, heard, ...ran }: Reported): number {
  const counts = result?.task === "runActionProcessor" ? result.result : undefined;
  if (args["json"] === true) reportJson(args, output, { counts, heard, ...ran });
  else reportWords(output, { counts, heard, ...ran });
  if (counts === undefined || heard.queued?.outcome === "refused") return 1;
  return counts.failed + counts.dead + counts.retry + counts.lost === 0 ? 0 : 1;
}

type Counted = Omit<Reported, "result"> & { readonly counts: ProcessorResult | undefined };

function reportJson(
  args: Arguments,
  output: Output,
  { counts, heard, hide = String, diagnostics }: Counted,
): void {
  const shown = {
    queued: heard.queued ?? null,
    attempts: heard.attempts,
    counts: counts ?? null,
    diagnostics: findingsJson(diagnostics, path.resolve(projectOf(args).folder)),
    summary: summaryOf(diagnostics),
  };
  output.result(`${hide(JSON.stringify(shown, undefined, 2))}\n`);
}

function reportWords(output: Output, { counts, heard, diagnostics }: Counted): void {
  if (diagnostics.length > 0) output.say(findingsText(diagnostics, false).trimEnd());
  if (counts === undefined) output.say(`not run (${summaryText(summaryOf(diagnostics))})`);
  else if (heard.attempts.length === 0 && heard.queued === undefined) output.say("Nothing was due.");
  if (counts !== undefined && counts.cancelled > 0)
    output.say(`${counts.cancelled} cancelled: they had waited too long.`);
}

function queuedText(queued: QueuedInput): string {
  if (queued.outcome === "refused") {
    const lines = queued.findings.map(({ message }) => `  ${message}`);
    return ["The input does not fit, and was not queued:", ...lines].join("\n");
  }
  if (queued.isProcessed) return `Action ${queued.id} is queued.`;
  return `Action ${queued.id} is queued, and stays so: its ProcessQueuedEvent is off in test-settings.json.`;
}

function attemptText(attempt: ActionAttempt): string {
  const { id, object, action, outcome, message, dueAt, changes } = attempt;
  const what = `Action ${id} (${object}/${action})`;
  const reason = message === null ? "" : `: ${message}`;
  if (outcome === "retry") return `${what} failed${reason} It is tried again after ${dueAt}.`;
  if (outcome === "dead") {
    return `${what} was given up${reason}\n  See it with: connectorcli queue show ${id}; again: queue retry ${id}`;
  }
  const records = changes === 1 ? "1 record" : `${changes} records`;
  return `${what} ${outcome}${reason}${changes === 0 ? "" : `: ${records} in the cache`}`;
}

/** The JSON of the file that `--input` names, `-` for standard input; messages never show what is in it. */
function inputOf(args: Arguments): { readonly json: unknown } | undefined {
  const file = textOf(args["input"]);
  if (file === undefined) return undefined;
  if (args["watch"] === true) throw new UsageError("--input performs one action: leave out --watch.");
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    return { json: JSON.parse(text) };
  } catch {
    throw new UsageError(`${file} is not JSON.`);
  }
}
