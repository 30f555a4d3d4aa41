/** Changes between two connectors as people and programs read them, and as findings for formats that know findings only. */
import path from "node:path";
import { styleText } from "node:util";
import { type Change, type Site, type Verdict, witnessWords } from "../../schemas/compatibility/change.js";
import type { ReportedFinding } from "./reported.js";

const COLOURS = { major: "red", minor: "yellow", patch: "cyan" } as const;

export interface ChangeCounts {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** How many of them can't be decided and count as major. */
  readonly undecided: number;
}

export function countsOf(changes: readonly Change[]): ChangeCounts {
  const count = (severity: string) => changes.filter((change) => change.severity === severity).length;
  const undecided = changes.filter((change) => change.undecided).length;
  return { major: count("major"), minor: count("minor"), patch: count("patch"), undecided };
}

/** Each change with its places, its sentence and its witness. */
export function changesText(
  changes: readonly Change[],
  { cwd, isTerminal }: { readonly cwd: string; readonly isTerminal: boolean },
): string {
  return changes
    .map((change) => {
      const { severity, code, message } = change;
      const shown = isTerminal ? styleText(COLOURS[severity], severity) : severity;
      const head = [siteText(change.new, cwd), shown, code].join("  ");
      const lines = [message, ...witnessLines(change), `before: ${siteText(change.old, cwd)}`];
      return `${head}\n${lines.map((line) => `    ${line}\n`).join("")}`;
    })
    .join("");
}

/** `major (1 major, 2 minor, 0 patch; 1 can't be decided)`. */
export function verdictText(verdict: Verdict, { major, minor, patch, undecided }: ChangeCounts): string {
  const open = undecided === 0 ? "" : `; ${undecided} can't be decided`;
  return verdict === "none" ? verdict : `${verdict} (${major} major, ${minor} minor, ${patch} patch${open})`;
}

/** Changes for programs: files relative to `folder`, with `/` on every system. */
export function changesJson(changes: readonly Change[], folder: string): readonly object[] {
  return changes.map((change) => ({
    ...change,
    old: siteJson(change.old, folder),
    new: siteJson(change.new, folder),
  }));
}

const LONGEST = 300;

/** What is known of values that show the change, in sentences. */
export function witnessLines({ witness, undecided }: Change): readonly string[] {
  if (witness === undefined) return [];
  if (witness === null) {
    return [
      undecided
        ? "Warning: whether values break can't be decided, and none was found that shows it; it counts as if they did."
        : "No value is shown: none was found, or there are too many changes to look for all of them.",
    ];
  }
  const { value, scope } = witness;
  const json = JSON.stringify(value);
  const text = json.length > LONGEST ? `${json.slice(0, LONGEST)}…` : json;
  return [`${scope === "value" ? "There, " : ""}${printable(text)} ${witnessWords(witness)}.`];
}

/** JSON keeps lone control characters out; what could turn text around is escaped as well. */
function printable(json: string): string {
  return json.replace(/[\p{Cf}\u2028\u2029\u007f-\u009f]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

function siteText({ file, line, column, pointer }: Site, cwd: string): string {
  if (file === undefined) return `connector.json#${pointer}`;
  const relative = path.relative(cwd, file);
  const shown = !path.isAbsolute(file) || relative.startsWith("..") ? file : relative;
  return [shown, line, column].filter((part) => part !== undefined).join(":");
}

function siteJson(site: Site, folder: string): Site {
  if (site.file === undefined || !path.isAbsolute(site.file)) return site;
  return { ...site, file: path.relative(folder, site.file).split(path.sep).join("/") };
}

const SEVERITIES = { major: "warning", minor: "info", patch: "info" } as const;

/**
 * One finding a change, where it is in the project. A change that reaches `--fail-on` is an error, another major one
 * a warning.
 */
export function changesAsFindings(
  changes: readonly Change[],
  stops: (change: Change) => boolean,
): readonly ReportedFinding[] {
  return changes.map((change) => {
    const { code, severity, message, new: site } = change;
    return {
      ...site,
      code,
      severity: stops(change) ? "error" : SEVERITIES[severity],
      message: `${severity[0]?.toUpperCase()}${severity.slice(1)} change: ${message}`,
      fix: witnessLines(change).join(" "),
    };
  });
}
