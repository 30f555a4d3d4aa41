/** Where this package's own files stand, and the version that it states in one place. */
import { readFileSync } from "node:fs";

/** This module's code stands two folders below, bundled or not. */
const ROOT = new URL("../../", import.meta.url);

let version: string | undefined;
let build: string | undefined;

/** The address of a file or folder of this package, named from its root. */
export function packageFile(path: string): URL {
  return new URL(path, ROOT);
}

/** What the running code is: another one may make another thing of the same input. */
export function packageBuild(): string {
  build ??= `${packageVersion()} ${readFileSync(packageFile("dist/bundled/build.txt"), "utf8")}`;
  return build;
}

export function packageVersion(): string {
  version ??= String(JSON.parse(readFileSync(packageFile("package.json"), "utf8")).version);
  return version;
}
