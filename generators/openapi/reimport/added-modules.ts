/** The author's modules of what an import adds: new files, and the lines that list them in modules that are there. */
import type { Diagnostic } from "../../../schemas/diagnostics/diagnostic.js";
import { isJsonObject } from "../../../schemas/json.js";
import type { AttributeModel } from "../../../schemas/model/connector-model.js";
import type { GeneratedFile } from "../../generated-file.js";
import {
  type ActionLayout,
  type ConnectionLayout,
  type DataObjectLayout,
  type ModuleLayout,
  projectLayout,
  REGISTRATION_CONFIGURATION,
} from "../../layout.js";
import { registerService } from "../../scaffolds/services-scaffold.js";
import { attributeCode } from "../../schema-modules/connection-module.js";
import {
  addProperty,
  addStatement,
  appendElement,
  type Edit,
  type EditPlace,
  hasProperty,
  importedName,
  locate,
  type NewCode,
  replaceCall,
  type SourceFiles,
} from "../../source-edits/index.js";
import { type Code, type ImportSymbol, layOut } from "../../typescript/code.js";
import { isDecided } from "../inference/plan.js";
import {
  actionCode,
  type ImportSource,
  type ObjectPlace,
  objectPlaces,
  readerCode,
} from "../modules/import-files.js";
import type { ImportLock, LockedObject } from "./import-lock.js";

/** What an import adds. */
export interface AddedModules {
  /** New files of the author's. */
  readonly scaffolds: readonly GeneratedFile[];
  /** What is to be written by hand, because a module is too unusual to be changed. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The modules of what has none yet.
 *
 * @param source What the import makes. @param files All files that a new project would have.
 * @param sources The author's modules: those that list others are changed here.
 */
export function addedModules(
  before: ImportLock,
  source: ImportSource,
  { files, sources }: { readonly files: readonly GeneratedFile[]; readonly sources: SourceFiles },
): AddedModules {
  const old = new Map(before.objects.map((object) => [object.list, object]));
  const paths = new Set<string>();
  const diagnostics = objectPlaces(source).flatMap((place) =>
    addObject(place, { sources, was: old.get(place.object.list.id), paths }),
  );
  return {
    scaffolds: files.filter(({ path }) => paths.has(path)),
    diagnostics: [...diagnostics, ...addSettings(before, source, sources)],
  };
}

/** A property that a connection of the author's lacks. */
interface LackingProperty {
  readonly connection: ConnectionLayout;
  readonly attribute: AttributeModel;
}

/** What calls are sent from the connection, or from the registration configuration, and neither has. */
function lackingProperties({ imported }: ImportSource, sources: SourceFiles): readonly LackingProperty[] {
  const names = new Set(imported.settings.values());
  const ofAll = sources.text(REGISTRATION_CONFIGURATION.file) ?? "";
  return projectLayout(imported.model).connections.flatMap((connection) => {
    const text = sources.text(connection.file);
    if (text === undefined) return [];
    const { spot } = locate(sources, propertiesOf(connection).start, propertiesOf(connection).steps);
    // What is not written as a plain object is only known by its names.
    const has =
      spot?.node.type === "ObjectExpression"
        ? (name: string) => hasProperty(sources, spot, name)
        : (name: string) => isNamedIn(text, name);
    return connection.model.attributes
      .filter(({ name }) => names.has(name) && !has(name) && !isNamedIn(ofAll, name))
      .map((attribute) => ({ connection, attribute }));
  });
}

function isNamedIn(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`).test(text);
}

/** Properties of connections that lists are asked with, and that the author's modules lack: `tenant of the connection Key`. */
export function lackingSettings(source: ImportSource, sources: SourceFiles): readonly string[] {
  return lackingProperties(source, sources).map(
    ({ connection, attribute }) => `${attribute.name} of the connection ${connection.identifier}`,
  );
}

function propertiesOf({ file }: ConnectionLayout): EditPlace {
  return { start: { file, call: "defineConnection" }, steps: [1, "properties"] };
}

/** Adds what connections lack. An address that users enter from now on stands where a fixed one stood: that is said only. */
function addSettings(before: ImportLock, source: ImportSource, sources: SourceFiles): readonly Diagnostic[] {
  const { plan, imported } = source;
  const add = ({ connection, attribute }: LackingProperty) =>
    addProperty(sources, propertiesOf(connection), attribute.name, newCode(attributeCode(attribute)));
  const edits = lackingProperties(source, sources).map(add);
  const [address] = before.connections;
  const wasFixed = isJsonObject(address?.decided) && address.decided["kind"] === "fixed";
  if (!wasFixed || plan.address.value.kind === "fixed") return problemsOf(edits);
  const entered = projectLayout(imported.model).connections.flatMap((connection): readonly Edit[] => {
    const { start, steps } = propertiesOf(connection);
    const attribute = connection.model.attributes.find(({ name }) => name === "baseUrl");
    const { spot } = locate(sources, start, steps);
    if (attribute === undefined || spot === undefined) return [];
    const isEntered = locate(sources, start, [1, "baseUrl", "property"]).spot !== undefined;
    const byProperty = { imports: [], code: () => '{ property: "baseUrl" }' };
    return [
      ...(hasProperty(sources, spot, attribute.name) ? [] : [add({ connection, attribute })]),
      ...(isEntered ? [] : [addProperty(sources, { start, steps: [1] }, "baseUrl", byProperty)]),
    ];
  });
  return problemsOf([...edits, ...entered]);
}

interface AddingPlace {
  readonly sources: SourceFiles;
  readonly was: LockedObject | undefined;
  readonly paths: Set<string>;
}

/** Adds what an object lacks, and gathers the paths of its new files. */
function addObject(place: ObjectPlace, { sources, was, paths }: AddingPlace): readonly Diagnostic[] {
  const { names, module } = place;
  const isNew = was === undefined || was.presence === "offered";
  const problems: Diagnostic[] = [];
  if (isNew) {
    paths.add(names.file).add(names.readerFile);
    problems.push(...listObject(sources, module, names));
  } else if (isUndecided(sources, place)) problems.push(...problemsOf([decideReader(sources, place)]));
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

/** Readers in the author's modules that are undecided, although the lists are decided by now: names of their objects. */
export function undecidedReaders(source: ImportSource, sources: SourceFiles): readonly string[] {
  return objectPlaces(source)
    .filter((place) => isUndecided(sources, place))
    .map(({ object }) => object.name);
}

function isUndecided(sources: SourceFiles, { names, object }: ObjectPlace): boolean {
  const { readerFile } = names;
  // Hundreds of readers need not be parsed.
  if (!isDecided(object) || sources.text(readerFile)?.includes("undecided") !== true) return false;
  return locate(sources, { file: readerFile, call: "undecided" }).spot !== undefined;
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
