/** `connectorcli run cache-writer`: reads data objects into the cache of this machine (§2.6, §7). */
import { escapeControls } from "../../schemas/diagnostics/diagnostic.js";
import { frameLines, framesJson } from "../author-project/author-frames.js";
import { numberOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import type { SyncedObjectResult } from "../connector-run/run-protocol.js";
import { findingsJson, summaryOf } from "../findings/findings-text.js";
import { type ServiceEvent, type SyncResult, sync } from "../workbench/services.js";
import { sayEvent, sayNotRun, serviceOptionsOf, UsageError, withUsageErrors } from "./services.js";
import { NO_PROGRESS, progressBars, progressLines, type SyncProgressView } from "./sync-progress.js";

export function runCacheWriter(args: Arguments, shell: Shell): Promise<number> {
  return withUsageErrors(shell, async () => {
    checkOptions(args);
    if (args["dry-run"] === true) return (await import("./preview-records.js")).runPreview(args, shell);
    return runSync(args, shell);
  });
}

/** Options that say how records are written, and how often. */
const WRITING_OPTIONS = ["store", "adopt-store", "approve-deletes", "max-rejected", "every"];

/** @throws UsageError */
function checkOptions(args: Arguments): void {
  const isDry = args["dry-run"] === true;
  if (!isDry && args["limit"] !== undefined)
    throw new UsageError(
      "--limit goes with --dry-run: a run that read only some records would delete the others.",
    );
  const writing = WRITING_OPTIONS.find((name) => args[name] !== undefined);
  if (isDry && writing !== undefined)
    throw new UsageError(`--dry-run reads once and writes nothing: leave out --${writing}.`);
}

async function runSync(args: Arguments, shell: Shell): Promise<number> {
  const isJson = args["json"] === true;
  const options = serviceOptionsOf(args, shell);
  const everySeconds = numberOf(args["every"]);
  const watch = args["watch"] === true || everySeconds !== undefined;
  const view = isJson ? NO_PROGRESS : shell.hasBars ? await progressBars() : progressLines(shell);
  try {
    const result = await shell.interruptible((signal) =>
      sync({
        ...options,
        approveDeletes: args["approve-deletes"] === true,
        maxRejected: numberOf(args["max-rejected"]),
        ...{ watch, everySeconds },
        signal,
        onEvent: (event) => printEvent(event, { view, isJson, shell }),
      }),
    );
    if (isJson) printJson(result, options.folder, shell);
    else if (!watch) printText(result, shell);
    return result.objects?.every(({ outcome }) => outcome === "succeeded") === true ? 0 : 1;
  } finally {
    view.close();
  }
}

interface Printing {
  readonly view: SyncProgressView;
  readonly isJson: boolean;
  readonly shell: Shell;
}

function printEvent(event: ServiceEvent, { view, isJson, shell }: Printing): void {
  sayEvent(event, shell);
  if (event.kind === "progress") view.progress(event.progress, event.before);
  if (event.kind !== "synced") return;
  view.ended(event.synced);
  if (!isJson) shell.result(`${resultText(event.synced, shell.cwd)}\n`);
}

function printJson({ objects, diagnostics }: SyncResult, folder: string, shell: Shell): void {
  const result = {
    objects: objects?.map((object) => ({ ...object, frames: framesJson(object.frames, folder) })) ?? null,
    diagnostics: findingsJson(diagnostics, folder),
    summary: summaryOf(diagnostics),
  };
  shell.result(`${JSON.stringify(result, undefined, 2)}\n`);
}

function printText({ objects, diagnostics }: SyncResult, shell: Shell): void {
  sayNotRun(objects, diagnostics, shell);
  if (objects?.length === 0) shell.say("Nothing was read: no UploadObject is on in test-settings.json.");
}

/** `Project: succeeded: 3 unchanged, 1 inserted, 0 updated, 0 deleted, 0 rejected`, and what there is to do. */
function resultText(synced: SyncedObjectResult, cwd: string): string {
  const { object, outcome, unchanged, inserted, updated, deleted, rejected, message, sharedKeys } = synced;
  const { repeatedKeys, blankKeys, inexactNumbers, noLongerFit } = synced;
  const counts = [
    `${unchanged} unchanged`,
    `${inserted} inserted`,
    `${updated} updated`,
    `${deleted} deleted`,
    `${rejected} rejected`,
  ];
  const lines = [`${object}: ${outcome}: ${counts.join(", ")}`];
  if (synced.resumed) lines.push("  It went on from where an interrupted run had come to.");
  if (message !== null) lines.push(`  ${message}`);
  lines.push(...frameLines(synced.frames, cwd).map((line) => `    ${line}`));
  if (noLongerFit > 0) {
    const what = noLongerFit === 1 ? "1 cached record does" : `${noLongerFit} cached records do`;
    const then =
      outcome === "succeeded" ? "taken out, and kept as rejected" : "still in the cache after this run";
    lines.push(`  ${what} not fit the schema any more: ${then}.`);
  }
  if (outcome === "needs-approval") lines.push("  If that is right, run again with --approve-deletes.");
  if (rejected > 0) lines.push(`  See them with: npx connectorcli cache rejected ${object}`);
  for (const { alternateKey, keys } of sharedKeys)
    lines.push(`  ${keys.join(" and ")} share the alternate key ${alternateKey}`);
  if (repeatedKeys.length > 0) {
    lines.push(
      `  Read more than once with another content, and kept as it came last: ${repeatedKeys.join(", ")}`,
    );
    lines.push("  If several records share such a key, name in the primary key what tells them apart.");
  }
  if (blankKeys.length > 0) {
    lines.push(`  A value of the primary key is blank: ${blankKeys.join(", ")}`);
    lines.push("  minLength: 1 and pattern on its property reject such records.");
  }
  if (inexactNumbers.length > 0) {
    lines.push(`  Numbers past 2^53 may have lost digits: ${inexactNumbers.join(", ")}`);
    lines.push("  Let the target system send them as text, and declare them as Type.String().");
  }
  return lines.map(escapeControls).join("\n");
}
