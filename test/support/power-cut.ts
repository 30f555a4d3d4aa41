/** What a disk has of a store after a loss of power: the file and its log as they were when SQLite synced them last. */
import { copyFileSync, existsSync, realpathSync, rmSync } from "node:fs";
import Database from "libsql";

/** From this mode on SQLite syncs the log at each commit; below it, only when the log is moved into the file. */
const FULL = 2;

/** Keeps a copy of what is certain to be on the disk of `file`, as long as it is not taken away. */
export class PowerCut {
  readonly #file: string;
  readonly #exec = Database.prototype.exec;

  /** @param file The file of the only store of this process that is written from now on. */
  constructor(file: string) {
    this.#file = realpathSync(file);
    const original = this.#exec;
    const keep = () => this.#keep();
    Database.prototype.exec = function (this: InstanceType<typeof Database>, sql: string) {
      const result = original.call(this, sql);
      if (sql === "COMMIT" && syncModeOf(this) >= FULL) keep();
      return result;
    };
  }

  /** The file that is there when the power is back. Everything that was not synced is gone. */
  get fileAfterwards(): string {
    return `${this.#file}-after-power-cut`;
  }

  /** Ends the watch. */
  remove(): void {
    Database.prototype.exec = this.#exec;
  }

  #keep(): void {
    for (const suffix of ["", "-wal"]) {
      const [from, to] = [this.#file + suffix, this.fileAfterwards + suffix];
      if (existsSync(from)) copyFileSync(from, to);
      else rmSync(to, { force: true });
    }
  }
}

function syncModeOf(database: InstanceType<typeof Database>): number {
  const [mode] = database.prepare("PRAGMA synchronous").raw().get() as [number];
  return mode;
}
