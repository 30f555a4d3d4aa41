/** Whether a connector can be run: that what it is run by is there, and is one module. */
import { existsSync } from "node:fs";
import path from "node:path";
import { generatedModules } from "../../generators/classes/generated-modules.js";
import { isChange, planFiles } from "../../generators/writer/plan.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { bundleRun } from "../author-project/bundle-run.js";

export type Ready =
  | { readonly code: string; readonly entry: string; readonly words: readonly string[] }
  | { readonly code?: undefined; readonly diagnostics: readonly Diagnostic[] };

/** What must be there, why, and what writes it. */
const NEEDED = [
  ["registration.ts", "joins the connector to its client", "connectorcli client new --auth-type <type>"],
  ["generated/registration.ts", "registration.ts needs", "connectorcli gen"],
] as const;

/** The connector of the project in `root` as one module, or what is missing. */
export async function readyToRun(root: string, model: ConnectorModel): Promise<Ready> {
  const missing = NEEDED.find(([name]) => !existsSync(path.join(root, name)));
  if (missing !== undefined) {
    const [name, purpose, command] = missing;
    const parameters = { path: name, purpose, command };
    return { diagnostics: [diagnostic("run-registration-missing", { file: root }, parameters)] };
  }
  const entry = path.join(root, NEEDED[0][0]);
  const { code, diagnostics } = await bundleRun(root, entry);
  return code === undefined ? { diagnostics } : { code, entry, words: staleWords(root, model) };
}

/** A test with classes of other definitions than the author's may say anything. */
function staleWords(root: string, model: ConnectorModel): readonly string[] {
  const plan = planFiles(root, generatedModules(model), { existingScaffold: "keep" });
  return plan.files.some(isChange)
    ? ["generated/ is stale: run connectorcli gen before you trust the result."]
    : [];
}
