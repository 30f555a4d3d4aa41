/** A new data object: its schema module, its reader, and the lines that list both. */
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ModuleModel, ReaderType } from "../../schemas/model/connector-model.js";
import { upperFirst, urlPartOf } from "../../schemas/naming/words.js";
import { API_CLIENT_FILE, contextNames, type DataObjectLayout, type ModuleLayout } from "../layout.js";
import { render } from "../render.js";
import { addProperty, appendElement, importedName, type SourceFiles } from "../source-edits/index.js";
import { stringLiteral } from "../typescript/literals.js";
import { moduleCall } from "./author-code.js";
import { servicesScaffold } from "./module-scaffold.js";
import { classNameProblems, listPath, nounOf, takenProblems, unknownProblem, withArticle } from "./names.js";
import {
  apiClient,
  byHandOnly,
  changedFiles,
  mustBeNew,
  namesOfModule,
  namesOfObject,
  problemsOf,
  type Scaffold,
  type ScaffoldSource,
  scaffoldFile,
  specifierIn,
  withObject,
} from "./scaffold.js";

/** What a new data object is made from. */
export interface NewDataObject {
  /** The module: `{key}-{version}`. */
  readonly moduleId: string;
  /** Name of its class. */
  readonly name: string;
  /** Which reader is written: one that reads everything, or one that reads what changed. */
  readonly readerType: ReaderType;
}

export function dataObjectScaffold(wanted: NewDataObject, source: ScaffoldSource): Scaffold {
  const { model, files } = source;
  const module = model.modules.find(({ id }) => id === wanted.moduleId);
  const problems = objectProblems(wanted, module, source);
  if (module === undefined || problems.length > 0) return { files: [], diagnostics: problems };
  const names = namesOfModule(model, withObject(module, wanted.name));
  const object = namesOfObject(names, wanted.name);
  const start = moduleCall(source, module);
  if (start.spot === undefined) return { files: [], diagnostics: [start.problem] };
  const place = { start: start.spot, steps: [1, "dataObjects"] };
  const edit = appendElement(files, place, importedName(object.identifier, { file: object.file }));
  const reader = readerScaffold(object, wanted.readerType);
  const registered = registerService(files, names, {
    list: "readers",
    key: object.identifier,
    name: object.readerName,
    file: reader.path,
  });
  return {
    files: [
      scaffoldFile(object.file, schemaModule(object, wanted)),
      reader,
      apiClient(),
      ...changedFiles(files.changes()),
    ],
    diagnostics: [...mustBeNew(files, [object.file, reader.path]), ...problemsOf([edit]), ...registered],
  };
}

export interface NewService {
  readonly list: "readers" | "handlers";
  readonly key: string;
  readonly name: string;
  readonly file: string;
}

/** Adds a reader or handler to its module's services, and makes the services if they are missing. */
export function registerService(
  files: SourceFiles,
  names: ModuleLayout,
  service: NewService,
): readonly Diagnostic[] {
  const file = names.servicesFile;
  if (files.text(file) === undefined) files.set(file, servicesScaffold(names).content);
  const place = { start: { file, constant: names.servicesName }, steps: [service.list] };
  return byHandOnly([
    addProperty(files, place, service.key, importedName(service.name, { file: service.file })),
  ]);
}

function objectProblems(
  { moduleId, name }: NewDataObject,
  module: ModuleModel | undefined,
  { model }: ScaffoldSource,
): readonly Diagnostic[] {
  if (module === undefined)
    return [
      unknownProblem(
        "module",
        moduleId,
        model.modules.map(({ id }) => id),
      ),
    ];
  const invalid = classNameProblems("name of a data object", name);
  if (invalid.length > 0) return invalid;
  return takenProblems(
    "data object",
    name,
    module.dataObjects.map(({ name }) => name),
  );
}

function schemaModule(object: DataObjectLayout, { name, readerType }: NewDataObject): string {
  const noun = nounOf(name);
  return render("data-object.ts", {
    identifier: object.identifier,
    className: stringLiteral(name),
    description: stringLiteral(`${upperFirst(withArticle(noun))} of the target system.`),
    idDescription: stringLiteral(`Identifier of the ${noun} in the target system.`),
    nameDescription: stringLiteral(`What the ${noun} is called.`),
    isIncremental: readerType === "incremental",
  });
}

/** The reader of an object. */
export function readerScaffold(object: DataObjectLayout, readerType: ReaderType) {
  const view = {
    noun: nounOf(object.model.name),
    reader: object.readerName,
    json: `${object.identifier}Json`,
    path: stringLiteral(listPath(urlPartOf(object.model.name))),
    context: contextNames.reader(object),
    contexts: specifierIn(object.readerFile, object.generatedContextsFile),
    client: specifierIn(object.readerFile, API_CLIENT_FILE),
    generated: specifierIn(object.readerFile, object.generatedFile),
  };
  return scaffoldFile(object.readerFile, render(`${readerType}-reader.ts`, view));
}
