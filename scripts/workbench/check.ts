/** Finds what the platform would reject in a project. */
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { loadProject, type ProjectOptions } from "../author-project/load-project.js";
import { findingsOfProject } from "../project-checks/findings-of-project.js";

/** Which project to check, and how. */
export interface CheckOptions extends ProjectOptions {
  /** Whether to mend what has one right answer first. @default false */
  readonly fix?: boolean;
  /**
   * Whether what submissions are commonly rejected for is an error: missing and improper attributes, which are warnings
   * otherwise. Severities that the project sets itself, and silences, still count.
   *
   * @default false
   */
  readonly strict?: boolean;
  /**
   * Whether to read the OpenAPI document that the project was imported from, and say whether it has changed since. Nothing
   * else looks for it.
   *
   * @default false
   */
  readonly source?: boolean;
  /** Undoes the fix that is being written if it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** What a check found. */
export interface CheckResult {
  /** Every finding, sorted by place; silenced ones among them, with `silenced`. */
  readonly findings: readonly Diagnostic[];
  /** The findings that were mended, at the places where they were. */
  readonly fixed: readonly Diagnostic[];
}

/** Checks a project: its model, its code, and what lies beside it, with the severities that its package.json wants. */
export async function checkProject({
  fix = false,
  strict: isStrict = false,
  source = false,
  ...options
}: CheckOptions): Promise<CheckResult> {
  const result = await check({ fix, isStrict, options });
  if (!source) return result;
  const { checkSource } = await import("./import-openapi.js");
  return { ...result, findings: [...result.findings, ...(await checkSource(options))] };
}

async function check({
  fix,
  isStrict,
  options,
}: {
  readonly fix: boolean;
  readonly isStrict: boolean;
  readonly options: Omit<CheckOptions, "fix" | "strict" | "source">;
}): Promise<CheckResult> {
  const { folder, timeoutSeconds } = options;
  const findingsOptions = { isStrict, timeoutSeconds };
  if (!fix) {
    const findings = await findingsOfProject(folder, await loadProject(options), findingsOptions);
    return { findings, fixed: [] };
  }
  const { fixProject } = await import("../fix/fix-project.js");
  const { project, fixed, diagnostics } = await fixProject(options);
  const findings = await findingsOfProject(folder, project, findingsOptions);
  return { findings: [...findings, ...diagnostics], fixed };
}
