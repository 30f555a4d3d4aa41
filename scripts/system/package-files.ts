/** Finds the files of this package, and tells its version. */
import { readFileSync } from "node:fs";

let root: URL | undefined;
let version: string | undefined;
let build: string | undefined;

/** The address of a file or folder of this package, named from its root. */
export function packageFile(path: string): URL {
  // By its name, as the code may stand in a bundle.
  root ??= new URL("./", import.meta.resolve("connectorcli/package.json"));
  return new URL(path, root);
}

/** Identifies this build; part of every cache key. */
export function packageBuild(): string {
  build ??= `${packageVersion()} ${readFileSync(packageFile("dist/bundled/build.txt"), "utf8")}`;
  return build;
}

export function packageVersion(): string {
  version ??= String(JSON.parse(readFileSync(packageFile("package.json"), "utf8")).version);
  return version;
}
