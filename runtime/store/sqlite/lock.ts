/** A lock that dies with its process, however that ends: the operating system holds it on a file of its own. */
import Database from "libsql";
import { createPrivate } from "./connection.js";
import { isBusy, storeError } from "./errors.js";

export interface Lock {
  release(): void;
}

/** undefined where this process or another one holds the lock. `file` is made, and stays. */
export function lock(file: string): Lock | undefined {
  let database: InstanceType<typeof Database> | undefined;
  try {
    createPrivate(file);
    database = new Database(file, { timeout: 0 });
    database.exec("PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE");
  } catch (error) {
    database?.close();
    if (isBusy(error)) return undefined;
    throw storeError(error, file);
  }
  const held = database;
  return {
    release: () => {
      if (held.open) held.close();
    },
  };
}
