/** The reader of an object: declared, or in code. */
import type { ReaderType } from "../../schemas/model/connector-model.js";
import { urlPartOf } from "../../schemas/naming/words.js";
import type { GeneratedFile } from "../generated-file.js";
import {
  API_CLIENT_FILE,
  contextNames,
  type DataObjectLayout,
  FAKE_FILE,
  type ModuleLayout,
} from "../layout.js";
import { render } from "../render.js";
import type { Sample } from "../samples/read-sample.js";
import { type Code, type Entry, object, ts, valueSymbol } from "../typescript/code.js";
import { propertyKey, stringLiteral } from "../typescript/literals.js";
import { ModulePrinter } from "../typescript/module-printer.js";
import { type PlannedList, readerOf, type VariableSource } from "./list-request.js";
import { listPath, nounOf } from "./names.js";
import { runtimeCall, type ScaffoldSource, scaffoldFile, specifierIn } from "./scaffold.js";

const ITEMS = 'Where the records stand in an answer: "data" is its member data, "$" the answer itself.';
const PAGES = `How the list comes in pages: all at once, until more is known. An answer that tells of more
ends the run before anything is deleted, and the message says what to declare.`;
const SINCE = "The parameter that asks for changes. It holds the time of the last run, by the target system.";
const SINCE_CHANGED =
  "The parameter that asks for changes. It holds the time of the latest change that was read.";
const DELETES = `Add deletedWhen, deleted or full: until one says how deletes are learned, deleted records
stay in the cache.`;

/** What a declared reader is written with. */
export interface DeclaredWith {
  readonly list: PlannedList;
  /** The module that its parents stand in. */
  readonly module: ModuleLayout;
  readonly files: ScaffoldSource["files"];
  readonly sample?: Sample | undefined;
}

/** The declared reader of an object. */
export function declaredReader(
  object_: DataObjectLayout,
  readerType: ReaderType,
  { list: { request, sources }, module, files, sample }: DeclaredWith,
): GeneratedFile {
  const { identifier, readerFile, generatedFile, declaredReaderName } = object_;
  const noun = nounOf(object_.model.name);
  const isFull = readerType === "full";
  const printer = new ModulePrinter(
    readerFile,
    isFull
      ? `Lists every ${noun}. What the list does not have any more is deleted from the cache.`
      : `Lists every ${noun} that has changed since the last run.`,
  );
  printer.declared.add(declaredReaderName);
  const codeOf = (source: VariableSource) => sourceCode(source, module, files);
  const path = request.variables.flatMap((name): readonly Entry[] => {
    const source = sources.get(name);
    return source === undefined ? [] : [{ key: propertyKey(name), value: codeOf(source) }];
  });
  const query = request.query.map(([name, value]) => ({
    key: propertyKey(name),
    value: stringLiteral(value),
  }));
  const entries: readonly Entry[] = [
    { key: "list", value: stringLiteral(request.list) },
    ...(path.length === 0 ? [] : [{ key: "path", value: object(path) }]),
    ...(query.length === 0 ? [] : [{ key: "query", value: object(query) }]),
    { key: "items", value: stringLiteral(sample?.items ?? "$"), comment: sample?.itemsReason ?? ITEMS },
    { key: "pages", value: object([{ key: "kind", value: stringLiteral("one") }]), comment: PAGES },
    ...(isFull ? [] : [sinceEntry(sample?.changed)]),
  ];
  const define = runtimeCall("defineReader", valueSymbol(generatedFile, identifier), object(entries));
  printer.print(ts`export const ${declaredReaderName} = ${define};`);
  return printer.scaffoldFile();
}

function sinceEntry(changed: string | undefined): Entry {
  const property = changed === undefined ? [] : [{ key: "property", value: stringLiteral(changed) }];
  return {
    key: "since",
    value: object([...property, { key: "send", value: stringLiteral("modifiedSince") }]),
    comment: `${changed === undefined ? SINCE : SINCE_CHANGED}\n${DELETES}`,
  };
}

/** The code of a variable's value. A parent is read by its own reader. */
function sourceCode(source: VariableSource, { objects }: ModuleLayout, files: ScaffoldSource["files"]): Code {
  if (source.kind === "setting") return runtimeCall("setting", stringLiteral(source.name));
  const parent = objects.find(({ model }) => model.name === source.object);
  const reader = parent && readerOf(parent, files);
  if (parent === undefined || reader === undefined) throw new Error(`No reader reads ${source.object}.`);
  return runtimeCall("from", valueSymbol(parent.readerFile, reader), stringLiteral(source.property));
}

/** How a fake target system answers the list that `readerInCode` asks for; a file that is there stays as it is. */
export function fakeOfReader(object_: DataObjectLayout, readerType: ReaderType): GeneratedFile {
  const { name } = object_.model;
  const view = {
    key: propertyKey(name),
    name: stringLiteral(name),
    list: stringLiteral(`GET /${listPath(urlPartOf(name))}`),
    isIncremental: readerType === "incremental",
  };
  return scaffoldFile(FAKE_FILE, render("fake.ts", view));
}

/** The reader of an object in code, which asks for numbered pages. */
export function readerInCode(object_: DataObjectLayout, readerType: ReaderType): GeneratedFile {
  const view = {
    noun: nounOf(object_.model.name),
    reader: object_.readerName,
    json: `${object_.identifier}Json`,
    path: stringLiteral(listPath(urlPartOf(object_.model.name))),
    context: contextNames.reader(object_),
    contexts: specifierIn(object_.readerFile, object_.generatedContextsFile),
    client: specifierIn(object_.readerFile, API_CLIENT_FILE),
    generated: specifierIn(object_.readerFile, object_.generatedFile),
  };
  return scaffoldFile(object_.readerFile, render(`${readerType}-reader.ts`, view));
}
