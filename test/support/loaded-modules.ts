/** Which modules a program loads when it imports an entry of this package, seen from inside a process of its own. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { inRepository } from "./repository.js";

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
