/**
 * Notes that a list was read by position: if a record before the next page goes meanwhile, another one slips past the
 * reader. Whoever deletes what was not read looks twice then. One count for the process: a list that somebody else reads
 * at the same time costs a second look too many, and never one too few.
 */
let requests = 0;

/** Notes a request for a page whose place depends on how many records come before it. */
export function noteReadByPosition(): void {
  requests++;
}

/** How many such requests the process has made. */
export function requestsByPosition(): number {
  return requests;
}
