/** A value that does not fit its schema, where one that fits was asked for. */
import type { Finding } from "../validation/finding.js";

/** Names every finding; sensitive values in them are hidden. */
export class RecordError extends Error {
  override readonly name = "RecordError";

  constructor(
    /** The class whose schema the value does not fit. */
    readonly type: string,
    readonly findings: readonly Finding[],
  ) {
    const count = findings.length === 1 ? "1 finding" : `${findings.length} findings`;
    super(`${type}: ${count}\n${findings.map(({ message }) => `  ${message}`).join("\n")}`);
  }
}
