/** The files of a project for those who plan with relative paths, and their findings with absolute ones. */
import path from "node:path";
import type { Scaffold } from "../../generators/scaffolds/index.js";
import { SourceFiles } from "../../generators/source-edits/index.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { readIfThere } from "../read-if-there.js";

/** The files below `root`, read when they are asked for. */
export function projectSources(root: string): SourceFiles {
  return new SourceFiles((name) => readIfThere(path.resolve(root, name)));
}

/** The same with absolute paths in its findings. */
export function placed(root: string, { files, diagnostics }: Scaffold): Scaffold {
  const place = (found: Diagnostic) =>
    found.file === undefined ? found : { ...found, file: path.resolve(root, found.file) };
  return { files, diagnostics: diagnostics.map(place) };
}
