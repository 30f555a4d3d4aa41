/** `connectorcli dev`: after every save what is generated, what is wrong, and what the readers yield, in one terminal. */
import { type Diagnostic, escapeControls } from "../../schemas/diagnostics/diagnostic.js";
import { framesJson } from "../author-project/author-frames.js";
import { numberOf, projectOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import type { PreviewedObject } from "../connector-run/run-protocol.js";
import { findingsJson, findingsText, headText, summaryOf, summaryText } from "../findings/findings-text.js";
import { type DevelopEvent, develop } from "../workbench/develop.js";
import { isFine } from "../workbench/services.js";
import { fakeOptionsOf } from "./fake-start.js";
import { countWords, printPreview } from "./preview-records.js";
import { sayNotRun, withUsageErrors } from "./services.js";

export function dev(args: Arguments, shell: Shell): Promise<number> {
  return withUsageErrors(shell, async () => {
    const project = projectOf(args, shell);
    const fake = fakeOptionsOf(args);
    const limit = numberOf(args["limit"]);
    const print = args["json"] === true ? lines(project.folder, shell) : blocks(shell);
    // Tables are printed bit by bit, and nothing comes in between.
    let printed = Promise.resolve();
    const { diagnostics } = await shell.interruptible((signal) =>
      develop({
        ...project,
        fake,
        limit: limit === 0 ? Number.POSITIVE_INFINITY : limit,
        isTraced: args["trace"] === true,
        environment: shell.environment,
        signal,
        onEvent: (event) => {
          printed = printed.then(() => print(event));
        },
      }),
    );
    await printed;
    if (diagnostics.length === 0) return 0;
    sayNotRun(undefined, diagnostics, shell);
    return 1;
  });
}

type Print = (event: DevelopEvent) => Promise<void>;

/** Each event as a line of JSON. */
function lines(folder: string, shell: Shell): Print {
  const members = (event: DevelopEvent): object => {
    switch (event.kind) {
      case "checked":
        return {
          findings: findingsJson(event.findings, folder),
          appeared: findingsJson(event.appeared, folder),
          gone: findingsJson(event.gone, folder),
        };
      case "not-faked":
      case "not-read":
        return { diagnostics: findingsJson(event.diagnostics, folder) };
      case "previewed":
        return { previewed: { ...event.previewed, frames: framesJson(event.previewed.frames, folder) } };
      default:
        return event;
    }
  };
  return async (event) => shell.result(`${JSON.stringify({ kind: event.kind, ...members(event) })}\n`);
}

/** The records of so many readers are shown; of more, each that does well is a line. */
const SHOWN_READERS = 3;

/** What is printed of each kind of event. */
type Prints = {
  readonly [Kind in DevelopEvent["kind"]]: (
    event: Extract<DevelopEvent, { kind: Kind }>,
  ) => void | Promise<void>;
};

/** A block of lines for each save: only what is new, errors first. */
function blocks(shell: Shell): Print {
  let isQuiet = true;
  let isChecked = false;
  let hasWaited = false;
  let origin: string | undefined;
  const say = (text: string) => {
    isQuiet = false;
    shell.say(text);
  };
  const prints: Prints = {
    saved: ({ files }) => {
      isQuiet = true;
      if (files.length > 0) shell.say(`\n${timeText(new Date())}  ${filesText(files)}`);
    },
    generated: ({ changes }) => {
      for (const { step, path } of changes) say(`${step} ${path}`);
    },
    checked: (event) => {
      for (const line of checkedLines(event, shell.cwd, { always: !isChecked })) say(line);
      isChecked = true;
    },
    faked: ({ fake }) => {
      say(origin === undefined ? addressText(fake.origin) : AGAIN_WORDS);
      origin = fake.origin;
      for (const note of fake.notes) say(note);
    },
    "not-faked": ({ diagnostics }) =>
      say(`The fake target system does not run:\n${errorsFirst(diagnostics, shell.cwd)}`),
    previewed: ({ previewed, count }) => {
      isQuiet = false;
      return printRead(previewed, { isBrief: !hasWaited || count > SHOWN_READERS }, shell);
    },
    "not-read": ({ diagnostics }) => say(`Nothing was read:\n${errorsFirst(diagnostics, shell.cwd)}`),
    line: ({ text }) => say(text),
    waiting: () => {
      if (isQuiet) shell.say("Nothing has changed.");
      if (!hasWaited) shell.say("Save a file to see what changes. Interrupt it to stop.");
      hasWaited = true;
    },
  };
  return async (event) => (prints[event.kind] as (event: DevelopEvent) => void | Promise<void>)(event);
}

const AGAIN_WORDS = "The fake target system runs the new code, with new records.";

function addressText(origin: string): string {
  return `The fake target system answers at ${origin}: npx connectorcli read <object> --fake ${origin}`;
}

type Checked = Extract<DevelopEvent, { kind: "checked" }>;

/** New findings whole, errors that stay as a line each, and the sum; nothing if there is nothing to say. */
function checkedLines(
  { findings, appeared, gone }: Checked,
  cwd: string,
  { always }: { readonly always: boolean },
): readonly string[] {
  const staying = findings.filter((found) => found.severity === "error" && !appeared.includes(found));
  if (!always && appeared.length + gone.length + staying.length === 0) return [];
  const news = appeared.length === 0 ? [] : [errorsFirst(appeared, cwd)];
  const mended = gone.length === 0 ? "" : `, ${gone.length} mended`;
  return [
    ...news,
    ...staying.map((found) => `${headText(found, cwd)}  (as before)`),
    `check: ${findings.length === 0 ? "no findings" : summaryText(summaryOf(findings))}${mended}`,
  ];
}

function errorsFirst(findings: readonly Diagnostic[], cwd: string): string {
  return (["error", "warning", "info"] as const)
    .map((severity) =>
      findingsText(
        findings.filter((found) => found.severity === severity),
        { cwd },
      ),
    )
    .join("")
    .trimEnd();
}

/** @param isBrief Whether a reader that does well is one line. */
async function printRead(
  previewed: PreviewedObject,
  { isBrief }: { readonly isBrief: boolean },
  shell: Shell,
): Promise<void> {
  const words = countWords(previewed);
  if (isBrief && isFine(previewed)) shell.result(`${escapeControls(`${previewed.object}: ${words}`)}\n`);
  else await printPreview(previewed, shell, words);
}

const SHOWN_FILES = 3;

/** `schemas/app/project.ts, connector.ts and 2 more`. */
function filesText(files: readonly string[]): string {
  const shown = files.slice(0, SHOWN_FILES).join(", ");
  const hidden = files.length - SHOWN_FILES;
  return hidden > 0 ? `${shown} and ${hidden} more` : shown;
}

/** `09:05:30`, by the clock on the wall. */
function timeText(time: Date): string {
  return time.toTimeString().slice(0, 8);
}
