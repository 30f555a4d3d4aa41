/** What a disk has of a tree after a loss of power: the names of files, and the bytes of those that were synced. */
import { lstatSync, readdirSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { FileSystem } from "../../generators/writer/file-system.js";
import { systemError, UNSYNCED, watchFileSystem } from "./writer.js";

/** The real disk, which the power leaves before one of the writer's calls. */
export class PowerCutDisk {
  /** Numbers of the files whose bytes are in memory only. */
  readonly #unsynced = new Set<number>();
  /** Folders in which a name came or went since they were synced. */
  readonly #unsyncedFolders = new Set<string>();
  /** Folders with names that were still in memory when the next step relied on them. */
  readonly reliedOn: string[] = [];
  readonly fileSystem: FileSystem;
  isCut = false;

  /** @param call The first call that does not happen, counted from 1. */
  constructor(call: number) {
    this.fileSystem = watchFileSystem((number) => {
      this.isCut ||= number >= call;
      if (this.isCut) throw systemError("EIO");
    }, this.#noting());
  }

  /** Takes from the files below `root` what was not synced: all bytes, or their values. */
  lose(root: string, isZeroed: boolean): void {
    for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
      const file = path.join(root, name);
      const { ino, size } = lstatSync(file);
      if (!this.#unsynced.has(ino)) continue;
      truncateSync(file);
      if (isZeroed) writeFileSync(file, "\0".repeat(size), { flag: "r+" });
      // A machine takes a while to start again.
      utimesSync(file, 0, 0);
    }
  }

  #noting(): FileSystem {
    const noted = (file: string) => this.#unsyncedFolders.add(path.dirname(file));
    return {
      ...UNSYNCED,
      createFile: (file, content, mode) => {
        UNSYNCED.createFile(file, content, mode);
        this.#unsynced.add(lstatSync(file).ino);
      },
      rename: (from, to) => {
        // Where the journal is not found, nothing may have changed yet.
        if (from.endsWith(".new")) this.#relyOn(path.dirname(from));
        UNSYNCED.rename(from, to);
        // A rollback is begun anew, by whichever name its journal is found.
        if (path.basename(to) !== "undo.json") noted(to);
      },
      removeFile: (file) => {
        // Without the journal nothing is restored: all names have to be where it said.
        if (/^(?:journal|undo)\.json$/.test(path.basename(file)))
          for (const folder of this.#unsyncedFolders) if (folder !== path.dirname(file)) this.#relyOn(folder);
        UNSYNCED.removeFile(file);
      },
      removeFolder: (folder) => {
        UNSYNCED.removeFolder(folder);
        this.#unsyncedFolders.delete(folder);
      },
      sync: (place) => {
        this.#unsynced.delete(lstatSync(place).ino);
        this.#unsyncedFolders.delete(place);
      },
    };
  }

  #relyOn(folder: string): void {
    if (this.#unsyncedFolders.has(folder)) this.reliedOn.push(folder);
  }
}
