/** Project trees for the tests of the writer: what is in a folder, sets of files that change one, failing disks. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { GeneratedFile } from "../../generators/generated-file.js";
import { type FileSystem, realFileSystem } from "../../generators/writer/file-system.js";
import { withHeader } from "../../generators/writer/header.js";

/** Content by path; `null` for a folder, `undefined` for what is neither. */
export type Tree = Readonly<Record<string, string | null | undefined>>;

/** What is below `root`, without what the writer keeps there for itself. */
export function treeOf(root: string): Tree {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) => {
    const place = path.join(entry.parentPath, entry.name);
    const name = path.relative(root, place).split(path.sep).join("/");
    const content = entry.isDirectory()
      ? null
      : lstatSync(place).isFile()
        ? readFileSync(place, "utf8")
        : undefined;
    return [name, content] as const;
  });
  const own = entries.filter(([name]) => !/^\.connectorcli(?:\/|$)/.test(name));
  return Object.fromEntries(own.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Puts `files` into `root` as they are, without the writer. */
export function putFiles(root: string, files: readonly GeneratedFile[]): void {
  for (const file of files) {
    mkdirSync(path.dirname(path.join(root, file.path)), { recursive: true });
    writeFileSync(path.join(root, file.path), file.content);
  }
}

/** A generated module below `generated/`. */
export function generated(name: string, body: string): GeneratedFile {
  return { path: `generated/${name}`, content: withHeader(`${body}\n`), ownership: "generated" };
}

/** A tree and the files it becomes: of each kind of change, in folders that come and go, and a file that stays. */
export const BEFORE: readonly GeneratedFile[] = [
  generated("same.ts", "export const same = 1;"),
  generated("stale.ts", "export const stale = 1;"),
  generated("gone/deep/gone.ts", "export const gone = 1;"),
];
export const AFTER: readonly GeneratedFile[] = [
  generated("same.ts", "export const same = 1;"),
  generated("stale.ts", "export const fresh = 2;"),
  generated("new/deep/new.ts", "export const created = 3;"),
];

/** An error as the system gives it, with a machine's path in its text. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: refused, open '/machine/path'`), { code });
}

/** `real`, with `before` called before each of its calls, with the call's number from 1 and what it was to do. */
export function watched(
  before: (call: number, run: () => void, args: readonly unknown[]) => void,
  real: FileSystem = realFileSystem,
): FileSystem {
  let call = 0;
  const watch =
    <Args extends readonly unknown[]>(work: (...args: Args) => void) =>
    (...args: Args): void => {
      call += 1;
      before(call, () => work(...args), args);
      work(...args);
    };
  return {
    makeFolder: watch(real.makeFolder),
    writeNew: watch(real.writeNew),
    keepAs: watch(real.keepAs),
    rename: watch(real.rename),
    removeFile: watch(real.removeFile),
    removeFolder: watch(real.removeFolder),
  };
}
