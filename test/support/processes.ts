/** Processes that tests start, which end with the test file at the latest. */
import { type ChildProcess, spawn } from "node:child_process";
import { inRepository } from "./repository.js";

export interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** The user and group that run it. */
  readonly user?: number | undefined;
  /** Called with all of standard error, whenever there is more of it. */
  readonly onText?: (stderr: string) => void;
}

const children = new Set<ChildProcess>();

/** Ends what a test that failed left running; the root hooks call it. */
export function endProcesses(): void {
  for (const child of children) child.kill("SIGKILL");
}

/** The process, which ends with the test file at the latest. */
export function startedProcess<Child extends ChildProcess>(child: Child): Child {
  children.add(child);
  child.once("close", () => children.delete(child));
  return child;
}

/** The TypeScript compiler of one of the two supported lines, on the project in `folder`. */
export function tsc(version: "5.9" | "7", folder: string): Promise<CommandResult> {
  const name = version === "7" ? "typescript-7" : "typescript";
  return run(folder, process.execPath, [inRepository(`node_modules/${name}/bin/tsc`), "-p", folder]);
}

/** Runs `command` in `cwd`, with these variables beside its own; `onText` is given what it has said so far. */
export function run(
  cwd: string,
  command: string,
  args: readonly string[],
  { environment = {}, user, onText = () => {} }: RunOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = startedProcess(
      spawn(command, args, {
        cwd,
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, NO_COLOR: "1", ...environment },
        ...(user !== undefined && { uid: user, gid: user }),
      }),
    );
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      onText(stderr);
    });
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, stdout, stderr }));
  });
}
