/** The running program as the writer knows it: its number, and which other numbers are running. */
import { readFileSync } from "node:fs";
import type { WriteOptions } from "../generators/writer/recover.js";

/** How commands write. */
export const WRITING: WriteOptions = { runner: { pid: process.pid, ...birthOf(process.pid), isAlive } };

function isAlive(pid: number, birth: string | undefined): boolean {
  const now = birthOf(pid).birth;
  // The number was given to another process since.
  if (birth !== undefined && now !== undefined && now !== birth) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process can't be asked, but it is there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** When a process was started, in ticks since the system was, where the system says so in a file. */
function birthOf(pid: number): { readonly birth?: string } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const birth = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return birth === undefined ? {} : { birth };
  } catch {
    return {};
  }
}
