/** The modules that an author wrote: all modules of a project but installed, generated and built ones, and tests. */
import { type Dirent, readdirSync } from "node:fs";
import path from "node:path";

const NOT_THEIRS = /^(?:\..*|node_modules|generated|dist|build|coverage|tests?|__tests__)$/;

/** Their paths from `root`, with `/`, in alphabetical order. */
export function authorModules(root: string, below = ""): readonly string[] {
  return entriesOf(path.join(root, below)).flatMap((entry) => {
    const name = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) return NOT_THEIRS.test(entry.name) ? [] : authorModules(root, name);
    const isModule = /\.m?[jt]s$/.test(entry.name) && !/\.(?:d|test|spec|config)\.m?[jt]s$/.test(entry.name);
    return entry.isFile() && isModule ? [name] : [];
  });
}

/** The entries of a folder; none if it can't be read. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
