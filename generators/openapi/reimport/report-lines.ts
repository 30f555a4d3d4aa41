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
  const start = differenceOf(was, now);
  const texts = [was, now].filter((text) => text !== "").map((text) => shortened(text, start));
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

/** What is shown before the first difference of two long texts. */
const BEFORE_DIFFERENCE = 20;

/** Where to begin, so that the difference of two texts is seen. */
function differenceOf(was: string, now: string): number {
  if (was.length <= LONGEST && now.length <= LONGEST) return 0;
  let place = 0;
  while (place < was.length && was[place] === now[place]) place++;
  return place < LONGEST - BEFORE_DIFFERENCE ? 0 : place - BEFORE_DIFFERENCE;
}

function shortened(text: string, start: number): string {
  const shown = start === 0 ? text : `…${text.slice(start)}`;
  return shown.length <= LONGEST ? shown : `${shown.slice(0, LONGEST - 1)}…`;
}
