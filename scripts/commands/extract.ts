/** `connectorcli extract`: `connector.json` from the schema modules, or the word that it is stale. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { type Diagnostic, diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import type { CommittedVerdict } from "../against/committed-verdict.js";
import { loadProject } from "../author-project/load-project.js";
import type { Arguments } from "../command-spec.js";
import { findingsJson, findingsText, summaryOf, summaryText } from "../findings-text.js";
import type { Output } from "../output.js";
import { projectOf } from "../project-arguments.js";

type State = "written" | "unchanged" | "stale" | "stopped";

export async function extract(args: Arguments, output: Output): Promise<number> {
  const { folder, timeoutSeconds } = projectOf(args);
  const project = await loadProject(folder, { timeoutSeconds, located: "errors" });
  const { connectorJson, diagnostics: found } = project;
  const target = targetOf(args, folder);
  const present = contentOf(target);
  const stopped = connectorJson === undefined || (hasErrors(found) && args["allow-errors"] !== true);
  const { state, diagnostics } = stopped
    ? { state: "stopped" as const, diagnostics: [] }
    : args["check"] === true
      ? compare(target, connectorJson)
      : await write(target, connectorJson, output);
  const errors = [...found, ...diagnostics].filter(({ severity }) => severity === "error");
  const compared =
    stopped || target === "-"
      ? undefined
      : await (await import("../against/committed-verdict.js")).committedVerdict(target, project, present);
  report(state, errors, found, { args, folder, target, output, compared });
  return errors.length > 0 ? 1 : 0;
}

function targetOf(args: Arguments, folder: string): string {
  const output = args["output"];
  if (output === "-") return output;
  return typeof output === "string" ? path.resolve(output) : path.resolve(folder, "connector.json");
}

function compare(target: string, text: string): { state: State; diagnostics: readonly Diagnostic[] } {
  const present = contentOf(target);
  if (isSame(present, text)) return { state: "unchanged", diagnostics: [] };
  const parameters = {
    path: path.basename(target),
    state: present === undefined ? "missing" : "stale: it is not what the schema modules give",
    command: "connectorcli extract",
  };
  return { state: "stale", diagnostics: [diagnostic("file-stale", { file: target }, parameters)] };
}

async function write(
  target: string,
  text: string,
  output: Output,
): Promise<{ state: State; diagnostics: readonly Diagnostic[] }> {
  if (target === "-") {
    output.result(text);
    return { state: "written", diagnostics: [] };
  }
  if (isSame(contentOf(target), text)) return { state: "unchanged", diagnostics: [] };
  const [{ planFiles }, { recoverWrites }, { writePlan }, { WRITING }] = await Promise.all([
    import("../../generators/writer/plan.js"),
    import("../../generators/writer/recover.js"),
    import("../../generators/writer/write-files.js"),
    import("../this-process.js"),
  ]);
  const folder = path.dirname(target);
  const file = { path: path.basename(target), content: text, ownership: "generated" } as const;
  const unsettled = recoverWrites(folder, WRITING);
  if (hasErrors(unsettled)) return { state: "stopped", diagnostics: unsettled };
  const diagnostics = writePlan(folder, planFiles(folder, [file], { existingScaffold: "keep" }), WRITING);
  return { state: diagnostics.length === 0 ? "written" : "stopped", diagnostics };
}

/** A checkout on Windows may have other line endings. */
function isSame(present: string | undefined, text: string): boolean {
  return present?.replaceAll("\r\n", "\n") === text;
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

interface Reported {
  readonly args: Arguments;
  readonly folder: string;
  readonly target: string;
  readonly output: Output;
  readonly compared: CommittedVerdict | undefined;
}

function report(
  state: State,
  errors: readonly Diagnostic[],
  found: readonly Diagnostic[],
  where: Reported,
): void {
  const { args, folder, target, output, compared } = where;
  const summary = summaryOf([...found, ...errors.filter((error) => !found.includes(error))]);
  if (args["json"] === true && target !== "-") {
    const result = {
      state,
      file: path.relative(process.cwd(), target),
      verdict: compared?.verdict ?? null,
      diagnostics: findingsJson(errors, path.resolve(folder)),
      summary,
    };
    output.result(`${JSON.stringify(result, undefined, 2)}\n`);
    return;
  }
  if (errors.length > 0) output.say(findingsText(errors, false).trimEnd());
  const shown = target === "-" ? "standard output" : path.relative(process.cwd(), target) || target;
  const words = {
    written: `${shown}: written`,
    unchanged: `${shown}: up to date`,
    stale: `${shown}: stale`,
    stopped: "nothing written",
  };
  output.say(`${words[state]} (${summaryText(summary)})`);
  if (compared !== undefined) output.say(compared.text);
}
