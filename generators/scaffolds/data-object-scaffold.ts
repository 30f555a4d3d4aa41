/** A new data object: its schema module, its reader, and the lines that list both. */
import { type Diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import type { ModuleModel, ReaderType } from "../../schemas/model/connector-model.js";
import { upperFirst, urlPartOf } from "../../schemas/naming/words.js";
import { API_CLIENT_FILE, contextNames, type DataObjectLayout } from "../layout.js";
import { render } from "../render.js";
import { appendElement, calleeName, importedName, literalAt, locate } from "../source-edits/index.js";
import { stringLiteral } from "../typescript/literals.js";
import { moduleCall } from "./author-code.js";
import { classNameProblems, listPath, nounOf, takenProblems, unknownProblem, withArticle } from "./names.js";
import {
  apiClient,
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
import { hasService, registerService } from "./services-scaffold.js";

/** What a new data object is made from. */
export interface NewDataObject {
  /** The module: `{key}-{version}`. */
  readonly moduleId: string;
  /** Name of its class. */
  readonly name: string;
  /** Which reader is written: one that reads everything, or one that reads what changed. */
  readonly readerType: ReaderType;
}

/**
 * The schema module of a data object, its reader, and the lines that list both. An object that is defined and has no
 * reader gets its reader.
 */
export function dataObjectScaffold(wanted: NewDataObject, source: ScaffoldSource): Scaffold {
  const { model, files } = source;
  const module = model.modules.find(({ id }) => id === wanted.moduleId);
  if (module === undefined) return { files: [], diagnostics: [unknownModule(wanted, source)] };
  const defined = module.dataObjects.find(({ name }) => name === wanted.name);
  const names = namesOfModule(model, defined === undefined ? withObject(module, wanted.name) : module);
  const object = namesOfObject(names, wanted.name);
  const reader = readerScaffold(object, defined?.readerType ?? wanted.readerType);
  const service = {
    list: "readers",
    key: object.identifier,
    name: object.readerName,
    file: reader.path,
  } as const;
  const problems =
    defined === undefined
      ? [...nameProblems(wanted, module), ...listObject(module, object, source)]
      : hasService(files, names, service)
        ? takenProblems("data object", wanted.name, [wanted.name])
        : [];
  if (hasErrors(problems)) return { files: [], diagnostics: problems };
  const isNew = defined === undefined;
  const registered = registerService(files, names, service);
  return {
    files: [
      ...(isNew ? [scaffoldFile(object.file, schemaModule(object, wanted))] : []),
      reader,
      apiClient(),
      ...changedFiles(files.changes()),
    ],
    diagnostics: [...(isNew ? mustBeNew(files, [object.file, reader.path]) : []), ...registered],
  };
}

/** The definition of a data object that no module lists yet, as a change that lists it; undefined if there is none. */
export function unlistedObject(wanted: NewDataObject, source: ScaffoldSource): Scaffold | undefined {
  const { model, files } = source;
  const module = model.modules.find(({ id }) => id === wanted.moduleId);
  if (module === undefined || module.dataObjects.some(({ name }) => name === wanted.name)) return undefined;
  const object = namesOfObject(namesOfModule(model, withObject(module, wanted.name)), wanted.name);
  const { spot } = locate(files, { file: object.file, constant: object.identifier });
  const isIt =
    spot !== undefined &&
    calleeName(files, spot) === "defineDataObject" &&
    literalAt(files, spot, [0]) === wanted.name;
  if (!isIt) return undefined;
  const problems = listObject(module, object, source);
  return { files: changedFiles(files.changes()), diagnostics: problems };
}

/** Lists the object in its module. Returns the findings. */
function listObject(
  module: ModuleModel,
  object: DataObjectLayout,
  source: ScaffoldSource,
): readonly Diagnostic[] {
  const start = moduleCall(source, module);
  if (start.spot === undefined) return [start.problem];
  const place = { start: start.spot, steps: [1, "dataObjects"] };
  const name = importedName(object.identifier, { file: object.file });
  return problemsOf([appendElement(source.files, place, name)]);
}

function unknownModule({ moduleId }: NewDataObject, { model }: ScaffoldSource): Diagnostic {
  const known = model.modules.map(({ id }) => id);
  return unknownProblem("module", moduleId, known);
}

function nameProblems({ name }: NewDataObject, { dataObjects }: ModuleModel): readonly Diagnostic[] {
  const invalid = classNameProblems("name of a data object", name);
  if (invalid.length > 0) return invalid;
  const others = dataObjects.map((object) => object.name);
  return takenProblems("data object", name, others);
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
