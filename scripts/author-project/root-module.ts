/** Which file of a folder is the root module of an author's project. */
import { existsSync } from "node:fs";
import path from "node:path";

/** The names that a root module may have. */
const ROOT_MODULES = ["connector.ts", "connector.mts", "connector.js", "connector.mjs"];

/** The root module of the project in `root`, absolute; undefined where there is none. */
export function rootModule(root: string): string | undefined {
  return ROOT_MODULES.map((name) => path.join(root, name)).find((file) => existsSync(file));
}
