/** Why the action processor itself gives an action up, by the code that stands in the dead letter. */

/** A code and its words. */
export interface DeadLetterReason {
  /** What has happened, in a sentence. */
  readonly what: string;
  /** What to do. */
  readonly fix: string;
}

const LOOK =
  "The target system may have acted: npx connectorcli queue show <id> --reveal shows what the handler returned.";

/** Codes beside these are names of the errors that handlers throw. */
export const DEAD_LETTER_REASONS = {
  "output-invalid": {
    what: "The output that the handler returned does not fit its schema.",
    fix: `${LOOK} Mend the handler or the schema of the output, then queue the action again if it is to be repeated.`,
  },
  "failure-invalid": {
    what: "The failure that the handler returned does not fit its schema.",
    fix: `${LOOK} Mend the handler or the schema of the failure, then queue the action again.`,
  },
  "changes-invalid": {
    what: "A cache change that the handler returned does not fit: its data object, its operation or its record.",
    fix: `${LOOK} Mend the change; a run of the cache writer brings the record into the cache in the meantime.`,
  },
  "outcome-invalid": {
    what: "What the handler returned is neither succeeded(…) nor failed(…), or can't be read.",
    fix: `${LOOK} Return succeeded(output, changes) or failed(failure) on every path of the handler.`,
  },
  "worker-lost": {
    what: "The process that performed the action ended in the middle of each of the last attempts.",
    fix: "Look for a crash or a lack of memory at the time of the attempts, and for what the handler noted; then queue the action again.",
  },
} as const satisfies Readonly<Record<string, DeadLetterReason>>;
