/**
 * A process of its own that writes a plan, or recovers, and kills itself before a call to the file system:
 * `node write-plan.js ROOT PLAN|- FATAL [FAILING]`. At the call FAILING, the disk is full.
 */
import { readFileSync } from "node:fs";
import { planFiles } from "../../../generators/writer/plan.js";
import { recoverWrites, writePlan } from "../../../generators/writer/transaction.js";
import { WRITE_OPTIONS } from "../../../scripts/system/process-identity.js";
import { systemError, watchFileSystem } from "../writer.js";

const [root = "", file = "", fatal = "", failing = ""] = process.argv.slice(2);
const fileSystem = watchFileSystem((call) => {
  if (call === Number(fatal)) process.kill(process.pid, "SIGKILL");
  if (call === Number(failing)) throw systemError("ENOSPC");
});
const options = { ...WRITE_OPTIONS, fileSystem };
if (file === "-") recoverWrites(root, options);
else {
  const files = JSON.parse(readFileSync(file, "utf8"));
  const plan = planFiles(root, files, { existingScaffold: "keep", generatedFolder: "generated" });
  writePlan(root, plan, options);
}
