/** The files of a project for those who plan with relative paths, and their findings with absolute ones. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Scaffold } from "../../generators/scaffolds/index.js";
import { SourceFiles } from "../../generators/source-edits/index.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";

/** The files below `root`, read when they are asked for. */
export function projectSources(root: string): SourceFiles {
  return new SourceFiles((name) => {
    try {
      return readFileSync(path.resolve(root, name), "utf8");
    } catch {
      return undefined;
    }
  });
}

/** The same with absolute paths in its findings. */
export function placed(root: string, { files, diagnostics }: Scaffold): Scaffold {
  const place = (found: Diagnostic) =>
    found.file === undefined ? found : { ...found, file: path.resolve(root, found.file) };
  return { files, diagnostics: diagnostics.map(place) };
}
