/** Knows when there is nothing to generate: neither the author's files nor the generated ones have changed since. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { PlannedFile } from "../../generators/writer/plan.js";
import { packageBuild } from "../package-files.js";
import { areUnchanged, type FileHashes, hashOf, readCacheFile, writeCacheFile } from "./cache-file.js";
import { rootModule } from "./root-module.js";

const FILE = "generated.json";

interface Noted {
  readonly tool: string;
  readonly entry: string | undefined;
  readonly inputs: FileHashes;
  /** What is generated, and all else that stood beside it, relative to the project. */
  readonly files: FileHashes;
  /** How many of them are generated. */
  readonly count: number;
}

/** How many files are as the schema modules want them; undefined where that is to be found out. */
export function upToDate(root: string, folder: string): number | undefined {
  try {
    const noted = JSON.parse(readCacheFile(root, FILE)) as Noted;
    const { tool, entry, inputs, files, count } = noted;
    if (tool !== packageBuild() || entry !== rootModule(root) || !areUnchanged(inputs)) return undefined;
    const names = new Set(files.map(([file]) => file));
    const isKnown = filesBelow(root, folder).every((file) => names.has(file));
    return isKnown && files.every(([file, hash]) => textHash(root, file) === hash) ? count : undefined;
  } catch {
    return undefined;
  }
}

/** Notes that what `inputs` give has been generated: `planned`, all below `folder`. */
export function noteGenerated(
  root: string,
  { folder, inputs, planned }: { folder: string; inputs: FileHashes; planned: readonly PlannedFile[] },
): void {
  const wanted = planned.filter(({ step }) => step !== "remove").map(({ file }) => file);
  const known = new Set(wanted.map((file) => file.path));
  const others = filesBelow(root, folder).filter((file) => !known.has(file));
  const noted: Noted = {
    tool: packageBuild(),
    entry: rootModule(root),
    inputs,
    files: [
      ...wanted.map((file) => [file.path, hashOf(file.content)] as const),
      ...others.map((file) => [file, textHash(root, file)] as const),
    ],
    count: planned.length,
  };
  writeCacheFile(root, FILE, JSON.stringify(noted));
}

function filesBelow(root: string, folder: string): readonly string[] {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"));
}

/** Line endings do not count: git may have changed them. */
function textHash(root: string, file: string): string {
  return hashOf(readFileSync(path.join(root, file), "utf8").replaceAll("\r\n", "\n"));
}
