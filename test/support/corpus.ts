/** Real `connector.json` files, where they are at hand: beside the repository, or in CONNECTORCLI_CORPUS. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "./repository.js";

export interface CorpusFile {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

/** The folder that is looked into. */
export const CORPUS_FOLDER = process.env["CONNECTORCLI_CORPUS"] ?? inRepository("../shared/corpus");

/** What a test says that skips for want of the files. */
export const NO_CORPUS = `is not here: put files named *.connector.json in ${CORPUS_FOLDER}, or name a folder in CONNECTORCLI_CORPUS`;

/** The files of the corpus; none where the folder is absent. */
export function corpusFiles(): readonly CorpusFile[] {
  if (!existsSync(CORPUS_FOLDER)) return [];
  return readdirSync(CORPUS_FOLDER)
    .filter((name) => name.endsWith(".connector.json"))
    .sort()
    .map((name) => ({
      name,
      path: join(CORPUS_FOLDER, name),
      text: readFileSync(join(CORPUS_FOLDER, name), "utf8"),
    }));
}
