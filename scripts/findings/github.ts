/** Findings as annotations of GitHub's workflow log: reviewers see them beside the line. */
import {
  displayPath,
  type FindingsReport,
  fullMessage,
  type ReportedFinding,
  reportRoot,
} from "./reported.js";

const COMMANDS = { error: "error", warning: "warning", info: "notice" } as const;

/** One workflow command a finding; silenced ones are left out. */
export function githubAnnotations({ findings, ...place }: FindingsReport): string {
  const root = reportRoot(place);
  return findings
    .filter(({ silenced }) => silenced === undefined)
    .map((found) => `${annotation(found, root)}\n`)
    .join("");
}

function annotation(found: ReportedFinding, root: string): string {
  const { file, line, column, code, severity } = found;
  const properties = [
    ["file", file && displayPath(file, root)],
    ["line", line],
    ["col", column],
    ["title", code],
  ]
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${COMMANDS[severity]} ${properties.join(",")}::${data(fullMessage(found))}`;
}

/** Escapes what a message may not contain. */
function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
