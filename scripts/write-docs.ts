/** `npm run docs`: writes the pages that are made from the sources. */
import { fileURLToPath } from "node:url";
import { diagnosticsPage } from "../generators/docs-pages.js";
import { planFiles } from "../generators/writer/plan.js";
import { writePlan } from "../generators/writer/transaction.js";
import { CATALOGUE } from "./project-checks/catalogue.js";
import { WRITE_OPTIONS } from "./system/process-identity.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const problems = writePlan(
  root,
  planFiles(root, [diagnosticsPage(CATALOGUE)], { existingScaffold: "keep" }),
  WRITE_OPTIONS,
);
for (const { message } of problems) process.stderr.write(`${message}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
