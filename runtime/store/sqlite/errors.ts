/** What SQLite and the file system report, in words for the user. */
import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { StoreError, type StoreProblem } from "../store.js";

const PROBLEM_CODES: readonly (readonly [RegExp, StoreProblem])[] = [
  [/^SQLITE_(BUSY|LOCKED)/, "locked"],
  // The file of shared memory could not be made as large as it has to be.
  [/^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)/, "full"],
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
  older: "was written by an older version of connectorcli.",
  unavailable:
    "can't be opened, read or written. Check that its folder exists and is a folder, and that its disk has no fault.",
  "other-tenant": "belongs to another tenant.",
  "other-connection": "belongs to another connection.",
  superseded: "was taken over by another worker, or has ended: nothing was written.",
  expired: "has removed changes that are asked for.",
  sealed: "is sealed by a key that was not given.",
  "queue-full": "has as many actions waiting as may wait.",
};

/** Primary error codes of SQLite: the binding gives only the number of some extended ones. */
const PRIMARY_CODES: Readonly<Record<number, string>> = {
  3: "SQLITE_PERM",
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  26: "SQLITE_NOTADB",
};

/** The StoreError that `error` means for the store in `file`; `error` itself if it comes from neither SQLite nor the file system. */
export function toStoreError(error: unknown, file: string): unknown {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  const known = PROBLEM_CODES.find(([pattern]) => pattern.test(code))?.[1];
  if (known !== undefined) return createStoreError(known, file, error);
  const opening =
    /^SQLITE_(CANTOPEN|IOERR)|^E[A-Z]+$/.test(code) || /Unable to open connection/.test(String(error));
  if (!opening) return error;
  return createStoreError(isWritable(dirname(file)) ? "unavailable" : "read-only", file, error);
}

/** An error that says what to do about `file`, which may also be a run or an action. `error` is its cause. */
export function createStoreError(kind: StoreProblem, file: string, error?: unknown): StoreError {
  const code = codeOf(error);
  const detail = code === "" ? "" : ` (${code})`;
  return new StoreError(kind, `${file} ${ADVICE[kind]}${detail}`, { cause: error });
}

/** Whether another connection holds the lock that `error` is about. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  const code: unknown = typeof error === "object" && error !== null && "code" in error ? error.code : "";
  if (typeof code !== "string") return "";
  const [, extended] = /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(code) ?? [];
  return extended === undefined ? code : (PRIMARY_CODES[Number(extended) & 0xff] ?? code);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
  }
}
