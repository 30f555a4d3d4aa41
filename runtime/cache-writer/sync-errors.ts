/** Why a run of the cache writer fails by itself. */

/** The run was told to stop. */
export class StoppedError extends Error {
  override readonly name = "StoppedError";

  constructor(object: string) {
    super(`${object}: the run was stopped. The next run goes on from its last resume point, or starts over.`);
  }
}

/** More records were rejected than the run may have. */
export class RejectedLimitError extends Error {
  override readonly name = "RejectedLimitError";
}

/** `limit` says what was exceeded. */
export function rejectedTooMany(object: string, count: number, limit: string): RejectedLimitError {
  return new RejectedLimitError(
    `${object}: ${count} records do not fit the schema, ${limit}. Look at what was rejected, and mend the schema or the reader.`,
  );
}
