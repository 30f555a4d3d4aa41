/** Finds where the author's code defines a module or a data object of the model: by its place in the list, or by its name. */
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { DataObjectModel, ModuleModel } from "../../schemas/model/connector-model.js";
import { itemsOf, literalAt, locate, type Spot, type Start } from "../source-edits/index.js";
import { rootModule, type ScaffoldSource } from "./scaffold.js";

export type FoundPart =
  | { readonly spot: Spot; readonly problem?: undefined }
  | { readonly spot?: undefined; readonly problem: Diagnostic };

/** The call of defineModule that defines `module`. */
export function moduleCall(source: ScaffoldSource, module: ModuleModel): FoundPart {
  const { model, files } = source;
  const start = { file: rootModule(files), call: "defineConnector" };
  const list: List = { start, name: "modules", count: model.modules.length };
  return findPart(source, list, {
    index: model.modules.findIndex(({ id }) => id === module.id),
    isIt: (spot) =>
      literalAt(files, spot, [1, "key"]) === module.key &&
      literalAt(files, spot, [1, "version"]) === module.version,
    what: `the module "${module.id}"`,
    line: "list what is new where defineModule is called for it",
  });
}

/** The call of defineDataObject that defines `object`. */
export function objectCall(source: ScaffoldSource, module: ModuleModel, object: DataObjectModel): FoundPart {
  const call = moduleCall(source, module);
  if (call.spot === undefined) return call;
  const { name } = object;
  const list: List = { start: call.spot, name: "dataObjects", count: module.dataObjects.length };
  return findPart(source, list, {
    index: module.dataObjects.indexOf(object),
    isIt: (spot) => literalAt(source.files, spot, [0]) === name,
    what: `the data object "${name}"`,
    line: `write defineAction(…, { dataObject: ${name}, … }) beside it, and list it under actions of its module`,
  });
}

interface List {
  readonly start: Start;
  readonly name: string;
  /** How many items the model has there. */
  readonly count: number;
}

interface Part {
  readonly index: number;
  readonly isIt: (spot: Spot) => boolean;
  /** Its name in messages. */
  readonly what: string;
  readonly line: string;
}

function findPart({ files }: ScaffoldSource, list: List, { index, isIt, what, line }: Part): FoundPart {
  const found = locate(files, list.start, [1, list.name]);
  if (found.spot === undefined) {
    const { file, reason } = found;
    return { problem: diagnostic("edit-by-hand", { file }, { path: file, reason, line }) };
  }
  const items = itemsOf(files, found.spot);
  const calls = items.filter(({ node }) => node.type === "CallExpression");
  const isWhole = items.length === list.count && calls.length === items.length;
  const spot = isWhole ? items[index] : calls.find(isIt);
  if (spot !== undefined) return { spot };
  const { file } = found.spot;
  const reason = `"${list.name}" does not name ${what} as a constant that can be followed`;
  return { problem: diagnostic("edit-by-hand", { file }, { path: file, reason, line }) };
}
