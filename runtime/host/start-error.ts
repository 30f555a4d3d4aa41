/** A connector that did not start, and everything that stood in its way (spec §2.3, §7). */
import { type Finding, HIDDEN } from "../validation/finding.js";
import { isSensitiveName } from "./log/sensitive-names.js";

/** What is wrong with one value of the configurations, or with the registration. */
export interface StartFinding extends Finding {
  /** `registrationConfiguration/…`, `app-1/cacheWriter/…`, `app-1/Project`. */
  readonly place: string;
}

/** Names every finding; sensitive values in them are hidden. */
export class StartError extends Error {
  override readonly name = "StartError";

  constructor(
    /** Name of the connector. */
    readonly connector: string,
    readonly findings: readonly StartFinding[],
  ) {
    const count = findings.length === 1 ? "1 finding" : `${findings.length} findings`;
    const lines = findings.map(({ message }) => `  ${message}`);
    super(`${connector} does not start: ${count}\n${lines.join("\n")}`);
  }
}

/** A finding of a configuration, at its place in all that was given. */
export function placed(place: string, finding: Finding): StartFinding {
  const { instancePath, keyword, expected } = finding;
  const isSensitive = isSensitiveName(instancePath) && keyword !== "required";
  const actual = isSensitive ? HIDDEN : finding.actual;
  return startFinding(`${place}${instancePath}`, { instancePath, keyword, expected, actual });
}

/** A finding with its words. `hint` is a sentence that follows. */
export function startFinding(
  place: string,
  finding: Omit<StartFinding, "place" | "message">,
  hint = "",
): StartFinding {
  const message = `${place}: expected ${finding.expected}, found ${finding.actual}${hint}`;
  return { ...finding, place, message };
}
