/** One writer at a time in a project: a lock file that names its holder, and that does not outlive its holder for long. */
import { randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { errorCode, type FileSystem, ignoreErrors, sleep } from "./file-system.js";

/** The running process, by which other writers see whether the holder of the lock still runs. */
export interface ProcessIdentity {
  /** Number of the process; 0 if it is unknown. */
  readonly pid: number;
  /** Tells this process from a later one with the same number. Absent if the system does not say. */
  readonly startTime?: string;
  /** Whether a process with this number and `startTime` runs. */
  readonly isAlive: (pid: number, startTime: string | undefined) => boolean;
}

/** Without an identity nobody can tell whether the holder of a lock still runs; the age of the lock decides. */
export const UNKNOWN_PROCESS: ProcessIdentity = { pid: 0, isAlive: () => true };

export interface Lock {
  readonly file: string;
  readonly token: string;
}

/** Who holds a lock, as its file says. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  readonly startTime?: string;
  readonly token: string;
}

export interface LockOptions {
  readonly identity: ProcessIdentity;
  readonly fs: FileSystem;
  /** How long to wait for another holder, in ms. */
  readonly timeoutMs: number;
}

const PAUSE_MS = 20;
/** How long a lock file may be empty, between its creation and its filling. */
const EMPTY_MAX_MS = 500;
/** No writing takes longer. An older lock is broken if its process can't be asked: another machine, a reused number. */
const MAX_AGE_MS = 600_000;

/** Acquires the lock `file`, and creates its folder if needed. Returns undefined if another holds it beyond `timeoutMs`. */
export function acquireLock(file: string, options: LockOptions): Lock | undefined {
  const { identity, fs, timeoutMs } = options;
  const end = Date.now() + timeoutMs;
  for (;;) {
    const token = randomUUID();
    const { pid, startTime } = identity;
    const holder = { pid, host: hostname(), ...(startTime === undefined ? {} : { startTime }), token };
    if (createLock(file, holder, fs)) return { file, token };
    const stale = staleToken(file, identity);
    if (stale !== undefined && breakLock(file, stale, options)) continue;
    if (Date.now() >= end) return undefined;
    sleep(PAUSE_MS);
  }
}

/** Whether the lock is still ours: nobody broke it while this process slept for longer than any writing takes. */
export function isHeld({ file, token }: Lock): boolean {
  return tokenOf(file) === token;
}

export function releaseLock(lock: Lock, fs: FileSystem): void {
  if (isHeld(lock)) ignoreErrors(["ENOENT"], () => fs.removeFile(lock.file));
}

/** Who holds the lock `file`, or undefined if nobody does or the file does not say. */
export function lockHolder(file: string): LockHolder | undefined {
  try {
    const { pid, host, startTime, token } = JSON.parse(readFileSync(file, "utf8"));
    const isValid = typeof pid === "number" && typeof host === "string" && /^[\w-]+$/.test(token);
    if (!isValid) return undefined;
    return { pid, host, token, ...(typeof startTime === "string" ? { startTime } : {}) };
  } catch {
    return undefined;
  }
}

/** Creates the lock. Returns false if another process was faster. */
function createLock(file: string, holder: LockHolder, fs: FileSystem): boolean {
  try {
    ignoreErrors(["EEXIST"], () => fs.createFolder(path.dirname(file)));
    fs.createFile(file, JSON.stringify(holder));
  } catch (error) {
    // ENOENT: another run ended here, and removed the folder.
    if (["EEXIST", "ENOENT"].includes(errorCode(error) ?? "")) return false;
    // A full disk creates the file, but does not write its text.
    if ((lockHolder(file)?.token ?? holder.token) === holder.token)
      ignoreErrors(["ENOENT", "ENOTDIR"], () => fs.removeFile(file));
    throw error;
  }
  // A process that slept between creating the file and filling it may have lost the lock meanwhile.
  return tokenOf(file) === holder.token;
}

/** The token of a lock whose holder is gone, or undefined if somebody may hold it or it does not exist. */
function staleToken(file: string, identity: ProcessIdentity): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  const token = tokenOf(file);
  if (stats === undefined || token === undefined) return undefined;
  const ageMs = Date.now() - stats.mtimeMs;
  const holder = lockHolder(file);
  if (holder === undefined) return ageMs > EMPTY_MAX_MS ? token : undefined;
  const isLocal = holder.host === hostname() && holder.pid !== 0;
  const isGone = isLocal && !identity.isAlive(holder.pid, holder.startTime);
  return isGone || ageMs > MAX_AGE_MS ? token : undefined;
}

/**
 * Removes the lock with this token and no other. Only the holder of a lock on the token may do so: nobody removes the
 * new lock of a process that was faster. Returns false if another process is breaking the lock.
 */
function breakLock(file: string, token: string, { identity, fs }: LockOptions): boolean {
  const tokenLock = acquireLock(`${file}-${token}`, { identity, fs, timeoutMs: 0 });
  if (tokenLock === undefined) return false;
  try {
    if (tokenOf(file) === token) ignoreErrors(["ENOENT"], () => fs.removeFile(file));
    return true;
  } finally {
    releaseLock(tokenLock, fs);
  }
}

function tokenOf(file: string): string | undefined {
  const holder = lockHolder(file);
  if (holder !== undefined) return holder.token;
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? undefined : `unfilled-${stats.ino}-${Math.trunc(stats.mtimeMs)}`;
}
