/** `connectorcli migrate`: an older connector gets structured connections, as far as a tool can do it (§5.2). */
import { isChange } from "../../generators/writer/plan.js";
import { hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { AUTH_TYPES } from "../../schemas/model/connector-model.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { projectOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { findingsJson, findingsText, summaryOf, summaryText } from "../findings/findings-text.js";
import { type MigrateOptions, type MigrationResult, migrateProject } from "../migration/migrate-project.js";

const WRONG_USAGE = 2;

export async function migrate(args: Arguments, shell: Shell): Promise<number> {
  const refuse = (words: string) => {
    shell.say(words);
    return WRONG_USAGE;
  };
  const wanted = wantedOf(args);
  if (typeof wanted === "string") return refuse(wanted);
  const options = projectOf(args, shell);
  const dryRun = args["dry-run"] === true;
  const result = await shell.interruptible((signal) =>
    migrateProject({ ...options, wanted, dryRun, signal }),
  );
  if (typeof result === "string") return refuse(result);
  const isDone = !hasErrors(result.diagnostics);
  const files = isDone ? result.files.filter(isChange) : [];
  const shown = { ...result, files, moved: isDone ? result.moved : [], isDry: dryRun };
  const next = isDone && files.length + result.diagnostics.length > 0 ? NEXT : [];
  if (args["json"] === true)
    shell.result(`${JSON.stringify(jsonOf(shown, next, options.folder), undefined, 2)}\n`);
  else for (const line of linesOf(shown, next, shell)) shell.say(line);
  return isDone ? 0 : 1;
}

function wantedOf({ "auth-type": given, name }: Arguments): MigrateOptions["wanted"] | string {
  const authType = AUTH_TYPES.find((type) => type === given);
  if (typeof given === "string" && authType === undefined) {
    return `There is no auth type "${given}".${didYouMean(given, AUTH_TYPES)} Use one of: ${AUTH_TYPES.join(", ")}.`;
  }
  return { authType, name: typeof name === "string" ? name : undefined };
}

interface Outcome extends MigrationResult {
  /** Whether it was only planned. */
  readonly isDry: boolean;
}

function jsonOf(
  { diagnostics, connection, isDry, files, moved }: Outcome,
  next: readonly string[],
  root: string,
): object {
  return {
    written: !hasErrors(diagnostics) && !isDry,
    connection,
    files: files.map(({ step, file }) => ({ step, path: file.path })),
    moved: moved.map(({ member, property: to, isDeclared, isBaseUrl }) => {
      return { from: member.names.join("."), to, isDeclared, isBaseUrl };
    }),
    next,
    diagnostics: findingsJson(diagnostics, root),
    summary: summaryOf(diagnostics),
  };
}

function linesOf(outcome: Outcome, next: readonly string[], shell: Shell): readonly string[] {
  const { diagnostics, connection = "", isDry, files, moved } = outcome;
  const failed = hasErrors(diagnostics) ? [`nothing written (${summaryText(summaryOf(diagnostics))})`] : [];
  return [
    ...(diagnostics.length > 0 ? [findingsText(diagnostics, shell).trimEnd()] : []),
    ...moved.map((setting) => movedText(setting, connection, isDry)),
    ...files.map(({ step, file }) => `${isDry ? "would " : ""}${step} ${file.path}`),
    ...failed,
    ...(files.length + diagnostics.length === 0 ? ["nothing to do"] : []),
    ...(next.length > 0 ? [["Next:", ...next.map((line) => `  ${line}`)].join("\n")] : []),
  ];
}

const NEXT = [
  "Do what is listed, if anything is; the compiler names modules that read what has moved.",
  "Then: npx connectorcli gen, npx connectorcli test init, npx connectorcli test connection (rule 8)",
];

function movedText(
  { member, property, isDeclared, isBaseUrl }: MigrationResult["moved"][number],
  connection: string,
  isDry: boolean,
): string {
  const from = member.names.join(".");
  const how = isDeclared ? "" : ", which is there already";
  const base = isBaseUrl ? ", as its base address" : "";
  return `${isDry ? "would move" : "move"} ${from} to ${property} of ${connection}${how}${base}`;
}
