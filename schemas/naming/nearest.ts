/** The nearest right name, for messages about a wrong one. */

/** ` Did you mean "x"?` with a space before it, or nothing where no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
}

/**
 * The candidate with the fewest edits to `name`, at most `maxEdits`.
 * @param maxEdits A third of the length of `name`, but at least one, if it is left out.
 */
export function nearestName(
  name: string,
  candidates: Iterable<string>,
  maxEdits: number = Math.max(1, Math.floor(name.length / 3)),
): string | undefined {
  let best: string | undefined;
  let fewest = maxEdits + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= fewest) continue;
    const edits = distance(name.toLowerCase(), candidate.toLowerCase());
    if (edits < fewest) [best, fewest] = [candidate, edits];
  }
  return best;
}

/** Levenshtein's distance of two short texts. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
