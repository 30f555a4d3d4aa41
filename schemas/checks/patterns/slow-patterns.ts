/** Finds patterns that a text can make slow: a regular expression can't be stopped, and holds the whole process. */
import { createRequire } from "node:module";

/** How a pattern is slow, and the part of it that is. */
export interface SlowPart {
  readonly part: string;
  /** Whether a few dozen characters are enough; otherwise the time grows with the square of the text's length, or more. */
  readonly isExponential: boolean;
}

const MAX_CHARACTERS = 1_000;
/** The analysis of deeply nested groups is slow itself. */
const MAX_DEPTH = 10;

const known = new Map<string, SlowPart | undefined>();

/** What is slow in a valid pattern; undefined if nothing is, or if the pattern is too large to be looked at. */
export function slowPart(pattern: string): SlowPart | undefined {
  if (!mayBeSlow(pattern) || pattern.length > MAX_CHARACTERS || depthOf(pattern) > MAX_DEPTH)
    return undefined;
  if (!known.has(pattern)) known.set(pattern, analysed(pattern));
  return known.get(pattern);
}

/** Slow is what repeats in two places the same text can be split over: one repetition, or none without end, never is. */
function mayBeSlow(pattern: string): boolean {
  const repetitions = pattern.match(/[*+?]|\{\d/g) ?? [];
  return repetitions.length > 1 && /[*+]|\{\d+,\}|\)\{/.test(pattern);
}

function analysed(pattern: string): SlowPart | undefined {
  // Only loaded where there is such a pattern.
  const { analyse }: typeof import("scslre") = createRequire(import.meta.url)("scslre");
  try {
    // What is slow only because the search begins anew at each character is not counted: searches are short.
    const { reports } = analyse(new RegExp(pattern, "u"), { reportTypes: { Move: false } });
    const worst = reports.find(({ exponential }) => exponential) ?? reports[0];
    if (worst === undefined) return undefined;
    const { raw } = worst.type === "Trade" ? worst.startQuant : worst.quant;
    return { part: raw, isExponential: worst.exponential };
  } catch {
    return undefined;
  }
}

function depthOf(pattern: string): number {
  let [depth, deepest] = [0, 0];
  for (const character of pattern) {
    if (character === "(") depth++;
    if (character === ")") depth--;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
