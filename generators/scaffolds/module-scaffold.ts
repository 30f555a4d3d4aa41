/** A new module: its schema module, its services, and the lines that list it. */
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { moduleId } from "../../schemas/naming/service-names.js";
import { type ModuleLayout, REGISTRATION_FILE } from "../layout.js";
import { render } from "../render.js";
import { addProperty, appendElement, importedName } from "../source-edits/index.js";
import { stringLiteral } from "../typescript/literals.js";
import { displayNameProblems, keyProblems, takenProblems } from "./names.js";
import {
  apiClient,
  byHandOnly,
  changedFiles,
  mustBeNew,
  namesInCode,
  namesOfModule,
  plannedModule,
  problemsOf,
  rootModule,
  type Scaffold,
  type ScaffoldSource,
  scaffoldFile,
} from "./scaffold.js";
import { servicesScaffold } from "./services-scaffold.js";

/** What a new module is made from. */
export interface NewModule {
  /** `{key}-{version}`. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** The key of the module: the second part of its data paths. */
  readonly key: string;
  /** Version of the module: an integer from 1. */
  readonly version: number;
}

export function moduleScaffold(wanted: NewModule, { model, files }: ScaffoldSource): Scaffold {
  const problems = moduleProblems(wanted, { model, files });
  if (problems.length > 0) return { files: [], diagnostics: problems };
  const names = namesOfModule(model, plannedModule({ ...wanted, title: wanted.name }));
  const view = {
    identifier: names.identifier,
    ...namesInCode(wanted.name),
    key: stringLiteral(wanted.key),
    version: wanted.version,
    description: stringLiteral(`Data objects and actions of ${wanted.name}.`),
  };
  const place = { start: { file: rootModule(files), call: "defineConnector" }, steps: [1, "modules"] };
  const edit = appendElement(files, place, importedName(names.identifier, { file: names.file }));
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
    model.modules.map((module) => module.id),
  );
}

function versionProblems(version: number): readonly Diagnostic[] {
  if (Number.isSafeInteger(version) && version > 0) return [];
  const problem = "it must be a whole number from 1";
  const what = "version of a module";
  return [diagnostic("scaffold-name-invalid", {}, { name: String(version), what, problem, hint: "" })];
}

/** Adds the module to `registration.ts` if `client new` has made that file. */
function registerServices(names: ModuleLayout, { files }: ScaffoldSource): readonly Diagnostic[] {
  if (files.text(REGISTRATION_FILE) === undefined) return [];
  const place = { start: { file: REGISTRATION_FILE, call: "registerConnector" }, steps: [0] };
  const services = importedName(names.servicesName, { file: names.servicesFile });
  return byHandOnly([addProperty(files, place, names.identifier, services)]);
}
