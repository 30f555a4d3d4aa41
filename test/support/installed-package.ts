/** This package as its users have it: packed once, unpacked, with its dependencies and nothing else beside it. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { folderWith } from "./command-line.js";
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

/** The command line of the packed package. */
export function packedCommand(): string {
  return path.join(modulesWith("typescript"), "connectorcli/dist/bundled/connectorcli.js");
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
