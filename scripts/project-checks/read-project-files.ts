/** Reads the modules that authors of a project wrote: the only part of the checks of code that touches files. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { ProjectFile } from "./project-module.js";

/** Folders that hold no code of the connector. */
const SKIPPED = new Set(["node_modules", "generated", "dist", "build", "coverage", "test", "tests"]);
/** Larger files are data, not written by hand. */
const LARGEST = 2_000_000;
const MOST = 5_000;

/** The modules below `folder`, sorted by path; what can't be read is left to the loader. */
export function readProjectFiles(folder: string): readonly ProjectFile[] {
  const files: ProjectFile[] = [];
  const waiting = [""];
  for (let next = waiting.pop(); next !== undefined && files.length < MOST; next = waiting.pop()) {
    for (const entry of entriesOf(path.join(folder, next))) {
      const name = next === "" ? entry.name : `${next}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.has(entry.name) && !entry.name.startsWith(".")) waiting.push(name);
      else if (entry.isFile() && isModule(entry.name)) files.push(...read(folder, name));
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function isModule(name: string): boolean {
  return /\.[cm]?[jt]s$/.test(name) && !/\.(?:d|test|spec|config)\.[cm]?[jt]s$/.test(name);
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function read(folder: string, name: string): readonly ProjectFile[] {
  const file = path.join(folder, name);
  try {
    return statSync(file).size > LARGEST ? [] : [{ path: name, file, text: readFileSync(file, "utf8") }];
  } catch {
    return [];
  }
}
