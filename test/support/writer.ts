/** For tests of the writer: sets of files that change a tree in every way, and failing disks. */
import type { GeneratedFile } from "../../generators/emitters/index.js";
import { withHeader } from "../../generators/generated-file.js";
import { type FileSystem, realFileSystem } from "../../generators/writer/file-system.js";

/** A generated module below `generated/`. */
export function generatedFile(name: string, body: string): GeneratedFile {
  return { path: `generated/${name}`, content: withHeader(`${body}\n`), ownership: "generated" };
}

/** A tree and the files it becomes: of each kind of change, in folders that come and go, and a file that stays. */
export const BEFORE: readonly GeneratedFile[] = [
  generatedFile("same.ts", "export const same = 1;"),
  generatedFile("stale.ts", "export const stale = 1;"),
  generatedFile("gone/deep/gone.ts", "export const gone = 1;"),
];
export const AFTER: readonly GeneratedFile[] = [
  generatedFile("same.ts", "export const same = 1;"),
  generatedFile("stale.ts", "export const fresh = 2;"),
  generatedFile("new/deep/new.ts", "export const created = 3;"),
];

/** An error as the system gives it, with a machine's path in its text. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: refused, open '/machine/path'`), { code });
}

/** The disk, without the wait until it has everything: nothing in a test takes its power away. */
export const UNSYNCED: FileSystem = { ...realFileSystem, sync: () => undefined };

/** `real`, with `before` called before each of its calls, with the call's number from 1 and what it was to do. */
export function watchFileSystem(
  before: (call: number, run: () => void, args: readonly unknown[]) => void,
  real: FileSystem = UNSYNCED,
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
    createFolder: watch(real.createFolder),
    createFile: watch(real.createFile),
    linkOrCopy: watch(real.linkOrCopy),
    rename: watch(real.rename),
    sync: watch(real.sync),
    removeFile: watch(real.removeFile),
    removeFolder: watch(real.removeFolder),
  };
}
