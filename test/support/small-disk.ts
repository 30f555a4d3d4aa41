/** A disk of few bytes, where the system lets users mount one in a namespace of their own. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type CommandResult, run, startedProcess } from "./processes.js";

export interface SmallDisk {
  readonly folder: string;
  /** Runs a command that sees the disk. */
  run(cwd: string, command: string, args: readonly string[]): Promise<CommandResult>;
  resize(kibibytes: number): Promise<void>;
  close(): void;
}

/** undefined where there can't be one. */
export async function smallDisk(kibibytes: number): Promise<SmallDisk | undefined> {
  if (process.platform !== "linux") return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), "connectorcli-disk-"));
  const mount = `mount -t tmpfs -o size=${kibibytes}k tmpfs ${folder}`;
  if (spawnSync("unshare", ["-rm", "sh", "-c", mount]).status !== 0) return undefined;
  const script = `${mount} && echo ready && exec cat`;
  const holder: ChildProcess = startedProcess(
    spawn("unshare", ["-rm", "sh", "-c", script], { stdio: ["pipe", "pipe", "inherit"] }),
  );
  if (holder.stdout === null) return undefined;
  await once(holder.stdout, "data");
  const entered = ["-t", String(holder.pid), "-U", "-m", "--preserve-credentials", "--"];
  const inside = (cwd: string, command: string, args: readonly string[]) =>
    run(cwd, "nsenter", [...entered, "sh", "-c", 'cd "$0" && exec "$@"', cwd, command, ...args]);
  return {
    folder,
    run: inside,
    resize: async (size) => {
      await inside("/", "mount", ["-o", `remount,size=${size}k`, folder]);
    },
    close: () => {
      holder.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
