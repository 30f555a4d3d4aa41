/** A new module: its schema module, its services, and the lines that list it. */
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { applyConvention } from "../../schemas/naming/conventions.js";
import { moduleId } from "../../schemas/naming/service-names.js";
import { render } from "../render.js";
import type { ModuleNames } from "../schema-modules/project-names.js";
import { addProperty, appendElement, imported } from "../source-edits/index.js";
import { stringLiteral } from "../typescript/literals.js";
import { displayNameProblems, keyProblems, takenProblems } from "./name-checks.js";
import { namesOfModule, plannedModule } from "./planned-names.js";
import {
  apiClient,
  byHandOnly,
  changedFiles,
  mustBeNew,
  problemsOf,
  rootModule,
  type Scaffold,
  type ScaffoldSource,
  scaffoldFile,
} from "./scaffold.js";

export interface NewModule {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly version: number;
}

export function moduleScaffold(wanted: NewModule, { model, files }: ScaffoldSource): Scaffold {
  const problems = moduleProblems(wanted, { model, files });
  if (problems.length > 0) return { files: [], diagnostics: problems };
  const names = namesOfModule(model, plannedModule(wanted));
  const view = {
    identifier: names.identifier,
    name: stringLiteral(wanted.name),
    key: stringLiteral(wanted.key),
    version: wanted.version,
    description: stringLiteral(`Data objects and actions of ${wanted.name}.`),
  };
  const place = { start: { file: rootModule(files), call: "defineConnector" }, steps: [0, "modules"] };
  const edit = appendElement(files, place, imported(names.identifier, { file: names.file }));
  const registered = registerServices(names, { model, files });
  return {
    files: [
      scaffoldFile(names.file, render("module.ts", view)),
      servicesScaffold(names),
      apiClient(),
      ...changedFiles(files.changes()),
    ],
    diagnostics: [...mustBeNew(files, [names.file]), ...problemsOf([edit]), ...registered],
  };
}

/** The file of a module's services: `modules/app/services.ts`. */
export function servicesFile(names: ModuleNames): string {
  return `modules/${folderOf(names)}/services.ts`;
}

/** The constant that it exports. */
export function servicesName(names: ModuleNames): string {
  return `${applyConvention(names.identifier, "camelCase")}Services`;
}

export function servicesScaffold(names: ModuleNames) {
  const view = {
    identifier: names.identifier,
    services: servicesName(names),
    client: '"../../client/api-client.js"',
    registration: '"../../generated/registration.js"',
  };
  return scaffoldFile(servicesFile(names), render("module-services.ts", view));
}

/** `app`: the folder of a module below `schemas/`, `generated/` and `modules/`. */
export function folderOf(names: ModuleNames): string {
  return names.file.split("/")[1] ?? "";
}

function moduleProblems(wanted: NewModule, { model }: ScaffoldSource): readonly Diagnostic[] {
  const { id, name, key, version } = wanted;
  const invalid = [
    ...displayNameProblems("name of a module", name),
    ...keyProblems("key of a module", key),
    ...versionProblems(version),
  ];
  if (invalid.length > 0) return invalid;
  const expected = moduleId(key, version);
  if (id !== expected) return [diagnostic("scaffold-id-mismatch", {}, { id, expected })];
  return takenProblems(
    "module",
    id,
    model.modules.map((one) => one.id),
  );
}

function versionProblems(version: number): readonly Diagnostic[] {
  if (Number.isSafeInteger(version) && version > 0) return [];
  const problem = "it must be a whole number from 1";
  const what = "version of a module";
  return [diagnostic("scaffold-name-invalid", {}, { name: String(version), what, problem, hint: "" })];
}

/** The line in `registration.ts`, where `client new` made that file already. */
function registerServices(names: ModuleNames, { files }: ScaffoldSource): readonly Diagnostic[] {
  const file = "registration.ts";
  if (files.text(file) === undefined) return [];
  const place = { start: { file, call: "registerConnector" }, steps: [0] };
  const services = imported(servicesName(names), { file: servicesFile(names) });
  return byHandOnly([addProperty(files, place, names.identifier, services)]);
}
