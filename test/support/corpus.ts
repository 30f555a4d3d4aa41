/** Real `connector.json` files, where they are at hand: beside the repository, or in CONNECTORCLI_CORPUS. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export interface CorpusFile {
  readonly name: string;
  readonly text: string;
}

/** The folder that is looked into. */
export const CORPUS_FOLDER =
  process.env["CONNECTORCLI_CORPUS"] ?? resolve(repositoryRoot(), "../shared/corpus");

/** The files of the corpus; none where the folder is absent. */
export function corpusFiles(): readonly CorpusFile[] {
  if (!existsSync(CORPUS_FOLDER)) return [];
  return readdirSync(CORPUS_FOLDER)
    .filter((name) => name.endsWith(".connector.json"))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(CORPUS_FOLDER, name), "utf8") }));
}

/** The nearest folder above this file that holds a package.json. */
function repositoryRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json")) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
