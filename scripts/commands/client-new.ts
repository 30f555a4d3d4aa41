/** `connectorcli client new`: all that reaches the target system with one auth type; what is there already is kept. */
import path from "node:path";
import { AUTH_TYPE_FACTS } from "../../generators/client-files/auth-types.js";
import { editForClient } from "../../generators/client-files/client-edits.js";
import {
  type ClientNames,
  clientFiles,
  clientNames,
  registrationFile,
} from "../../generators/client-files/client-files.js";
import type { GeneratedFile } from "../../generators/generated-file.js";
import { SourceFiles } from "../../generators/source-edits/index.js";
import { type Plan, planFiles } from "../../generators/writer/plan.js";
import { recoverWrites } from "../../generators/writer/recover.js";
import { writePlan } from "../../generators/writer/write-files.js";
import { type Diagnostic, diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { AUTH_TYPES, type AuthType, type ConnectorModel } from "../../schemas/model/connector-model.js";
import { classIdentifier } from "../../schemas/naming/identifiers.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { loadProject, rootModuleOf } from "../author-project/load-project.js";
import { loadWith } from "../author-project/try-files.js";
import type { Arguments } from "../command-table.js";
import type { Output } from "../output.js";
import { projectOf } from "../project-arguments.js";
import { textAt } from "../test-settings/settings-file.js";
import { WRITING } from "../this-process.js";
import { reportClient } from "./client-new-report.js";

interface Wanted {
  readonly authType: AuthType;
  readonly name: string | undefined;
}

export async function clientNew(args: Arguments, output: Output): Promise<number> {
  const wanted = wantedOf(args);
  if (typeof wanted === "string") {
    output.say(wanted);
    return 2;
  }
  const { folder, timeoutSeconds } = projectOf(args);
  const root = path.resolve(folder);
  const unsettled = recoverWrites(root, WRITING);
  const { model, diagnostics } = await loadProject(folder, timeoutSeconds);
  const stopped = [...unsettled, ...(model === undefined ? diagnostics : [])];
  if (model === undefined || hasErrors(stopped))
    return reportClient(args, output, { files: [], diagnostics: stopped });
  const names = namesOf(model, wanted);
  if (typeof names === "string") {
    output.say(names);
    return 2;
  }
  const plan = planOf(root, model, names);
  const problems = hasErrors(plan.diagnostics) ? [] : await confirmed(plan, { root, names, timeoutSeconds });
  const written = hasErrors([...plan.diagnostics, ...problems]) ? [] : writePlan(root, plan, WRITING);
  const found = [...plan.diagnostics, ...problems, ...written];
  return reportClient(args, output, { files: hasErrors(found) ? [] : plan.files, diagnostics: found, names });
}

/** What the call asks for, or what is wrong with it. */
function wantedOf({ "auth-type": given, name }: Arguments): Wanted | string {
  const list = `Use one of: ${AUTH_TYPES.join(", ")}.`;
  if (typeof given !== "string" || given === "") return `Say which auth type: --auth-type <type>. ${list}`;
  const authType = AUTH_TYPES.find((type) => type === given);
  if (authType === undefined)
    return `There is no auth type "${given}".${didYouMean(given, AUTH_TYPES)} ${list}`;
  if (typeof name !== "string") return { authType, name: undefined };
  const identifier = classIdentifier(name);
  if (identifier !== name || name.length > LONGEST_NAME)
    return `--name must be the name of a class of at most ${LONGEST_NAME} letters, such as ${identifier.slice(0, LONGEST_NAME)}.`;
  return { authType, name };
}

const LONGEST_NAME = 60;

/** The definition that is meant: by its name, or the one of the auth type that is there, or a new one. */
function namesOf(model: ConnectorModel, { authType, name }: Wanted): ClientNames | string {
  const { className: usual } = AUTH_TYPE_FACTS[authType];
  const ofType = model.connections.filter((one) => one.authType === authType);
  const present = ofType.find(({ className }) => className === usual) ?? ofType[0];
  const className = name ?? present?.className ?? usual;
  const same = model.connections.find((one) => one.className === className);
  if (same !== undefined && same.authType !== authType)
    return `The connection "${className}" has the auth type ${same.authType}. Choose another --name.`;
  const names = clientNames(model, authType, className);
  const sameKey = model.connections.find(({ key }) => key === names.key);
  if (sameKey !== undefined && sameKey !== names.definition)
    return `The definition key "${names.key}" belongs to "${sameKey.className}". Choose another --name.`;
  return names;
}

/** The plan of everything, and what can't be done by the tool. */
function planOf(root: string, model: ConnectorModel, names: ClientNames): Plan {
  const sources = new SourceFiles((file) => textAt(path.join(root, file)));
  const problems = editForClient(sources, names, rootModuleOf(root));
  const edits = sources
    .changes()
    .flatMap(({ path: name, before, after }): GeneratedFile[] =>
      before === undefined ? [] : [{ path: name, content: after, ownership: "edited", read: before }],
    );
  const edited = new Set(edits.map((file) => file.path));
  const hasServices = (file: string) => textAt(path.join(root, file)) !== undefined;
  const scaffolds = [...clientFiles(names), registrationFile(model, hasServices)];
  const files = [...scaffolds.filter((file) => !edited.has(file.path)), ...edits];
  const plan = planFiles(root, files, { existingScaffold: "keep" });
  const placed = problems.map((found) => ({ ...found, file: path.resolve(root, found.file ?? "") }));
  return { ...plan, diagnostics: [...plan.diagnostics, ...placed] };
}

/** Whether the connector has the connection when it is loaded with the new files. */
async function confirmed(
  { files }: Plan,
  place: { readonly root: string; readonly names: ClientNames; readonly timeoutSeconds: number | undefined },
): Promise<readonly Diagnostic[]> {
  const { root, names, timeoutSeconds } = place;
  const { model, diagnostics } = await loadWith(root, files, timeoutSeconds);
  if (model?.connections.some(({ key, authType }) => key === names.key && authType === names.authType))
    return [];
  const error = diagnostics.find(({ severity }) => severity === "error");
  const reason = error?.message.replace(/\.$/, "") ?? "it is not among the connector's connections";
  return [diagnostic("client-not-confirmed", { file: root }, { key: names.key, reason })];
}
