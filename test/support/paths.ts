/** Where things lie, seen from a compiled test. */
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The package's folder. */
export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Connector files of real connectors, which are not part of the project; undefined where they are absent. */
export function corpusFolder(): string | undefined {
  const folder = process.env["CONNECTORCLI_CORPUS"] ?? path.resolve(ROOT, "..", "shared", "corpus");
  return existsSync(folder) ? folder : undefined;
}
