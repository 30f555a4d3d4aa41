/** A new data object: its schema module, its reader, and the lines that list both. */
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ModuleModel, ReaderType } from "../../schemas/model/connector-model.js";
import { upperFirst, urlPartOf } from "../../schemas/naming/words.js";
import { render } from "../render.js";
import type { ModuleNames, ObjectNames } from "../schema-modules/project-names.js";
import { addProperty, appendElement, imported, type SourceFiles } from "../source-edits/index.js";
import { stringLiteral } from "../typescript/literals.js";
import { listPath, nounOf, withArticle } from "./english.js";
import { moduleCall } from "./listed-parts.js";
import { folderOf, servicesFile, servicesName, servicesScaffold } from "./module-scaffold.js";
import { classNameProblems, takenProblems, unknownProblem } from "./name-checks.js";
import { namesOfModule, namesOfObject, withObject } from "./planned-names.js";
import {
  apiClient,
  byHandOnly,
  changedFiles,
  mustBeNew,
  problemsOf,
  type Scaffold,
  type ScaffoldSource,
  scaffoldFile,
} from "./scaffold.js";

export interface NewDataObject {
  readonly moduleId: string;
  /** Name of its class. */
  readonly name: string;
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
  const place = { start: start.spot, steps: [0, "dataObjects"] };
  const edit = appendElement(files, place, imported(object.identifier, { file: object.file }));
  const reader = readerScaffold(names, object, wanted.readerType);
  const registered = registerService(files, names, {
    list: "readers",
    key: object.identifier,
    name: readerName(object),
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

/** `modules/app/employee`: the folder of an object's reader and handlers. */
export function objectFolder(names: ModuleNames, object: ObjectNames): string {
  return `modules/${folderOf(names)}/${stemOf(object)}`;
}

/** `employee`: the name of an object's files. */
export function stemOf(object: ObjectNames): string {
  return object.file.split("/").at(-1)?.replace(/\.ts$/, "") ?? "";
}

/** The module that an object's classes are generated into, as its reader and handlers import it. */
export function generatedSpecifier(names: ModuleNames, object: ObjectNames): string {
  return stringLiteral(`../../../generated/${folderOf(names)}/${stemOf(object)}.js`);
}

export interface NewService {
  readonly list: "readers" | "handlers";
  readonly key: string;
  readonly name: string;
  readonly file: string;
}

/** The line of a reader or handler in its module's services, which are made where they are missing. */
export function registerService(
  files: SourceFiles,
  names: ModuleNames,
  service: NewService,
): readonly Diagnostic[] {
  const file = servicesFile(names);
  if (files.text(file) === undefined) files.set(file, servicesScaffold(names).content);
  const place = { start: { file, constant: servicesName(names) }, steps: [service.list] };
  return byHandOnly([addProperty(files, place, service.key, imported(service.name, { file: service.file }))]);
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
    module.dataObjects.map(({ className }) => className),
  );
}

function schemaModule(object: ObjectNames, { name, readerType }: NewDataObject): string {
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
export function readerScaffold(names: ModuleNames, object: ObjectNames, readerType: ReaderType) {
  const view = {
    noun: nounOf(object.model.className),
    reader: readerName(object),
    json: `${object.identifier}Json`,
    path: stringLiteral(listPath(urlPartOf(object.model.className))),
    client: '"../../../client/api-client.js"',
    generated: generatedSpecifier(names, object),
  };
  const path = `${objectFolder(names, object)}/${stemOf(object)}-reader.ts`;
  return scaffoldFile(path, render(`${readerType}-reader.ts`, view));
}

/** The function that it exports. */
export function readerName({ identifier }: ObjectNames): string {
  return `read${identifier}`;
}
