/**
 * A process of its own that writes a plan, or recovers, and kills itself before a call to the file system:
 * `node killed-writer.js ROOT PLAN|- FATAL [FAILING]`. At the call FAILING, the disk is full.
 */
import { readFileSync } from "node:fs";
import { planFiles } from "../../generators/writer/plan.js";
import { recoverWrites } from "../../generators/writer/recover.js";
import { writePlan } from "../../generators/writer/write-files.js";
import { WRITING } from "../../scripts/this-process.js";
import { systemError, watched } from "./trees.js";

const [root = "", file = "", fatal = "", failing = ""] = process.argv.slice(2);
const fileSystem = watched((call) => {
  if (call === Number(fatal)) process.kill(process.pid, "SIGKILL");
  if (call === Number(failing)) throw systemError("ENOSPC");
});
const options = { ...WRITING, fileSystem };
if (file === "-") recoverWrites(root, options);
else {
  const files = JSON.parse(readFileSync(file, "utf8"));
  const plan = planFiles(root, files, { existingScaffold: "keep", generatedFolder: "generated" });
  writePlan(root, plan, options);
}
