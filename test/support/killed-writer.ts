/** A process of its own that writes a plan and kills itself before one of its steps: `node killed-writer.js ROOT PLAN STEP`. */
import { readFileSync } from "node:fs";
import { planFiles } from "../../generators/writer/plan.js";
import { writePlan } from "../../generators/writer/write-files.js";

const [root = "", file = "", fatal = ""] = process.argv.slice(2);
let step = 0;
const plan = planFiles(root, JSON.parse(readFileSync(file, "utf8")), {
  existingScaffold: "keep",
  generatedFolder: "generated",
});
writePlan(root, plan, {
  onStep: () => {
    if (++step === Number(fatal)) process.kill(process.pid, "SIGKILL");
  },
});
process.stdout.write(String(step));
