/** One writer at a time in a project: a lock file that says who holds it, and outlives nobody for long. */
import { randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { codeOf, ignoring } from "./failure.js";
import { type FileSystem, sleep } from "./file-system.js";

/** The running program, as it is seen by others that want to write; `connectorcli` gives its own. */
export interface Runner {
  readonly pid: number;
  /** What tells this process from a later one with the same number; absent where the system does not say. */
  readonly birth?: string;
  /** Whether the process runs; `birth` is what it gave for itself. */
  readonly isAlive: (pid: number, birth: string | undefined) => boolean;
}

/** Without a runner nobody can tell whether the holder of a lock still lives; its age decides then. */
export const UNKNOWN_RUNNER: Runner = { pid: 0, isAlive: () => true };

export interface Lock {
  readonly file: string;
  readonly token: string;
}

/** Who holds a lock, as its file says. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly birth?: string;
  readonly token: string;
}

export interface LockOptions {
  readonly runner: Runner;
  readonly fs: FileSystem;
  /** The milliseconds to wait for another holder. */
  readonly patience: number;
}

const PAUSE_MS = 20;
/** The longest that a lock may say nothing, between its making and its filling. */
const UNFILLED_MS = 500;
/** No writing takes longer: its process is gone, where that can't be asked (another machine, a number used again). */
const OLDEST_MS = 600_000;

/** The lock `file`, whose folder is made when needed; undefined where another holds it for longer than `patience`. */
export function takeLock(file: string, options: LockOptions): Lock | undefined {
  const { runner, fs, patience } = options;
  const end = Date.now() + patience;
  for (;;) {
    const token = randomUUID();
    const { pid, birth } = runner;
    const holder = { pid, host: hostname(), ...(birth === undefined ? {} : { birth }), token };
    if (create(file, holder, fs)) return { file, token };
    const stale = staleToken(file, runner);
    if (stale !== undefined && breakLock(file, stale, options)) continue;
    if (Date.now() >= end) return undefined;
    sleep(PAUSE_MS);
  }
}

/** Whether nobody took the lock away, as from one that slept for longer than any writing takes. */
export function isHeld({ file, token }: Lock): boolean {
  return tokenOf(file) === token;
}

export function releaseLock(lock: Lock, fs: FileSystem): void {
  if (isHeld(lock)) ignoring(["ENOENT"], () => fs.removeFile(lock.file));
}

/** Who holds the lock `file`; undefined where nobody does, or the file does not say. */
export function holderOf(file: string): Holder | undefined {
  try {
    const { pid, host, birth, token } = JSON.parse(readFileSync(file, "utf8"));
    const sound = typeof pid === "number" && typeof host === "string" && /^[\w-]+$/.test(token);
    if (!sound) return undefined;
    return { pid, host, token, ...(typeof birth === "string" ? { birth } : {}) };
  } catch {
    return undefined;
  }
}

/** Whether the lock is ours now; false where another one is faster. */
function create(file: string, holder: Holder, fs: FileSystem): boolean {
  try {
    ignoring(["EEXIST"], () => fs.makeFolder(path.dirname(file)));
    fs.writeNew(file, JSON.stringify(holder));
  } catch (error) {
    // ENOENT: another one ended here, and took the folder with it.
    if (["EEXIST", "ENOENT"].includes(codeOf(error) ?? "")) return false;
    // A full disk takes the name of a file, and not its text.
    if ((holderOf(file)?.token ?? holder.token) === holder.token)
      ignoring(["ENOENT", "ENOTDIR"], () => fs.removeFile(file));
    throw error;
  }
  // Whoever slept between making the file and filling it may have lost it meanwhile.
  return tokenOf(file) === holder.token;
}

/** The token of a lock whose holder is gone; undefined where it may be held, or is gone itself. */
function staleToken(file: string, runner: Runner): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  const token = tokenOf(file);
  if (stats === undefined || token === undefined) return undefined;
  const age = Date.now() - stats.mtimeMs;
  const holder = holderOf(file);
  if (holder === undefined) return age > UNFILLED_MS ? token : undefined;
  const isNear = holder.host === hostname() && holder.pid !== 0;
  return (isNear && !runner.isAlive(holder.pid, holder.birth)) || age > OLDEST_MS ? token : undefined;
}

/**
 * Removes the lock with this token and no other: only the holder of a lock on the token may do so, so that nobody
 * removes the fresh lock of one who was faster. False where another one is at it.
 */
function breakLock(file: string, token: string, { runner, fs }: LockOptions): boolean {
  const right = takeLock(`${file}-${token}`, { runner, fs, patience: 0 });
  if (right === undefined) return false;
  try {
    if (tokenOf(file) === token) ignoring(["ENOENT"], () => fs.removeFile(file));
    return true;
  } finally {
    releaseLock(right, fs);
  }
}

function tokenOf(file: string): string | undefined {
  const holder = holderOf(file);
  if (holder !== undefined) return holder.token;
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? undefined : `unfilled-${stats.ino}-${Math.trunc(stats.mtimeMs)}`;
}
