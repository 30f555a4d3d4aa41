/** The change log of a connector for its users: what breaks first, then what is new, then what is otherwise. */
import type { Change, Verdict } from "../schemas/compatibility/change.js";
import { render } from "./render.js";

export interface ComparedConnector {
  /** What the connector was compared with: a file or a git reference. */
  readonly reference: string;
  readonly verdict: Verdict;
  readonly changes: readonly Change[];
}

/** Markdown. Texts of the connector mean themselves in it. */
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
    reference: code(reference),
    verdict: verdict === "none" ? "no" : verdict,
    groups: groups
      .filter((group) => group.changes.length > 0)
      .map(({ title, changes: listed }) => ({ title, changes: listed.map(lineOf) })),
  });
}

function isAddition({ code }: Change): boolean {
  return code.endsWith("-added") || code.endsWith("-added-required");
}

function lineOf({ message, witness, undecided }: Change) {
  const value = witness === undefined || witness === null ? undefined : code(JSON.stringify(witness.value));
  const words =
    witness?.acceptedBy === "old" ? "was accepted and is refused now" : "was refused and is accepted now";
  const shown =
    value === undefined
      ? undecided
        ? "Whether values break by it can't be decided."
        : ""
      : `${value} ${words}.`;
  return { message: markdown(message), witness: shown };
}

/** Text that means itself in Markdown. */
function markdown(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~]/g, "\\$&").replace(/&/g, "&amp;");
}

/** A code span of any text: fenced by one back-tick more than it holds in a row. */
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${fence}${space}${text.replace(/[\r\n]/g, " ")}${space}${fence}`;
}
