/** Changes between two connectors as people and programs read them, and as findings for formats that know findings only. */
import path from "node:path";
import { styleText } from "node:util";
import { type Change, type Site, type Verdict, witnessWords } from "../../schemas/compatibility/change.js";
import { type Group, onePerPlace, otherPlaces } from "./one-per-place.js";
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

/** How changes are shown to people. */
export interface ChangesStyle {
  /** The folder that files are shown relative to, absolute. */
  readonly cwd: string;
  readonly isTerminal: boolean;
  /** How many to show, the most severe ones; 0 shows all. @default 0 */
  readonly most?: number | undefined;
}

/** Each change with its places, its sentence and its witness; one for each place of the author's. */
export function changesText(changes: readonly Change[], { cwd, isTerminal, most = 0 }: ChangesStyle): string {
  const places = changesByPlace(changes);
  const bySeverity = SEVEREST_FIRST.flatMap((severity) =>
    places.filter(({ first }) => first.severity === severity),
  );
  const shown = new Set(most === 0 ? places : bySeverity.slice(0, most));
  const rest = places.length - shown.size;
  const texts = places
    .filter((place) => shown.has(place))
    .map(({ first: change, others }) => {
      const { severity, code, message } = change;
      const shown = isTerminal ? styleText(COLOURS[severity], severity) : severity;
      const head = [siteText(change.new, cwd), shown, code].join("  ");
      const lines = [
        message,
        ...(others.length === 0 ? [] : [otherPlaces(others.length)]),
        ...witnessLines(change),
        `before: ${siteText(change.old, cwd)}`,
      ];
      return `${head}\n${lines.map((line) => `    ${line}\n`).join("")}`;
    });
  const more = rest === 0 ? "" : `${rest} more change${rest === 1 ? " is" : "s are"} not shown.\n`;
  return texts.join("") + more;
}

const SEVEREST_FIRST = ["major", "minor", "patch"] as const;

/** The changes in their order, those that one line of the author makes under the first of them. */
export function changesByPlace(changes: readonly Change[]): readonly Group<Change>[] {
  return onePerPlace(changes, ({ code, severity, undecided, message, new: site }) => ({
    ...{ code, message, ...site },
    severity: `${severity}${undecided}`,
  }));
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
