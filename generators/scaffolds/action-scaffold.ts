/** A new action: its definition beside the data object, its handler, and the lines that list both. */
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { DataObjectModel, ModuleModel } from "../../schemas/model/connector-model.js";
import { applyConvention } from "../../schemas/naming/conventions.js";
import { fileName, isReserved } from "../../schemas/naming/identifiers.js";
import { urlPartOf } from "../../schemas/naming/words.js";
import { render } from "../render.js";
import type { ModuleNames, ObjectNames } from "../schema-modules/project-names.js";
import { stringLiteral } from "../typescript/literals.js";
import { defineAction, type NewDefinition } from "./action-definition.js";
import { actionShape } from "./action-shape.js";
import { generatedSpecifier, objectFolder, registerService, stemOf } from "./data-object-scaffold.js";
import { actionSentence, listPath } from "./english.js";
import { moduleCall, objectCall } from "./listed-parts.js";
import { classNameProblems, takenProblems, unknownProblem } from "./name-checks.js";
import { namesOfModule, namesOfObject, withAction } from "./planned-names.js";
import {
  apiClient,
  changedFiles,
  mustBeNew,
  problemsOf,
  type Scaffold,
  type ScaffoldSource,
  scaffoldFile,
} from "./scaffold.js";

export interface NewAction {
  readonly moduleId: string;
  /** Name of the data object's class. */
  readonly objectName: string;
  readonly name: string;
}

export function actionScaffold(wanted: NewAction, source: ScaffoldSource): Scaffold {
  const { model, files } = source;
  const module = model.modules.find(({ id }) => id === wanted.moduleId);
  const object = module?.dataObjects.find(({ className }) => className === wanted.objectName);
  const problems = actionProblems(wanted, module, object, source);
  if (module === undefined || object === undefined || problems.length > 0)
    return { files: [], diagnostics: problems };
  const names = namesOfModule(model, withAction(module, object.className, wanted.name));
  const objectNames = namesOfObject(names, object.className);
  const identifier = objectNames.actions.at(-1)?.identifier ?? wanted.name;
  const listed = moduleCall(source, module);
  const defined = objectCall(source, module, object);
  if (listed.spot === undefined) return { files: [], diagnostics: [listed.problem] };
  if (defined.spot === undefined) return { files: [], diagnostics: [defined.problem] };
  const definition = { identifier, name: wanted.name, object };
  const edits = defineAction(files, { module: listed.spot, object: defined.spot }, definition);
  const handler = handlerScaffold(names, objectNames, definition);
  const registered = registerService(files, names, {
    list: "handlers",
    key: identifier,
    name: handlerName(identifier),
    file: handler.path,
  });
  return {
    files: [handler, apiClient(), ...changedFiles(files.changes())],
    diagnostics: [...mustBeNew(files, [handler.path]), ...problemsOf(edits), ...registered],
  };
}

function actionProblems(
  { moduleId, objectName, name }: NewAction,
  module: ModuleModel | undefined,
  object: DataObjectModel | undefined,
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
  if (object === undefined) {
    const known = module.dataObjects.map(({ className }) => className);
    return [unknownProblem("data object", objectName, known)];
  }
  const invalid = classNameProblems("name of an action", name, `${name}${objectName}`);
  if (invalid.length > 0) return invalid;
  return takenProblems(
    "action",
    name,
    object.actions.map(({ className }) => className),
  );
}

/** The handler of an action. */
export function handlerScaffold(names: ModuleNames, objectNames: ObjectNames, definition: NewDefinition) {
  const { identifier, name, object } = definition;
  const shape = actionShape(name, object);
  const json = `${objectNames.identifier}Json`;
  const isRead = shape.answer === "record";
  const view = {
    sentence: actionSentence(name, object.className),
    handler: handlerName(identifier),
    input: shape.usesInput ? "input" : "_input",
    inputType: `${identifier}Input`,
    types: [`${identifier}Input`, ...(isRead ? [json] : [])].sort().join(", "),
    target: shape.path,
    call: shape.call(isRead ? `<${json}>` : ""),
    isFailure: isRead ? "!response.isSuccessful || response.result === null" : "!response.isSuccessful",
    hasRecord: shape.answer !== "none",
    record: isRead ? "response.result" : shape.keyObject("input", "code"),
    isRead,
    key: shape.keyObject("record", "json"),
    output: { record: "output", key: "record", none: "{}" }[shape.answer],
    className: stringLiteral(object.className),
    operation: stringLiteral(shape.operation),
    path: stringLiteral(listPath(urlPartOf(object.className))),
    client: '"../../../client/api-client.js"',
    generated: generatedSpecifier(names, objectNames),
  };
  const file = `${fileName(name)}-${stemOf(objectNames)}-handler.ts`;
  return scaffoldFile(`${objectFolder(names, objectNames)}/${file}`, render("action-handler.ts", view));
}

/** The function that it exports. */
export function handlerName(identifier: string): string {
  const name = applyConvention(identifier, "camelCase");
  return isReserved(name) ? `${name}Action` : name;
}
