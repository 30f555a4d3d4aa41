/** A new action: its definition beside the data object, its handler, and the lines that list both. */
import { type Diagnostic, diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import type { DataObjectModel, ModuleModel } from "../../schemas/model/connector-model.js";
import type { ActionLayout, ModuleLayout } from "../layout.js";
import {
  addStatement,
  appendElement,
  boundNames,
  calleeName,
  importedName,
  literalAt,
  locate,
  type SourceFiles,
  type Spot,
} from "../source-edits/index.js";
import { call, object as codeObject, layOut } from "../typescript/code.js";
import { stringLiteral } from "../typescript/literals.js";
import { keyProperties, payloadOptions } from "./action-payloads.js";
import { moduleCall, objectCall } from "./author-code.js";
import { declaredHandler, handlerInCode } from "./handler-scaffold.js";
import { actionSentence, classNameProblems, takenProblems, unknownProblem } from "./names.js";
import {
  apiClient,
  boundIn,
  changedFiles,
  mustBeNew,
  namesOfModule,
  namesOfObject,
  plannedAction,
  problemsOf,
  type Scaffold,
  type ScaffoldSource,
  withAction,
} from "./scaffold.js";
import { hasService, type NewService, registerService } from "./services-scaffold.js";

/** What a new action is made from. */
export interface NewAction {
  /** The module: `{key}-{version}`. */
  readonly moduleId: string;
  /** Name of the data object's class. */
  readonly objectName: string;
  /** Name of the action, such as `Create`. */
  readonly name: string;
  /**
   * Whether the handler is code, and no declaration.
   * @default false
   */
  readonly code?: boolean | undefined;
}

/**
 * The definition of an action, its handler, and the lines that list both. An action that is defined and has no handler
 * gets its handler.
 */
export function actionScaffold(wanted: NewAction, source: ScaffoldSource): Scaffold {
  const { model, files } = source;
  const found = objectOf(wanted, source);
  if (found.problems !== undefined) return { files: [], diagnostics: found.problems };
  const { module, object } = found;
  const isDefined = object.actions.some(({ name }) => name === wanted.name);
  const names = namesOfModule(model, isDefined ? module : withAction(module, object.name, wanted.name));
  const objectNames = namesOfObject(names, object.name);
  const action = plannedAction(objectNames, wanted.name);
  const isCode = wanted.code === true;
  const { handlerName, declaredHandlerName } = action;
  const handler = isCode ? handlerInCode(objectNames, action) : declaredHandler(objectNames, action);
  const service = {
    list: "handlers",
    key: action.identifier,
    // A file that is there already is kept.
    name:
      boundIn(files, handler.path, [declaredHandlerName, handlerName]) ??
      (isCode ? handlerName : declaredHandlerName),
    file: handler.path,
  } as const;
  const problems = isDefined
    ? presentProblems(files, names, service, wanted)
    : [...nameProblems(wanted, object), ...defineAction(wanted, { module, object, action }, source)];
  if (hasErrors(problems)) return { files: [], diagnostics: problems };
  const registered = registerService(files, names, service);
  return {
    files: [handler, apiClient(), ...changedFiles(files.changes())],
    diagnostics: [...(isDefined ? [] : mustBeNew(files, [handler.path])), ...registered],
  };
}

/** The definition of an action that no module lists yet, as a change that lists it; undefined if there is none. */
export function unlistedAction(wanted: NewAction, source: ScaffoldSource): Scaffold | undefined {
  const { model, files } = source;
  const { module, object } = objectOf(wanted, source);
  if (module === undefined || object.actions.some(({ name }) => name === wanted.name)) return undefined;
  const names = namesOfModule(model, withAction(module, object.name, wanted.name));
  const { identifier } = plannedAction(namesOfObject(names, object.name), wanted.name);
  const listed = moduleCall(source, module);
  const defined = objectCall(source, module, object);
  if (listed.spot === undefined || defined.spot === undefined) return undefined;
  const { file, node } = defined.spot;
  const { spot } = locate(files, { file, constant: identifier });
  const isIt =
    spot !== undefined &&
    calleeName(files, spot) === "defineAction" &&
    literalAt(files, spot, [0]) === wanted.name &&
    locate(files, spot, [1, "dataObject"]).spot?.node === node;
  if (!isIt) return undefined;
  const place = { start: listed.spot, steps: [1, "actions"] };
  const edit = appendElement(files, place, importedName(identifier, { file }));
  return { files: changedFiles(files.changes()), diagnostics: problemsOf([edit]) };
}

type FoundObject =
  | { readonly module: ModuleModel; readonly object: DataObjectModel; readonly problems?: undefined }
  | {
      readonly module?: undefined;
      readonly object?: undefined;
      readonly problems: readonly Diagnostic[];
    };

function objectOf({ moduleId, objectName }: NewAction, { model }: ScaffoldSource): FoundObject {
  const module = model.modules.find(({ id }) => id === moduleId);
  if (module === undefined) {
    const known = model.modules.map(({ id }) => id);
    return { problems: [unknownProblem("module", moduleId, known)] };
  }
  const object = module.dataObjects.find((dataObject) => dataObject.name === objectName);
  if (object !== undefined) return { module, object };
  const known = module.dataObjects.map(({ name }) => name);
  return { problems: [unknownProblem("data object", objectName, known)] };
}

function nameProblems({ name }: NewAction, object: DataObjectModel): readonly Diagnostic[] {
  const invalid = classNameProblems("name of an action", name, `${name}${object.name}`);
  if (invalid.length > 0) return invalid;
  const others = object.actions.map((action) => action.name);
  return takenProblems("action", name, others);
}

/** An action that has its handler is there already. */
function presentProblems(
  files: SourceFiles,
  names: ModuleLayout,
  service: NewService,
  { name }: NewAction,
): readonly Diagnostic[] {
  return hasService(files, names, service) ? takenProblems("action", name, [name]) : [];
}

interface PlannedAction {
  readonly module: ModuleModel;
  readonly object: DataObjectModel;
  readonly action: ActionLayout;
}

/** Writes the definition after its data object, and its name into the module's list. */
function defineAction(
  { name }: NewAction,
  { module, object, action: { identifier } }: PlannedAction,
  source: ScaffoldSource,
): readonly Diagnostic[] {
  const { files } = source;
  const listed = moduleCall(source, module);
  const defined = objectCall(source, module, object);
  if (listed.spot === undefined) return [listed.problem];
  if (defined.spot === undefined) return [defined.problem];
  const { file } = defined.spot;
  const constant = constantOf(files, defined.spot);
  const path = file;
  const line = `write defineAction(${stringLiteral(name)}, { dataObject: ${object.name}, … }) and list it`;
  if (constant === undefined) {
    const reason = `the data object "${object.name}" is not a constant`;
    return [diagnostic("edit-by-hand", { file }, { path, reason, line })];
  }
  if (boundNames(files, file).has(identifier)) {
    const reason = `"${identifier}" means something else there`;
    return [diagnostic("edit-by-hand", { file }, { path, reason, line })];
  }
  const place = { start: listed.spot, steps: [1, "actions"] };
  const listing = appendElement(files, place, importedName(identifier, { file }));
  const imports = ["defineAction", ...(keyProperties(object).length > 0 ? ["Type"] : [])];
  const statement = {
    imports: imports.map((name) => ({ name, from: { package: "connectorcli" } })),
    code: (define = "defineAction", type = "Type") => {
      const description = stringLiteral(actionSentence(name, object.name));
      const options = [
        { key: "dataObject", value: constant },
        { key: "description", value: description },
        ...payloadOptions(name, object, { constant, type }),
      ];
      const callee = `export const ${identifier} = ${define}`;
      return `${layOut(call(callee, stringLiteral(name), codeObject(options)))};`;
    },
  };
  const definition = addStatement(files, file, statement, lastAction(files, file, constant));
  return problemsOf([listing, definition]);
}

/** The name of the constant whose value is the node at `spot`. */
function constantOf(files: SourceFiles, { file, node }: Spot): string | undefined {
  return [...boundNames(files, file)].find(
    (constant) => locate(files, { file, constant }).spot?.node === node,
  );
}

/** The constant of the object's last action in the file; the object's own constant if it has none. */
function lastAction(files: SourceFiles, file: string, object: string): string {
  const target = locate(files, { file, constant: object }).spot?.node;
  const actions = [...boundNames(files, file)].filter((constant) => {
    const call = locate(files, { file, constant }).spot;
    if (call?.file !== file || call.node.type !== "CallExpression" || call.node === target) return false;
    return locate(files, call, [1, "dataObject"]).spot?.node === target;
  });
  return actions.at(-1) ?? object;
}
