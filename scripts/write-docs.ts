/** `npm run docs`: writes the pages that are made from the sources. */
import { fileURLToPath } from "node:url";
import { diagnosticsPage } from "../generators/diagnostics-page.js";
import { planFiles } from "../generators/writer/plan.js";
import { writePlan } from "../generators/writer/write-files.js";
import { WRITING } from "./this-process.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const problems = writePlan(root, planFiles(root, [diagnosticsPage()], { existingScaffold: "keep" }), WRITING);
for (const { message } of problems) process.stderr.write(`${message}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
