/** The author's modules of what an import adds: new files, and the lines that list them in modules that are there. */
import type { Diagnostic } from "../../../schemas/diagnostics/diagnostic.js";
import type { EditedFile, GeneratedFile } from "../../generated-file.js";
import type { ActionLayout, DataObjectLayout, ModuleLayout } from "../../layout.js";
import { registerService } from "../../scaffolds/services-scaffold.js";
import {
  addStatement,
  appendElement,
  type Edit,
  importedName,
  type NewCode,
  replaceCall,
  type SourceFiles,
} from "../../source-edits/index.js";
import { type Code, type ImportSymbol, layOut } from "../../typescript/code.js";
import {
  actionCode,
  type ImportSource,
  importFiles,
  type ObjectPlace,
  objectPlaces,
  readerCode,
} from "../modules/import-files.js";
import type { ImportLock, LockedObject } from "./import-lock.js";
import type { ImportState } from "./import-state.js";

/** What an import adds. */
export interface AddedModules {
  /** New files of the author's. */
  readonly scaffolds: readonly GeneratedFile[];
  /** The author's files that list them. */
  readonly edits: readonly EditedFile[];
  /** What is to be written by hand, because a module is too unusual to be changed. */
  readonly diagnostics: readonly Diagnostic[];
}

/** @param source What the import makes. @param sources The author's modules, as they are. */
export function addedModules(
  { lock }: ImportState,
  before: ImportLock,
  { source, sources }: { readonly source: ImportSource; readonly sources: SourceFiles },
): AddedModules {
  const present = new Map(lock.objects.map((object) => [object.name, object]));
  const old = new Map(before.objects.map((object) => [object.list, object]));
  const paths = new Set<string>();
  const diagnostics = objectPlaces(source).flatMap((place) => {
    const object = present.get(place.names.model.name);
    return object === undefined
      ? []
      : addObject(place, { sources, object, was: old.get(object.list), paths });
  });
  const files = paths.size === 0 ? [] : importFiles(source);
  return {
    scaffolds: files.filter(({ path }) => paths.has(path)),
    edits: sources
      .changes()
      .flatMap(({ path, before: read, after }) =>
        read === undefined ? [] : [{ path, content: after, ownership: "edited" as const, read }],
      ),
    diagnostics,
  };
}

/** Adds what an object lacks, and gathers the paths of its new files. */
function addObject(
  place: ObjectPlace,
  {
    sources,
    object,
    was,
    paths,
  }: {
    readonly sources: SourceFiles;
    readonly object: LockedObject;
    readonly was: LockedObject | undefined;
    readonly paths: Set<string>;
  },
): readonly Diagnostic[] {
  const { names, module } = place;
  const isNew = was === undefined || was.presence === "offered";
  const problems: Diagnostic[] = [];
  if (isNew) {
    paths.add(names.file).add(names.readerFile);
    problems.push(...listObject(sources, module, names));
  } else if (object.isDecided && !was.isDecided) problems.push(...problemsOf([decideReader(sources, place)]));
  const had = isNew ? [] : was.actions.filter(({ presence }) => presence !== "offered");
  for (const action of names.actions) {
    if (had.some(({ name }) => name === action.model.name)) continue;
    paths.add(action.handlerFile);
    if (!isNew)
      problems.push(...problemsOf([addStatement(sources, names.file, newCode(actionCode(names, action)))]));
    problems.push(...listAction(sources, module, { names, action }));
  }
  return problems;
}

function listObject(
  sources: SourceFiles,
  module: ModuleLayout,
  { identifier, file, declaredReaderName, readerFile }: DataObjectLayout,
): readonly Diagnostic[] {
  const place = { start: { file: module.file, call: "defineModule" }, steps: [1, "dataObjects"] };
  return [
    ...problemsOf([appendElement(sources, place, importedName(identifier, { file }))]),
    ...registerService(sources, module, {
      list: "readers",
      key: identifier,
      name: declaredReaderName,
      file: readerFile,
    }),
  ];
}

function listAction(
  sources: SourceFiles,
  module: ModuleLayout,
  { names, action }: { readonly names: DataObjectLayout; readonly action: ActionLayout },
): readonly Diagnostic[] {
  const { identifier, declaredHandlerName, handlerFile } = action;
  const place = { start: { file: module.file, call: "defineModule" }, steps: [1, "actions"] };
  return [
    ...problemsOf([appendElement(sources, place, importedName(identifier, { file: names.file }))]),
    ...registerService(sources, module, {
      list: "handlers",
      key: identifier,
      name: declaredHandlerName,
      file: handlerFile,
    }),
  ];
}

/** In place of `undecided("…")`, without the questions above it. */
function decideReader(sources: SourceFiles, place: ObjectPlace): Edit {
  const { readerFile } = place.names;
  const edit = replaceCall(sources, { file: readerFile, call: "undecided" }, newCode(readerCode(place)));
  const text = sources.text(readerFile);
  if (edit.problem === undefined && text !== undefined)
    sources.set(readerFile, text.replace(/^\/\/ \? .*\r?\n/gm, ""));
  return edit;
}

/** Generated code as what is put into a module of the author's. */
function newCode(code: Code): NewCode {
  const symbols = new Map<string, ImportSymbol>();
  const keyOf = ({ name, from }: ImportSymbol) => `${from} ${name}`;
  layOut(code, "", 0, (symbol) => {
    symbols.set(keyOf(symbol), symbol);
    return symbol.name;
  });
  const keys = [...symbols.keys()];
  return {
    imports: [...symbols.values()].map(({ name, from }) => ({
      name,
      from: from.endsWith(".ts") ? { file: from } : { package: from },
    })),
    code: (...names) => layOut(code, "", 0, (symbol) => names[keys.indexOf(keyOf(symbol))] ?? symbol.name),
  };
}

function problemsOf(edits: readonly Edit[]): readonly Diagnostic[] {
  return edits.flatMap(({ problem }) => problem ?? []);
}
