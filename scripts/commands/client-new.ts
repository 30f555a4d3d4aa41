/** `connectorcli client new`: all that reaches the target system with one auth type; what is there already is kept. */
import { readFileSync } from "node:fs";
import path from "node:path";
import {
  type ClientNames,
  clientScaffold,
  type NewClient,
  namesOfClient,
  type Scaffold,
} from "../../generators/scaffolds/index.js";
import { SourceFiles } from "../../generators/source-edits/index.js";
import { recoverWrites } from "../../generators/writer/recover.js";
import { type Diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { AUTH_TYPES } from "../../schemas/model/connector-model.js";
import { classIdentifier } from "../../schemas/naming/identifiers.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { loadProject } from "../author-project/load-project.js";
import type { Arguments } from "../command-spec.js";
import type { Output } from "../output.js";
import { projectOf } from "../project-arguments.js";
import { reportScaffold } from "../scaffolding/report-scaffold.js";
import { newErrors, unconfirmed, writeConfirmed } from "../scaffolding/write-confirmed.js";
import { WRITING } from "../this-process.js";

const WRONG_USAGE = 2;

export async function clientNew(args: Arguments, output: Output): Promise<number> {
  const refused = (words: string) => {
    output.say(words);
    return WRONG_USAGE;
  };
  const wanted = wantedOf(args);
  if (typeof wanted === "string") return refused(wanted);
  const { folder, timeoutSeconds } = projectOf(args);
  const root = path.resolve(folder);
  const report = { args, output, root };
  const unsettled = recoverWrites(root, WRITING);
  if (hasErrors(unsettled)) return reportScaffold(report, { diagnostics: unsettled });
  const before = await loadProject(folder, { timeoutSeconds });
  const { model } = before;
  if (model === undefined) return reportScaffold(report, { diagnostics: before.diagnostics });
  const names = namesOfClient(model, wanted);
  if (typeof names === "string") return refused(names);
  const files = new SourceFiles((name) => textOf(path.join(root, name)));
  const scaffold = clientScaffold(names, { model, files });
  const planned = scaffold.diagnostics.map((found) => placed(root, found));
  if (hasErrors(planned)) return reportScaffold(report, { diagnostics: planned });
  const confirm = async (): Promise<readonly Diagnostic[]> => {
    const after = await loadProject(folder, { timeoutSeconds });
    // A new connection has placeholders, which are errors until they are replaced.
    const errors = newErrors(before.diagnostics, after.diagnostics).filter(
      ({ code }) => code !== "connection-address-placeholder",
    );
    if (errors.length > 0) return [unconfirmed(root, errors[0]?.message ?? ""), ...errors];
    const isThere = after.model?.connections.some(({ key }) => key === names.key) === true;
    return isThere ? [] : [unconfirmed(root, "the connection is not part of the connector")];
  };
  const result = await writeConfirmed(root, scaffold.files, confirm);
  const diagnostics = [...planned, ...result.diagnostics];
  return reportScaffold(report, { ...result, diagnostics, next: nextSteps(names, scaffold) });
}

/** What the call asks for, or what is wrong with it. */
function wantedOf({ "auth-type": given, name }: Arguments): NewClient | string {
  const list = `Use one of: ${AUTH_TYPES.join(", ")}.`;
  if (typeof given !== "string" || given === "") return `Say which auth type: --auth-type <type>. ${list}`;
  const authType = AUTH_TYPES.find((type) => type === given);
  if (authType === undefined)
    return `There is no auth type "${given}".${didYouMean(given, AUTH_TYPES)} ${list}`;
  if (typeof name !== "string") return { authType, name: undefined };
  const identifier = classIdentifier(name).slice(0, LONGEST_NAME);
  if (identifier !== name)
    return `--name must be the name of a class of at most ${LONGEST_NAME} letters, such as ${identifier}.`;
  return { authType, name };
}

const LONGEST_NAME = 60;

function placed(root: string, found: Diagnostic): Diagnostic {
  return found.file === undefined ? found : { ...found, file: path.resolve(root, found.file) };
}

function nextSteps(
  { definition, definitionFile, handlerFile }: ClientNames,
  { files }: Scaffold,
): readonly string[] {
  const addresses =
    definition === undefined ? [`Put the addresses of the target system into ${definitionFile}.`] : [];
  const noBase =
    definition?.baseUrl.kind === "none" ? ["Give the definition a baseUrl: the client needs it."] : [];
  const services = files.some(({ path: name }) => name.endsWith("-reader.ts"))
    ? ["Adapt the readers and handlers that were written; the compiler names those that do not fit yet."]
    : [];
  return [
    ...addresses,
    ...noBase,
    `Compare ${handlerFile} with how the target system wants to be called.`,
    ...services,
    "Put a path that every user may read into connections/connection-test-handler.ts.",
    "Then: npx connectorcli gen, npx connectorcli test init, npx connectorcli test connection",
  ];
}

/** What can't be read is nothing to edit; the writer says so where it is in the way. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
