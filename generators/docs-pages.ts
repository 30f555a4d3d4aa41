/** Pages in Markdown: the catalogue of diagnostics, and the change log of a connector. */
import { type Change, type Verdict, witnessWords } from "../schemas/compatibility/change.js";
import type { RuleFamily } from "../schemas/diagnostics/rules/rule.js";
import { sectionLink } from "../schemas/diagnostics/sections.js";
import type { GeneratedFile } from "./generated-file.js";
import { render } from "./render.js";

/** A connector, compared with an earlier one. */
export interface ComparedConnector {
  /** What the connector was compared with: a file or a git reference. */
  readonly reference: string;
  readonly verdict: Verdict;
  readonly changes: readonly Change[];
}

/**
 * The change log of a connector for its users, as Markdown: what breaks, what is new, what is changed, what is reworded.
 * Text of the connector is escaped.
 */
export function changesPage({ reference, verdict, changes }: ComparedConnector): string {
  const groups = [
    { title: "Breaking", changes: changes.filter(({ severity }) => severity === "major") },
    {
      title: "Added",
      changes: changes.filter((change) => change.severity === "minor" && isAddition(change)),
    },
    {
      title: "Changed",
      changes: changes.filter((change) => change.severity === "minor" && !isAddition(change)),
    },
    { title: "Reworded", changes: changes.filter(({ severity }) => severity === "patch") },
  ];
  return render("changes.md", {
    reference: codeSpan(reference),
    verdict: verdict === "none" ? "no" : verdict,
    groups: groups
      .filter((group) => group.changes.length > 0)
      .map(({ title, changes: ofGroup }) => ({ title, changes: ofGroup.map(changeLine) })),
  });
}

function isAddition({ code }: Change): boolean {
  return code.endsWith("-added") || code.endsWith("-added-required");
}

function changeLine({ message, witness, undecided }: Change) {
  if (witness === undefined || witness === null) {
    const sentence = undecided ? "Whether values break by it can't be decided." : "";
    return { message: escapeMarkdown(message), witness: sentence };
  }
  const sentence = `${codeSpan(JSON.stringify(witness.value))} ${witnessWords(witness)}.`;
  return { message: escapeMarkdown(message), witness: sentence };
}

/** `docs/diagnostics.md`: all codes of the catalogue. Its path is relative to the package's folder. */
export function diagnosticsPage(catalogue: RuleFamily): GeneratedFile {
  const entries = Object.entries(catalogue)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { severity, isErrorIfStrict, section, message, fix }]) => ({
      code,
      severity: isErrorIfStrict === true ? `${severity}, error with \`--strict\`` : severity,
      section,
      link: sectionLink(section),
      message: tableCell(message),
      fix: tableCell(fix),
    }));
  return {
    path: "docs/diagnostics.md",
    content: render("diagnostics.md", { entries }),
    ownership: "generated",
  };
}

/** A cell of a table: parameters become *words*, and nothing in the text ends the cell. */
function tableCell(text: string): string {
  return text.replace(/\|/g, "\\|").replace(/\{(\w+)\}/g, "*$1*");
}

/** The text with everything escaped that Markdown would read as markup. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~]/g, "\\$&").replace(/&/g, "&amp;");
}

/** A code span of any text: fenced by one back-tick more than it holds in a row. */
function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${fence}${space}${text.replace(/[\r\n]/g, " ")}${space}${fence}`;
}
