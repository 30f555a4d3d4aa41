/** What SQLite and the file system report, in words for the user. */
import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { StoreError, type StoreProblem } from "../store-error.js";

const PROBLEMS: readonly (readonly [RegExp, StoreProblem])[] = [
  [/^SQLITE_(BUSY|LOCKED)/, "locked"],
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)/, "full"],
  [/^(SQLITE_READONLY|SQLITE_PERM|EACCES|EPERM|EROFS)/, "read-only"],
  [/^SQLITE_(CORRUPT|NOTADB)/, "corrupt"],
];

const ADVICE: Readonly<Record<StoreProblem, string>> = {
  locked: "is in use by another program. Wait for it to end, or end it, and run again.",
  full: "can't grow: the disk is full. Make room and run again.",
  "read-only": "can't be written. Give yourself write permission for the file and its folder.",
  corrupt:
    "is damaged, or something else than a store. Put it aside and run again: a new one is made and filled.",
  newer: "was written by a newer version of connectorcli. Update connectorcli.",
  unavailable: "can't be opened. See that its folder is there and is a folder.",
  superseded: "belongs to another run now.",
};

/** What `error` means for the store in `file`. A bug of ours is given back as it is. */
export function storeError(error: unknown, file: string): unknown {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  const known = PROBLEMS.find(([pattern]) => pattern.test(code))?.[1];
  if (known !== undefined) return problem(known, file, error);
  const opening =
    /^SQLITE_(CANTOPEN|IOERR)|^E[A-Z]+$/.test(code) || /Unable to open connection/.test(String(error));
  if (!opening) return error;
  return problem(isWritable(dirname(file)) ? "unavailable" : "read-only", file, error);
}

/** A problem in words; `error` is what reported it. */
export function problem(kind: StoreProblem, file: string, error?: unknown): StoreError {
  const code = codeOf(error);
  const detail = code === "" ? "" : ` (${code})`;
  return new StoreError(kind, `${file} ${ADVICE[kind]}${detail}`, { cause: error });
}

/** Whether another connection holds what was asked for. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  const code: unknown = typeof error === "object" && error !== null && "code" in error ? error.code : "";
  return typeof code === "string" ? code : "";
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
  }
}
