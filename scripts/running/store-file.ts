/** Where the store of a project is: in a folder of its own that git does not see. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Arguments } from "../command-spec.js";

const FOLDER = ".connectorcli-cache";
const FILE = "store.db";

/** The file that `--store` names, or the project's own. */
export function storeFileOf(root: string, args: Arguments): string {
  const given = args["store"];
  return typeof given === "string" ? path.resolve(given) : path.join(root, FOLDER, FILE);
}

/** Makes the folder of the project's own store, ignored by git. */
export function prepareStoreFolder(root: string, args: Arguments): void {
  if (args["store"] !== undefined) return;
  const folder = path.join(root, FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const ignore = path.join(folder, ".gitignore");
  if (!existsSync(ignore)) writeFileSync(ignore, "*\n");
}
