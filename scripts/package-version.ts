/** The version of this package, from the one place that states it. */
import { readFileSync } from "node:fs";

let version: string | undefined;

export function packageVersion(): string {
  version ??= String(
    JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version,
  );
  return version;
}
