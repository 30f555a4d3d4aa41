/** `connectorcli read`, and `run cache-writer --dry-run`: tries readers, and shows what they yield; nothing is written. */
import { escapeControls } from "../../schemas/diagnostics/diagnostic.js";
import { frameLines, framesJson } from "../author-project/author-frames.js";
import { numberOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import type { PreviewedObject } from "../connector-run/run-protocol.js";
import { findingsJson, summaryOf } from "../findings/findings-text.js";
import type { WorkspaceChoice } from "../workbench/open-settings.js";
import {
  isFine,
  type PreviewRecordsOptions,
  type PreviewRecordsResult,
  previewRecords,
} from "../workbench/services.js";
import { sayEvent, sayNotRun, serviceOptionsOf, withUsageErrors, workspaceChoiceOf } from "./services.js";
import { membersOf, printTable, type TableRow } from "./table.js";

/** `connectorcli read <object>` */
export function read(args: Arguments, shell: Shell): Promise<number> {
  const choice = { object: stringOf(args["object"]), page: numberOf(args["page"]) };
  return withUsageErrors(shell, () =>
    runPreview(args, shell, { ...choice, ...workspaceChoiceOf(args, shell) }),
  );
}

/** @throws UnknownNameError */
export async function runPreview(
  args: Arguments,
  shell: Shell,
  choice: Pick<PreviewRecordsOptions, "object" | "page" | keyof WorkspaceChoice> = {},
): Promise<number> {
  const isJson = args["json"] === true;
  const watch = args["watch"] === true;
  const options = { ...serviceOptionsOf(args, shell), ...choice };
  const limit = numberOf(args["limit"]);
  // Tables are printed one after the other, in the order in which the readers end.
  let printed = Promise.resolve();
  const result = await shell.interruptible((signal) =>
    previewRecords({
      ...options,
      limit: limit === 0 ? Number.POSITIVE_INFINITY : limit,
      watch,
      signal,
      onEvent: (event) => {
        if (event.kind === "previewed" && !isJson)
          printed = printed.then(() =>
            printPreview(
              event.previewed,
              shell,
              `${countWords(event.previewed, choice.page)}; nothing was written`,
            ),
          );
        else sayEvent(event, shell);
      },
    }),
  );
  await printed;
  if (isJson) printJson(result, options.folder, shell);
  else if (!watch) sayNotRun(result.objects, result.diagnostics, shell);
  return result.objects?.every(isFine) === true ? 0 : 1;
}

function printJson({ objects, diagnostics }: PreviewRecordsResult, folder: string, shell: Shell): void {
  const result = {
    objects: objects?.map((object) => ({ ...object, frames: framesJson(object.frames, folder) })) ?? null,
    diagnostics: findingsJson(diagnostics, folder),
    summary: summaryOf(diagnostics),
  };
  shell.result(`${JSON.stringify(result, undefined, 2)}\n`);
}

/** Prints the records as a table, what does not fit, and `words` about the whole. */
export async function printPreview(previewed: PreviewedObject, shell: Shell, words: string): Promise<void> {
  const { object, records, message, frames } = previewed;
  await printTable(rowsOf(previewed), shell);
  const lines = records.flatMap(({ key, findings }, index) =>
    findings.length === 0
      ? []
      : [
          `${object}: record ${index + 1} (${key ?? "without a valid key"}) does not fit:`,
          ...findings.map((finding) => `  ${finding.message}`),
        ],
  );
  lines.push(`${object}: ${words}`);
  if (message !== null) lines.push(`  ${message}`);
  lines.push(...frameLines(frames, shell.cwd).map((line) => `    ${line}`));
  shell.result(`${lines.map(escapeControls).join("\n")}\n`);
}

function rowsOf({ records }: PreviewedObject): readonly TableRow[] {
  const isChange = records.some(({ operation }) => operation === "delete");
  return records.map(({ operation, key, record }) => [
    ["primary key", key ?? ""],
    ["operation", isChange ? operation : undefined],
    ...membersOf(record),
  ]);
}

/** `5 records read, 1 does not fit`. */
export function countWords({ records, outcome, isWhole }: PreviewedObject, page = 1): string {
  const wrong = records.filter(({ findings }) => findings.length > 0).length;
  const read = `${records.length} record${records.length === 1 ? "" : "s"} read`;
  const end =
    outcome === "failed"
      ? ", then it failed"
      : isWhole
        ? page > 1
          ? ", which is the rest"
          : ", which is all"
        : "";
  const fit = wrong === 0 ? "" : `, ${wrong} ${wrong === 1 ? "does" : "do"} not fit`;
  return `${read}${end}${fit}`;
}
