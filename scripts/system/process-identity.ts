/** Identifies the running process for the writer, and tells which other processes are running. */
import { readFileSync } from "node:fs";
import type { ProcessIdentity } from "../../generators/writer/lock.js";
import type { WriteOptions } from "../../generators/writer/transaction.js";

/** This process as the holder of locks. */
export const PROCESS_IDENTITY: ProcessIdentity = {
  pid: process.pid,
  ...startTimeOf(process.pid),
  isAlive,
};

/** How this process writes files. */
export const WRITE_OPTIONS: WriteOptions = { identity: PROCESS_IDENTITY };

function isAlive(pid: number, startTime: string | undefined): boolean {
  const now = startTimeOf(pid).startTime;
  // The number was given to another process since.
  if (startTime !== undefined && now !== undefined && now !== startTime) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process can't be asked, but it is there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** When a process was started, in ticks since the system was, if the system has it in a file. */
function startTimeOf(pid: number): { readonly startTime?: string } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const startTime = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return startTime === undefined ? {} : { startTime };
  } catch {
    return {};
  }
}
