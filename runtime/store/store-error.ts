/** Why a store can't do what was asked, in words for the user. */

/**
 * - `locked`: another program holds the store, and did not let go in time
 * - `full`: there is no space left
 * - `read-only`: the store or its folder can't be written
 * - `corrupt`: the file is damaged, or something else than a store
 * - `newer`: a newer version of this package wrote the store
 * - `unavailable`: the store can't be opened or reached
 * - `superseded`: the run was ended, or another one has taken its place
 */
export type StoreProblem =
  | "locked"
  | "full"
  | "read-only"
  | "corrupt"
  | "newer"
  | "unavailable"
  | "superseded";

/** The message names the store and what to do. What was committed before is still there. */
export class StoreError extends Error {
  override readonly name = "StoreError";

  constructor(
    readonly problem: StoreProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
