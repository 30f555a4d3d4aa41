/** The folder of a project for what runs keep on this machine, such as the store. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Its name in the project's folder. */
export const CACHE_FOLDER = ".connectorcli-cache";

/** Makes it in the project `root`, ignored by git, and returns its path. @throws Error if it can't be written. */
export function makeCacheFolder(root: string): string {
  const folder = path.join(root, CACHE_FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const ignore = path.join(folder, ".gitignore");
  if (!existsSync(ignore)) writeFileSync(ignore, "*\n");
  return folder;
}
