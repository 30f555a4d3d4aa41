/** Loading an author's project and building its model: one step that all commands share. */
import { existsSync } from "node:fs";
import path from "node:path";
import { diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { readCached, writeCached } from "./cache.js";
import type { LoadedProject } from "./evaluate.js";

/** The names that a root module may have. */
const ROOT_MODULES = ["connector.ts", "connector.mts", "connector.js", "connector.mjs"];

/** Seconds that modules may take to load. */
export const LOAD_TIMEOUT = 30;

/** Loads the project in `folder`; unchanged files are not loaded again, unless origins are wanted and not known. */
export async function loadProject(
  folder: string,
  timeoutSeconds = LOAD_TIMEOUT,
  withOrigins = false,
): Promise<LoadedProject> {
  const root = path.resolve(folder);
  const entry = ROOT_MODULES.map((name) => path.join(root, name)).find((file) => existsSync(file));
  if (entry === undefined)
    return { diagnostics: [diagnostic("project-missing", { file: root }, { folder })] };
  const cached = readCached(root, entry);
  if (cached !== undefined && (!withOrigins || cached.origins !== undefined)) return cached;
  // Bundler and thread are only loaded where they are needed.
  const { evaluateProject } = await import("./evaluate.js");
  const startedAt = Date.now();
  const { project, inputs } = await evaluateProject(root, entry, {
    timeLimitMs: timeoutSeconds * 1000,
    withOrigins,
  });
  if (project.model !== undefined) writeCached(root, entry, inputs, startedAt, project);
  return project;
}
