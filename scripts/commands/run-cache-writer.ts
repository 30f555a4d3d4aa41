/** `connectorcli run cache-writer`: reads data objects into the cache of this machine (spec §2.6, §7). */
import path from "node:path";
import { numberOf, textOf } from "../argument-values.js";
import type { SyncedObjectResult } from "../author-project/run-protocol.js";
import type { Arguments } from "../command-spec.js";
import { findingsJson, findingsText, summaryOf, summaryText } from "../findings-text.js";
import type { Output } from "../output.js";
import { projectOf } from "../project-arguments.js";
import { chosenObjects, UnknownName } from "../running/chosen-parts.js";
import { runProject, type ServiceRan } from "../running/run-project.js";
import { NO_PROGRESS, progressBars, progressLines, type SyncProgressView } from "../running/sync-progress.js";

export async function runCacheWriter(args: Arguments, output: Output): Promise<number> {
  const isJson = args["json"] === true;
  const view = isJson ? NO_PROGRESS : process.stderr.isTTY ? await progressBars() : progressLines(output);
  try {
    return report(args, output, await run(args, output, view));
  } catch (error) {
    if (!(error instanceof UnknownName)) throw error;
    output.say(error.message);
    return 2;
  } finally {
    view.close();
  }
}

function run(args: Arguments, output: Output, view: SyncProgressView): Promise<ServiceRan> {
  const maxRejected = numberOf(args["max-rejected"]);
  const choice = { moduleId: textOf(args["module-id"]), object: textOf(args["data-object-url"]) };
  return runProject({
    args,
    output,
    partOf: (model) => ({
      kind: "runCacheWriter",
      objects: chosenObjects(model, choice).map(({ dataPath }) => dataPath),
      settings: {
        approveDeletes: args["approve-deletes"] === true,
        ...(maxRejected !== undefined && { rejectedLimit: { maxCount: maxRejected } }),
      },
      watchSeconds: numberOf(args["watch"]),
    }),
    onNews: (news, hide) => {
      if (news.kind === "progress") view.progress(news.progress, news.before);
      if (news.kind !== "synced") return;
      view.ended(news.synced);
      if (args["json"] !== true) output.result(`${hide(resultText(news.synced))}\n`);
    },
  });
}

function report(args: Arguments, output: Output, { result, hide = String, diagnostics }: ServiceRan): number {
  const objects = result?.task === "runCacheWriter" ? result.result : undefined;
  const summary = summaryOf(diagnostics);
  if (args["json"] === true) {
    const shown = {
      objects: objects ?? null,
      diagnostics: findingsJson(diagnostics, path.resolve(projectOf(args).folder)),
      summary,
    };
    output.result(`${hide(JSON.stringify(shown, undefined, 2))}\n`);
  } else {
    if (diagnostics.length > 0) output.say(findingsText(diagnostics, false).trimEnd());
    if (objects === undefined) output.say(`not run (${summaryText(summary)})`);
    else if (objects.length === 0)
      output.say("Nothing was read: no UploadObject is on in test-settings.json.");
  }
  return objects?.every(({ outcome }) => outcome === "succeeded") === true ? 0 : 1;
}

/** `Project: succeeded: 3 unchanged, 1 inserted, 0 updated, 0 deleted, 0 rejected`, and what there is to do. */
function resultText(synced: SyncedObjectResult): string {
  const { object, outcome, unchanged, inserted, updated, deleted, rejected, message, sharedKeys } = synced;
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
  if (outcome === "needs-approval") lines.push("  If that is right, run again with --approve-deletes.");
  if (rejected > 0) lines.push(`  See them with: connectorcli cache rejected ${object}`);
  for (const { alternateKey, keys } of sharedKeys)
    lines.push(`  ${keys.join(" and ")} share the alternate key ${alternateKey}`);
  return lines.join("\n");
}
