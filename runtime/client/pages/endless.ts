/** Bounds against lists that never end: a count of pages, and places that come again. */
import { hash } from "node:crypto";
import { EndlessPages } from "../errors.js";

/** 0, 1, 2, … @throws EndlessPages after `most` of them. */
export function* stepsOf(most = 100_000): Generator<number, void, undefined> {
  for (let step = 0; step < most; step++) yield step;
  throw new EndlessPages(`The list has not ended after ${most} pages. Raise maxPages if it is that long.`);
}

/**
 * What throws EndlessPages once it is told the same thing again. It keeps one thing, told at a power of two: a circle
 * is found after at most three rounds, in constant memory.
 */
export function repeatedPages(): (place: unknown) => void {
  let kept = "";
  let count = 0;
  return (place) => {
    const told = hash("sha256", JSON.stringify(place));
    if (count > 0 && told === kept)
      throw new EndlessPages("The list does not end: a page leads back to one that was there before.");
    count++;
    if ((count & (count - 1)) === 0) kept = told;
  };
}
