/** Generated files whose source has gone. Whatever else lies among them is not ours. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { GeneratedFile } from "../generated-file.js";
import { notWritable, wordsFor } from "./failure.js";
import { headerState } from "./header.js";
import { lookAt, nameIn, presentAt } from "./places.js";
import type { PlannedFile } from "./plan.js";

interface Gone {
  readonly files: readonly PlannedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The removals in `folder` of `root` where `kept` is all that is generated now, and a warning for other files. */
export function goneFiles(root: string, folder: string, kept: readonly GeneratedFile[]): Gone {
  const base = path.resolve(root);
  try {
    return lookThrough(base, folder, kept);
  } catch (error) {
    return { files: [], diagnostics: [notWritable(path.resolve(base, folder), folder, error)] };
  }
}

function lookThrough(base: string, folder: string, kept: readonly GeneratedFile[]): Gone {
  const names = new Map(kept.map(({ path: name }) => [name.toLowerCase(), name]));
  const files: PlannedFile[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const target of filesBelow(path.resolve(base, folder))) {
    const name = nameIn(base, target);
    const same = names.get(name.toLowerCase());
    if (same === name || (same !== undefined && isOneFile(target, path.resolve(base, same)))) continue;
    const decision = decide(target, name);
    if ("step" in decision) files.push(decision);
    else diagnostics.push(decision);
  }
  return { files, diagnostics };
}

function decide(target: string, name: string): PlannedFile | Diagnostic {
  const left = (problem: string) => diagnostic("file-foreign", { file: target }, { path: name, problem });
  try {
    if (lookAt(target)?.isSymbolicLink() === true) return left("it is a link");
    const present = presentAt(target);
    if (present.kind === "absent") return left("it went while it was looked at");
    if (present.kind === "other") return left(present.reason);
    const state = headerState(present.text);
    if (state === "foreign") return left("it was not generated");
    if (state === "edited") return left("its source has gone, but it was edited by hand");
    if ((present.mode & 0o222) === 0) return notWritable(target, name, "it is read-only");
    const { hash, mode } = present;
    const file = { path: name, content: "", ownership: "generated" } as const;
    return { step: "remove", file, target, present: { hash, mode } };
  } catch (error) {
    return left(wordsFor(error));
  }
}

/** Files below `folder`, in one order on every system, without those that systems and tools hide. */
function filesBelow(folder: string): readonly string[] {
  if (lookAt(folder)?.isDirectory() !== true) return [];
  const entries = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith("."))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const place = path.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(place) : [place];
  });
}

/** On a system that ignores case, the old name and the new one are the same file. */
function isOneFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((file) => lookAt(file));
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}
