/** Makes connector.json from the schema modules of a project. */

import path from "node:path";
import { CONNECTOR_JSON } from "../../generators/layout.js";
import { type Diagnostic, diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { loadProject, type ProjectOptions } from "../author-project/load-project.js";
import type { CommittedVerdict } from "../comparison/committed-verdict.js";
import { readTextIfExists } from "../system/read-text.js";

/** Which project to extract, and where to. */
export interface ExtractOptions extends ProjectOptions {
  /** The file to write or to look at. @default connector.json in the project's folder */
  readonly file?: string | undefined;
  /** `write` writes the file, `check` only looks whether it is up to date, `return` touches no file. @default "write" */
  readonly mode?: "write" | "check" | "return";
  /** Whether to go on in spite of errors in the project. @default false */
  readonly allowErrors?: boolean;
}

/** What an extract made. */
export interface ExtractResult {
  /** `stopped`: nothing was made or written, and the diagnostics say why. */
  readonly state: "written" | "unchanged" | "stale" | "returned" | "stopped";
  /** Absolute. */
  readonly file: string;
  /** The text of connector.json, unless `state` is `stopped`. */
  readonly connectorJson?: string;
  /**
   * What the extract changes of the connector.json that git has committed, or outside of git of the one that was there
   * (`present`); absent if there was none, or in mode `return`.
   */
  readonly comparison?: CommittedVerdict;
  /** The findings of the project, and what stood in the way of writing. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Extracts connector.json; the project's findings are among the diagnostics, with places for errors only, and what it lacks besides its schemas. */
export async function extractConnectorJson(options: ExtractOptions): Promise<ExtractResult> {
  const { mode = "write", allowErrors = false, ...projectOptions } = options;
  const [project, { submissionFindings }] = await Promise.all([
    loadProject({ ...projectOptions, located: "errors" }),
    import("../project-checks/submission-findings.js"),
  ]);
  const { connectorJson } = project;
  const findings = [
    ...project.diagnostics,
    ...submissionFindings(path.resolve(options.folder), project.model),
  ];
  const file = path.resolve(options.file ?? path.join(options.folder, CONNECTOR_JSON));
  if (connectorJson === undefined || (hasErrors(findings) && !allowErrors))
    return { state: "stopped", file, diagnostics: findings };
  if (mode === "return") return { state: "returned", file, connectorJson, diagnostics: findings };
  const present = readTextIfExists(file);
  const { state, diagnostics } =
    // A checkout on Windows may have other line endings.
    present?.replaceAll("\r\n", "\n") === connectorJson
      ? { state: "unchanged" as const, diagnostics: [] }
      : mode === "check"
        ? { state: "stale" as const, diagnostics: [staleFinding(file, present)] }
        : await write(file, connectorJson);
  const { committedVerdict } = await import("../comparison/committed-verdict.js");
  const comparison = await committedVerdict(file, project, present);
  return {
    ...{ state, file, connectorJson },
    ...(comparison && { comparison }),
    diagnostics: [...findings, ...diagnostics],
  };
}

function staleFinding(file: string, present: string | undefined): Diagnostic {
  const parameters = {
    path: path.basename(file),
    state: present === undefined ? "missing" : "stale: it is not what the schema modules give",
    command: "npx connectorcli extract",
  };
  return diagnostic("file-stale", { file }, parameters);
}

/** The writer is only loaded where there is something to write. */
async function write(
  target: string,
  text: string,
): Promise<{ readonly state: "written" | "stopped"; readonly diagnostics: readonly Diagnostic[] }> {
  const [{ writeFiles }, { WRITE_OPTIONS }] = await Promise.all([
    import("../../generators/writer/transaction.js"),
    import("../system/process-identity.js"),
  ]);
  const file = { path: path.basename(target), content: text, ownership: "generated" } as const;
  const { diagnostics } = writeFiles(path.dirname(target), [file], WRITE_OPTIONS);
  return { state: diagnostics.length === 0 ? "written" : "stopped", diagnostics };
}
