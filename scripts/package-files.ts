/** Where this package's own files stand, and the version that it states in one place. */
import { readFileSync } from "node:fs";

/** This module's code stands two folders below, bundled or not. */
const ROOT = new URL("../../", import.meta.url);

let version: string | undefined;

/** The address of a file or folder of this package, named from its root. */
export function packageFile(path: string): URL {
  return new URL(path, ROOT);
}

export function packageVersion(): string {
  version ??= String(JSON.parse(readFileSync(packageFile("package.json"), "utf8")).version);
  return version;
}
