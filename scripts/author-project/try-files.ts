/** What a project would be with files that are not written yet: it is loaded from a copy, so that nothing must be taken back. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { PlannedFile } from "../../generators/writer/plan.js";
import { isChange } from "../../generators/writer/plan.js";
import type { LoadedProject } from "./evaluate.js";
import { loadProject } from "./load-project.js";

/** Folders that schema modules do not lie in. */
const LEFT_OUT = /^(?:node_modules|generated|\.git|\.connectorcli)$/;

/** Loads the project in `root` as it would be with `files`. */
export async function loadWith(
  root: string,
  files: readonly PlannedFile[],
  timeoutSeconds: number | undefined,
): Promise<LoadedProject> {
  const copy = mkdtempSync(path.join(tmpdir(), "connectorcli-try-"));
  try {
    cpSync(root, copy, {
      recursive: true,
      filter: (source) => !LEFT_OUT.test(path.basename(source)) || source === root,
    });
    const packages = path.join(root, "node_modules");
    if (existsSync(packages)) symlinkSync(packages, path.join(copy, "node_modules"), "junction");
    for (const { file } of files.filter(isChange)) {
      const target = path.join(copy, file.path);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, file.content);
    }
    return await loadProject(copy, timeoutSeconds);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
