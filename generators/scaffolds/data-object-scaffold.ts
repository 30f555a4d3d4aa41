/** A new data object: its schema module, its reader, and the lines that list both. */
import { type Diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import type { DataObjectModel, ModuleModel, ReaderType } from "../../schemas/model/connector-model.js";
import { upperFirst } from "../../schemas/naming/words.js";
import type { DataObjectLayout, ModuleLayout } from "../layout.js";
import { render } from "../render.js";
import { appendElement, calleeName, importedName, literalAt, locate } from "../source-edits/index.js";
import { stringLiteral } from "../typescript/literals.js";
import { moduleCall } from "./author-code.js";
import { type OpenVariable, openProblem, plannedList, type WantedList } from "./list-request.js";
import { classNameProblems, nounOf, takenProblems, unknownProblem, withArticle } from "./names.js";
import { declaredReader, readerInCode } from "./reader-scaffold.js";
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
  withObject,
} from "./scaffold.js";
import { hasService, registerService } from "./services-scaffold.js";

/** What a new data object is made from. */
export interface NewDataObject extends WantedList {
  /** The module: `{key}-{version}`. */
  readonly moduleId: string;
  /** Name of its class. */
  readonly name: string;
  /** Which reader is written: one that reads everything, or one that reads what changed. */
  readonly readerType: ReaderType;
  /**
   * Whether the reader is code, which reads numbered pages, and no declaration.
   * @default false
   */
  readonly code?: boolean | undefined;
}

/**
 * The schema module of a data object, its reader, and the lines that list both. An object that is defined and has no
 * reader gets its reader.
 */
export function dataObjectScaffold(wanted: NewDataObject, source: ScaffoldSource): Scaffold {
  const { files } = source;
  const place = placeOf(wanted, source);
  if (place === undefined) return { files: [], diagnostics: [unknownModule(wanted, source)] };
  const { module, names, object, defined } = place;
  const readerType = defined?.readerType ?? wanted.readerType;
  const list = plannedList(wanted.name, wanted, names, source);
  const code = wanted.code === true;
  const service = {
    list: "readers",
    key: object.identifier,
    name: code ? object.readerName : object.declaredReaderName,
    file: object.readerFile,
  } as const;
  const problems = [
    ...(defined === undefined
      ? [...nameProblems(wanted, module), ...listObject(module, object, source)]
      : hasService(files, names, service)
        ? takenProblems("data object", wanted.name, [wanted.name])
        : []),
    ...list.diagnostics,
    ...list.open.map((variable) => openProblem(variable, list.request.list)),
  ];
  if (hasErrors(problems)) return { files: [], diagnostics: problems };
  const isNew = defined === undefined;
  const reader = code
    ? readerInCode(object, readerType)
    : declaredReader(object, readerType, { list, module: names, files });
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

/** The variables of the wanted list that the caller has to choose a value for. */
export function openVariables(wanted: NewDataObject, source: ScaffoldSource): readonly OpenVariable[] {
  const place = placeOf(wanted, source);
  return place === undefined ? [] : plannedList(wanted.name, wanted, place.names, source).open;
}

interface ObjectPlace {
  readonly module: ModuleModel;
  /** The module with the object. */
  readonly names: ModuleLayout;
  readonly object: DataObjectLayout;
  /** The object, if it is in the model already. */
  readonly defined: DataObjectModel | undefined;
}

/** Where the object stands or will stand; undefined if its module is not there. */
function placeOf({ moduleId, name }: NewDataObject, { model }: ScaffoldSource): ObjectPlace | undefined {
  const module = model.modules.find(({ id }) => id === moduleId);
  if (module === undefined) return undefined;
  const defined = module.dataObjects.find((object) => object.name === name);
  const names = namesOfModule(model, defined === undefined ? withObject(module, name) : module);
  return { module, names, object: namesOfObject(names, name), defined };
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
