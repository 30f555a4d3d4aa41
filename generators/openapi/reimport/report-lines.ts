/** The changes between two imports as lines of text. */
import { escapeControls } from "../../../schemas/diagnostics/diagnostic.js";
import type { ImportChange } from "./compare-locks.js";

/** Longer texts say nothing at a glance. */
const LONGEST = 120;

/** One line a change: `changed  Project.pages: one -> link next: … (openapi.yaml:12)`. */
export function changeLines(changes: readonly ImportChange[]): readonly string[] {
  return changes.map(changeLine).map(escapeControls);
}

function changeLine({ change, of, name, was, now, evidence, place, needs }: ImportChange): string {
  const kind = of === "decision" ? "" : `${of} `;
  const texts = [was, now].filter((text) => text !== "").map(shortened);
  const why = evidence === "" ? "" : `: ${evidence}`;
  const where = place === "" ? "" : ` (${place})`;
  const what = texts.length === 0 ? "" : `: ${texts.join(" -> ")}`;
  return `${change.padEnd(7)}  ${kind}${name}${what}${why}${where}${ADVICE[needs]}`;
}

const ADVICE = {
  done: "",
  accept: "; decides which records are read",
  answer: "; answer it in openapi.config.ts",
  author: "; your modules stay as they are",
} as const;

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}
