/** A new data object: its schema module, its reader, and the lines that list both. */
import { type Diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import type { DataObjectModel, ModuleModel, ReaderType } from "../../schemas/model/connector-model.js";
import { upperFirst } from "../../schemas/naming/words.js";
import type { GeneratedFile } from "../generated-file.js";
import type { DataObjectLayout, ModuleLayout } from "../layout.js";
import { render } from "../render.js";
import { readSample, type Sample, type SampleResult, type SampleText } from "../samples/read-sample.js";
import { sampledModule } from "../samples/sampled-module.js";
import { appendElement, calleeName, importedName, literalAt, locate } from "../source-edits/index.js";
import { stringLiteral } from "../typescript/literals.js";
import { moduleCall } from "./author-code.js";
import { type OpenVariable, openProblem, plannedList, readerOf, type WantedList } from "./list-request.js";
import { classNameProblems, listPath, nounOf, takenProblems, unknownProblem, withArticle } from "./names.js";
import { declaredReader, fakeOfReader, readerInCode } from "./reader-scaffold.js";
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
  /**
   * An answer of the target system, from which the schema and the key are made, and where the records stand.
   * @default none: the schema has an id and a name
   */
  readonly from?: SampleText | undefined;
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
    name: readerOf(object, files) ?? (code ? object.readerName : object.declaredReaderName),
    file: object.readerFile,
  } as const;
  const { sample, diagnostics: sampleProblems } = sampleOf(wanted);
  const problems = [
    ...(defined === undefined
      ? [...nameProblems(wanted, module), ...listObject(module, object, source)]
      : hasService(files, names, service) || sample !== undefined
        ? takenProblems("data object", wanted.name, [wanted.name])
        : []),
    ...sampleProblems,
    ...list.diagnostics,
    ...list.open.map((variable) => openProblem(variable, list.request.list)),
  ];
  if (hasErrors(problems)) return { files: [], diagnostics: problems };
  const isNew = defined === undefined;
  const reader = code
    ? readerInCode(object, readerType)
    : declaredReader(object, readerType, { list, module: names, files, sample });
  const registered = registerService(files, names, service);
  return {
    files: [
      ...(isNew ? [schemaModule(object, names, { ...wanted, sample })] : []),
      reader,
      ...(code ? [fakeOfReader(object, readerType)] : []),
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

/** What the sample tells; nothing if there is none. */
function sampleOf({ from, name }: NewDataObject): SampleResult {
  const noun = nounOf(name);
  return from === undefined ? { diagnostics: [] } : readSample(from, [noun, listPath(noun), name]);
}

/** The schema module of a new object: of a sample, or with a property or two to begin with. */
function schemaModule(
  object: DataObjectLayout,
  names: ModuleLayout,
  { name, readerType, sample }: NewDataObject & { readonly sample: Sample | undefined },
): GeneratedFile {
  const noun = nounOf(name);
  const description = `${upperFirst(withArticle(noun))} of the target system.`;
  const idDescription = `Identifier of the ${noun} in the target system.`;
  if (sample !== undefined)
    return sampledModule(object, names, sample, { readerType, description, keyDescription: idDescription });
  const view = {
    identifier: object.identifier,
    className: stringLiteral(name),
    description: stringLiteral(description),
    idDescription: stringLiteral(idDescription),
    nameDescription: stringLiteral(`What the ${noun} is called.`),
    isIncremental: readerType === "incremental",
  };
  return scaffoldFile(object.file, render("data-object.ts", view));
}
