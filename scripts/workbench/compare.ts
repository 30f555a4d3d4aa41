/** Compares a project with an earlier connector.json. Loads ajv, so it is loaded where it is used. */
import path from "node:path";
import { changesPage } from "../../generators/docs-pages.js";
import { planFiles } from "../../generators/writer/plan.js";
import { writePlan } from "../../generators/writer/transaction.js";
import type { Change, Verdict } from "../../schemas/compatibility/change.js";
import { compareConnectors } from "../../schemas/compatibility/compare-connectors.js";
import { type Diagnostic, diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { loadProject, type ProjectOptions } from "../author-project/load-project.js";
import { locateChanges } from "../comparison/locate-changes.js";
import { readOldConnector } from "../comparison/old-connector.js";
import { findingsOfProject } from "../project-checks/findings-of-project.js";
import { WRITE_OPTIONS } from "../system/process-identity.js";

/** Which project to compare, and with what. */
export interface CompareOptions extends ProjectOptions {
  /** A connector.json, or a git reference such as `origin/main`, whose connector.json of the same folder is read. */
  readonly reference: string;
  /** Whether what submissions are commonly rejected for is an error, as in `checkProject`. @default false */
  readonly strict?: boolean;
  /** The folder that a file named by `reference` is relative to. @default the folder of the process */
  readonly cwd?: string;
  /** Writes the changes to this file too, as Markdown for the connector's users. */
  readonly changesFile?: string | undefined;
}

/** What has changed. */
export interface Comparison {
  /** The reference as it was given. */
  readonly reference: string;
  /** `none` if nothing has changed; null if nothing could be compared, and the diagnostics say why. */
  readonly verdict: Verdict | null;
  /** Every change, with its place in the old file and in the author's code. */
  readonly changes: readonly Change[];
  /** The findings of the project, silenced ones among them, and of the comparison. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The findings of a project, what has changed since `reference`, and which version such a change needs. */
export async function compareProject(options: CompareOptions): Promise<Comparison> {
  const compared = await compare(options);
  const { changesFile: file } = options;
  const problems =
    file !== undefined && compared.verdict !== null ? writeChanges(path.resolve(file), compared) : [];
  return { ...compared, diagnostics: [...compared.diagnostics, ...problems] };
}

async function compare({
  reference,
  cwd = ".",
  strict: isStrict = false,
  ...options
}: CompareOptions): Promise<Comparison> {
  const { folder } = options;
  const project = await loadProject(options);
  const old = readOldConnector(reference, { folder: path.resolve(folder), cwd });
  const diagnostics = [
    ...(await findingsOfProject(folder, project, {
      isCompared: true,
      isStrict,
      timeoutSeconds: options.timeoutSeconds,
    })),
    ...old.diagnostics,
  ];
  const none = { reference, verdict: null, changes: [], diagnostics };
  if (project.model === undefined) {
    return { ...none, diagnostics: [...diagnostics, diagnostic("against-nothing", { file: folder }, {})] };
  }
  if (old.connector === undefined) return hasErrors(old.diagnostics) ? none : { ...none, verdict: "none" };
  const { verdict, changes } = compareConnectors(old.connector.model, project.model);
  if (changes.length === 0) return { ...none, verdict };
  // Lines of the author's code are only looked up where there is something to show.
  const { origins } = await loadProject({ ...options, located: "definitions" });
  const located = { model: project.model, ...(origins !== undefined && { origins }) };
  return { ...none, verdict, changes: locateChanges(changes, old.connector, located) };
}

/** Writes `file` (absolute); findings say why it could not be. */
function writeChanges(
  file: string,
  { reference, verdict, changes }: Pick<Comparison, "reference" | "verdict" | "changes">,
): readonly Diagnostic[] {
  const folder = path.dirname(file);
  const content = changesPage({ reference, verdict: verdict ?? "none", changes });
  const page = { path: path.basename(file), content, ownership: "generated" } as const;
  return writePlan(folder, planFiles(folder, [page], { existingScaffold: "keep" }), WRITE_OPTIONS);
}
