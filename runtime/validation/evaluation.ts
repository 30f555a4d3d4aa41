/** One schema held against one value: the state that the keyword families share, and what they report to. */
import { type Finding, HIDDEN, shown } from "./finding.js";

/** A schema, the value that it is held against, and where that value stands. */
export interface Place {
  readonly schema: unknown;
  readonly value: unknown;
  readonly path: string;
  /** The references that were followed for this very value. */
  readonly followed: readonly unknown[];
  readonly run: Run;
}

/** A place whose schema is an object: the only kind that has keywords. */
export interface KeywordPlace extends Place {
  readonly schema: Readonly<Record<string, unknown>>;
}

/** What one call of `findings` collects. */
export interface Run {
  readonly root: unknown;
  readonly reports: Report[];
  /** Paths whose values are sensitive, with all below them. */
  readonly hidden: Set<string>;
  readonly patterns: Map<string, RegExp | undefined>;
  /** Evaluates any schema; given here so that keyword families need not import what imports them. */
  readonly evaluate: (place: Place) => boolean;
}

/** A finding before sensitive values are masked. */
export interface Report {
  readonly path: string;
  readonly keyword: string;
  readonly expected: string;
  readonly actual: string;
}

/** Reports that the value at `place` does not fit `keyword`. `actual` says what was there instead. */
export function report(
  place: Place,
  keyword: string,
  expected: string,
  actual: string = shown(place.value),
): void {
  place.run.reports.push({ path: place.path, keyword, expected, actual });
}

/** Holds `schema` against the value of `place` itself. */
export function same(place: Place, schema: unknown): boolean {
  return place.run.evaluate({ ...place, schema });
}

/** Holds `schema` against another value, which stands at `path`. */
export function inner(place: Place, schema: unknown, value: unknown, path: string): boolean {
  return place.run.evaluate({ ...place, schema, value, path, followed: [] });
}

/** Runs `trial` and forgets what it reported. */
export function quietly<Result>({ run }: Place, trial: () => Result): Result {
  const count = run.reports.length;
  const result = trial();
  run.reports.length = count;
  return result;
}

/** The regular expression of a schema, compiled once a run; undefined where it is none. */
export function patternOf({ run }: Place, source: string): RegExp | undefined {
  if (run.patterns.has(source)) return run.patterns.get(source);
  let pattern: RegExp | undefined;
  try {
    pattern = new RegExp(source, "u");
  } catch {
    pattern = undefined;
  }
  run.patterns.set(source, pattern);
  return pattern;
}

/** The finding that a report becomes. */
export function findingOf({ path, keyword, expected, actual }: Report, hidden: boolean): Finding {
  const shownActual = hidden ? HIDDEN : actual;
  const where = path === "" ? "the value" : path;
  return {
    instancePath: path,
    keyword,
    expected,
    actual: shownActual,
    message: `${where}: expected ${expected}, found ${shownActual}`,
  };
}
