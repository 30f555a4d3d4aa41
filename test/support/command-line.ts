/** Runs the command line as a user does, in folders that go when the test file ends. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
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

const COMMAND = inRepository("dist/bundled/connectorcli.js");
const folders = new Set<string>();
const children = new Set<ChildProcess>();

/** Ends what a test that failed left running, and removes the folders; the root hooks call it. */
export function tidyUp(): void {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}

/** The process, which ends with the test file at the latest. */
export function startedProcess<Child extends ChildProcess>(child: Child): Child {
  children.add(child);
  child.once("close", () => children.delete(child));
  return child;
}

/** `connectorcli …args` in `cwd`. */
export function connectorcli(cwd: string, ...args: readonly string[]): Promise<CommandResult> {
  return run(cwd, process.execPath, [COMMAND, ...args]);
}

/** The same with these variables in its environment. */
export function connectorcliWith(
  environment: Readonly<Record<string, string>>,
  cwd: string,
  ...args: readonly string[]
): Promise<CommandResult> {
  return run(cwd, process.execPath, [COMMAND, ...args], { environment });
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

/** A new folder holding `files`, by their path. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), "connectorcli-test-"));
  folders.add(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return folder;
}

/** Puts this package and TypeBox where `npm install` would, so that a compiler finds them. */
export function installInto(folder: string): void {
  mkdirSync(path.join(folder, "node_modules", "@sinclair"), { recursive: true });
  symlinkSync(inRepository("."), path.join(folder, "node_modules", "connectorcli"), "junction");
  const typebox = inRepository("node_modules/@sinclair/typebox");
  symlinkSync(typebox, path.join(folder, "node_modules", "@sinclair", "typebox"), "junction");
}

/** Every file below `folder`, relative, without `node_modules`. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
    .filter((file) => !file.startsWith("node_modules/"))
    .sort();
}
