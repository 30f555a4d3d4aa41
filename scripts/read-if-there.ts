/** Reads files that may be missing: whoever needs one says so in words of its own. */
import { readFileSync } from "node:fs";

/** The text of the file; undefined where there is none that can be read. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
