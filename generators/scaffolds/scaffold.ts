/** What a scaffolding command would do to a project, decided before anything is written; and what all of them share. */
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type {
  ActionModel,
  ConnectorModel,
  DataObjectModel,
  ModuleModel,
} from "../../schemas/model/connector-model.js";
import { EMPTY_OBJECT } from "../../schemas/model/schema-model.js";
import { classIdentifier } from "../../schemas/naming/identifiers.js";
import { moduleId, SERVICE_TYPES } from "../../schemas/naming/service-names.js";
import { displayName, urlPartOf } from "../../schemas/naming/words.js";
import type { GeneratedFile } from "../generated-file.js";
import {
  type ActionLayout,
  API_CLIENT_FILE,
  type DataObjectLayout,
  type ModuleLayout,
  projectLayout,
  ROOT_MODULE,
  ROOT_MODULES,
  relativeSpecifier,
} from "../layout.js";
import { render } from "../render.js";
import { boundNames, type Edit, type SourceChange, type SourceFiles } from "../source-edits/index.js";
import { type Code, call, valueSymbol } from "../typescript/code.js";
import { stringLiteral } from "../typescript/literals.js";
import { plannedPayloads } from "./action-payloads.js";

/** The project as it is. */
export interface ScaffoldSource {
  readonly model: ConnectorModel;
  readonly files: SourceFiles;
}

export interface Scaffold {
  /** New files, and edited files of the author. */
  readonly files: readonly GeneratedFile[];
  /** With an error among them nothing is written. Warnings name what is left to do by hand. Paths are relative. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The root module of the project. */
export function rootModule(files: SourceFiles): string {
  return ROOT_MODULES.find((name) => files.text(name) !== undefined) ?? ROOT_MODULE;
}

/** The scaffold of the API client, the same for every command that needs one. */
export function apiClient(): GeneratedFile {
  return scaffoldFile(API_CLIENT_FILE, render("api-client.ts", {}));
}

export function scaffoldFile(path: string, content: string): GeneratedFile {
  return { path, content, ownership: "scaffold" };
}

/** The name in code of what people call `name`, and its title if that does not follow from the name in code; as literals. */
export function namesInCode(name: string): { readonly name: string; readonly title: string | undefined } {
  const identifier = classIdentifier(name);
  const title = displayName(identifier) === name ? undefined : stringLiteral(name);
  return { name: stringLiteral(identifier), title };
}

/** A call of a function of `connectorcli/runtime`, of which declarations are made. */
export function runtimeCall(name: string, ...args: readonly Code[]): Code {
  return call(valueSymbol("connectorcli/runtime", name), ...args);
}

/** How `file` imports `target`, as a string literal. */
export function specifierIn(file: string, target: string): string {
  return stringLiteral(relativeSpecifier(file, target));
}

/** The changed sources as files to write: an author's file is edited in place. */
export function changedFiles(changes: readonly SourceChange[]): readonly GeneratedFile[] {
  return changes.map(({ path, before, after }) =>
    before === undefined
      ? scaffoldFile(path, after)
      : { path, content: after, ownership: "edited", read: before },
  );
}

/** The findings of edits that must succeed: each stops the scaffold. */
export function problemsOf(edits: readonly Edit[]): readonly Diagnostic[] {
  return edits.flatMap(({ problem }) => problem ?? []);
}

/** The findings of edits that may fail: as warnings, which name what the author does by hand. */
export function byHandOnly(edits: readonly Edit[]): readonly Diagnostic[] {
  return problemsOf(edits).map((problem) => ({ ...problem, severity: "warning" }));
}

/** The first of `names` that a file declares or imports; undefined if there is no such file. */
export function boundIn(files: SourceFiles, file: string, names: readonly string[]): string | undefined {
  if (files.text(file) === undefined) return undefined;
  const bound = boundNames(files, file);
  return names.find((name) => bound.has(name));
}

/** The findings that files exist which the command must create. */
export function mustBeNew(files: SourceFiles, paths: readonly string[]): readonly Diagnostic[] {
  return paths
    .filter((path) => files.text(path) !== undefined)
    .map((path) => diagnostic("file-exists", { file: path }, { path }));
}

/** The layout of a module, which need not be in the model yet. */
export function namesOfModule(model: ConnectorModel, module: ModuleModel): ModuleLayout {
  const isThere = model.modules.some(({ id }) => id === module.id);
  const modules = isThere
    ? model.modules.map((other) => (other.id === module.id ? module : other))
    : [...model.modules, module];
  const names = projectLayout({ ...model, modules }).modules.find((layout) => layout.model === module);
  return requirePlanned(names);
}

/** The layout of an action of the object; the last one if several have the name. */
export function plannedAction(names: DataObjectLayout, className: string): ActionLayout {
  return requirePlanned(names.actions.findLast(({ model }) => model.name === className));
}

/** The layout of an object of the module. */
export function namesOfObject(names: ModuleLayout, className: string): DataObjectLayout {
  return requirePlanned(names.objects.find(({ model }) => model.name === className));
}

export function plannedModule({
  title,
  key,
  version,
}: Pick<ModuleModel, "title" | "key" | "version">): ModuleModel {
  const [first, second] = SERVICE_TYPES.map(
    (type) =>
      ({
        kind: "service",
        type,
        name: type,
        configuration: { name: `${type}Configuration`, ...EMPTY_OBJECT },
      }) as const,
  );
  return {
    ...{ kind: "module", id: moduleId(key, version), name: classIdentifier(title), title, key, urlPart: key },
    ...{ version, description: "" },
    services: [requirePlanned(first), requirePlanned(second)],
    dataObjects: [],
  };
}

/** The module with one more object. */
export function withObject(module: ModuleModel, className: string): ModuleModel {
  const urlPart = urlPartOf(className);
  const object: DataObjectModel = {
    ...{ kind: "dataObject", name: className, title: className, urlPart, key: urlPart, description: "" },
    ...{
      dataPath: "",
      createEndpoint: true,
      readerType: "full",
      unknownMembers: "keep",
      schema: EMPTY_OBJECT,
    },
    keys: [],
    actions: [],
  };
  return { ...module, dataObjects: [...module.dataObjects, object] };
}

/** The module with one more action of its object `className`. */
export function withAction(module: ModuleModel, className: string, actionName: string): ModuleModel {
  const urlPart = urlPartOf(actionName);
  const action: Omit<ActionModel, "input" | "output" | "failure"> = {
    ...{ kind: "action", name: actionName, title: actionName, urlPart, key: urlPart, description: "" },
    createRtap: true,
  };
  const dataObjects = module.dataObjects.map((object) =>
    object.name === className
      ? { ...object, actions: [...object.actions, { ...action, ...plannedPayloads(actionName, object) }] }
      : object,
  );
  return { ...module, dataObjects };
}

function requirePlanned<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("What was planned is not in its own plan.");
  return value;
}
