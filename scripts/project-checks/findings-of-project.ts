/** Everything that is found in a project: its model, its code, what lies beside it, with the project's severities. */
import path from "node:path";
import { type Diagnostic, sortDiagnostics } from "../../schemas/diagnostics/diagnostic.js";
import type { LoadedProject } from "../author-project/loaded-project.js";
import { readIfThere } from "../read-if-there.js";
import { readRunOptions } from "../running/run-options.js";
import { checkProject } from "./check-project.js";
import type { Committed } from "./committed-connector.js";
import { readProjectFiles } from "./read-project-files.js";
import { readSeverities, withSeverities } from "./severities.js";

/**
 * All findings of the project in `folder`, sorted; silenced ones among them. The connector.json that is there counts
 * where the project is not compared with another one anyway.
 */
export function findingsOfProject(
  folder: string,
  project: LoadedProject,
  isCompared = false,
): readonly Diagnostic[] {
  const { diagnostics, silenced = [], model, connectorJson: extracted } = project;
  const root = path.resolve(folder);
  const packageFile = path.join(root, "package.json");
  const packageText = readIfThere(packageFile) ?? "";
  const settings = readSeverities(packageText, packageFile);
  const running = model === undefined ? [] : readRunOptions(packageText, packageFile, model).diagnostics;
  const parts = {
    files: readProjectFiles(root),
    committed: isCompared ? undefined : committedIn(root),
    extracted,
    model,
  };
  const found = [...diagnostics, ...silenced, ...withoutRepeats(checkProject(parts), diagnostics)];
  const weighed = withSeverities(found, settings.severities);
  return sortDiagnostics([...weighed, ...settings.diagnostics, ...running]);
}

/** A credential in an address is told by the connection: one mistake, one message. */
function withoutRepeats(code: readonly Diagnostic[], model: readonly Diagnostic[]): readonly Diagnostic[] {
  const told = new Set(
    model
      .filter((found) => found.code === "connection-address-credentials")
      .map(({ file, line }) => `${file}:${line}`),
  );
  return code.filter((found) => found.code !== "code-credential" || !told.has(`${found.file}:${found.line}`));
}

function committedIn(root: string): Committed | undefined {
  const file = path.join(root, "connector.json");
  const text = readIfThere(file);
  return text === undefined ? undefined : { file, text };
}
