/** The package as its users have it: packed once a test file, unpacked, with its dependencies and nothing else beside it. */

import { execFile, execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { folderWith } from "./folders.js";
import { inRepository } from "./repository.js";

/** The two supported lines of TypeScript, by the names that this package has them under. */
export type TypeScript = "typescript" | "typescript-7";

const installed = new Map<TypeScript, string>();

/** Puts into `project` what `npm install` would: the packed package, its dependencies, and a TypeScript. */
export function installPacked(project: string, typescript: TypeScript): void {
  const place = path.join(project, "node_modules");
  rmSync(place, { force: true });
  symlinkSync(modulesWith(typescript), place, "dir");
}

/** Puts another package into `project`, as `npm install NAME` would. */
export function installBeside(project: string, name: string): void {
  const place = path.join(project, "node_modules", name);
  if (!existsSync(place)) linkDependency(name, place);
}

/** The command line of the packed package. */
export function packedCommand(): string {
  return path.join(modulesWith("typescript-7"), "connectorcli/dist/bundled/connectorcli.js");
}

function modulesWith(typescript: TypeScript): string {
  const present = installed.get(typescript);
  // Folders go with the test file that made them.
  if (present !== undefined && existsSync(present)) return present;
  const folder = folderWith({});
  const modules = path.join(folder, "node_modules");
  const own = path.join(modules, "connectorcli");
  for (const name of [own, path.join(modules, ".bin")]) mkdirSync(name, { recursive: true });
  unpackInto(own);
  const { dependencies, bin } = JSON.parse(readFileSync(path.join(own, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) linkDependency(name, path.join(modules, name));
  linkDependency(typescript, path.join(modules, "typescript"));
  chmodSync(path.join(own, bin.connectorcli), 0o755);
  symlinkSync(`../connectorcli/${bin.connectorcli}`, path.join(modules, ".bin/connectorcli"));
  symlinkSync("../typescript/bin/tsc", path.join(modules, ".bin/tsc"));
  installed.set(typescript, modules);
  return modules;
}

/** The files that are published. A link would lead into the repository, where every file is found. */
function unpackInto(folder: string): void {
  const destination = folderWith({});
  const call = ["pack", "--ignore-scripts", "--json", "--pack-destination", destination];
  const told = execFileSync("npm", call, { cwd: inRepository("."), stdio: "pipe", encoding: "utf8" });
  const [{ filename }] = JSON.parse(told);
  execFileSync("tar", ["-xzf", path.join(destination, filename), "-C", folder, "--strip-components=1"]);
}

function linkDependency(name: string, place: string): void {
  mkdirSync(path.dirname(place), { recursive: true });
  symlinkSync(inRepository(`node_modules/${name}`), place, "dir");
}

export interface PackageManager {
  readonly name: string;
  /** Program and arguments that run the script `name` with these flags. */
  readonly call: (name: string, flags?: readonly string[]) => readonly [string, ...string[]];
}

export const npm: PackageManager = {
  name: "npm",
  call: (name, flags = []) => ["npm", "run", "--silent", name, ...(flags.length > 0 ? ["--", ...flags] : [])],
};

const YARN = inRepository("node_modules/yarn/bin/yarn.js");

export const yarn: PackageManager = {
  name: "yarn 1.22",
  call: (name, flags = []) => {
    // It has a check of its own, which never looks into package.json's scripts.
    const words = name === "check" ? ["run", name] : [name];
    return [process.execPath, YARN, "--silent", ...words, ...flags];
  },
};

const HOOKS = `
import { writeSync } from "node:fs";
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  writeSync(2, found.url + "\\n");
  return found;
}`;

/** Names each ES module as it is found; at its end, what these required. */
function program(entry: string): string {
  const hooks = `data:text/javascript,${encodeURIComponent(HOOKS)}`;
  return `
import { createRequire, register } from "node:module";
register(${JSON.stringify(hooks)});
await import(${JSON.stringify(entry)});
const required = Object.keys(createRequire(${JSON.stringify(inRepository("package.json"))}).cache);
process.stderr.write(required.join("\\n"));`;
}

/** Addresses and paths of all modules that `import(entry)` loads, those of Node too. */
export async function loadedModules(entry: string): Promise<readonly string[]> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const args = ["--input-type=module", "--eval", program(entry)];
  const { stderr } = await promisify(execFile)(process.execPath, args, { cwd: inRepository(""), env });
  return stderr.split("\n").map((line) => line.replaceAll("\\", "/"));
}

/** The packages among these modules. */
export function packagesOf(modules: readonly string[]): readonly string[] {
  const names = modules.flatMap((module) => {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module) ?? [];
    return name === undefined ? [] : [name];
  });
  return [...new Set(names)].sort();
}
