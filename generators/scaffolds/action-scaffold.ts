/** A new action: its definition beside the data object, its handler, and the lines that list both. */
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { DataObjectModel, ModuleModel } from "../../schemas/model/connector-model.js";
import { fileName, isReserved } from "../../schemas/naming/identifiers.js";
import { lowerFirst, urlPartOf } from "../../schemas/naming/words.js";
import { render } from "../render.js";
import type { ModuleNames, ObjectNames } from "../schema-modules/project-names.js";
import {
  addStatement,
  appendElement,
  boundNames,
  type Edit,
  imported,
  locate,
  type SourceFiles,
  type Spot,
} from "../source-edits/index.js";
import { stringLiteral } from "../typescript/literals.js";
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
  const problem = listed.problem ?? defined.problem;
  if (problem !== undefined) return { files: [], diagnostics: [problem] };
  const definition = { identifier, wanted, object };
  const edits = edit(files, { module: listed.spot, object: defined.spot }, definition);
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

interface Definition {
  readonly identifier: string;
  readonly wanted: NewAction;
  readonly object: DataObjectModel;
}

/** The definition behind its data object, and its name in the module's list. */
function edit(
  files: SourceFiles,
  spots: { readonly module: Spot; readonly object: Spot },
  { identifier, wanted, object }: Definition,
): readonly Edit[] {
  const { file } = spots.object;
  const constant = constantOf(files, spots.object);
  const path = file;
  const line = `write defineAction(${object.className}, ${stringLiteral(wanted.name)}, …) and list it`;
  if (constant === undefined) {
    const reason = `the data object "${object.className}" is not a constant`;
    return [{ problem: diagnostic("edit-by-hand", { file }, { path, reason, line }) }];
  }
  if (boundNames(files, file).has(identifier)) {
    const reason = `"${identifier}" means something else there`;
    return [{ problem: diagnostic("edit-by-hand", { file }, { path, reason, line }) }];
  }
  const place = { start: spots.module, steps: [0, "actions"] };
  const listed = appendElement(files, place, imported(identifier, { file }));
  const shape = actionShape(wanted.name, object);
  const options = [
    `description: ${stringLiteral(actionSentence(wanted.name, object.className))}`,
    ...shape.payloads(constant).map(([name, code]) => `${name}: ${code}`),
  ];
  const definition = addStatement(
    files,
    file,
    {
      imports: ["defineAction", ...(shape.keys.length > 0 ? ["Type"] : [])].map((name) => ({
        name,
        from: { package: "connectorcli" },
      })),
      code: (define = "defineAction", type = "Type") =>
        `export const ${identifier} = ${define}(${constant}, ${stringLiteral(wanted.name)}, {\n${options
          .map((option) => `  ${option.replace(/\bType\./g, `${type}.`)},\n`)
          .join("")}});`,
    },
    lastAction(files, file, constant),
  );
  return [listed, definition];
}

/** The name of the constant that was set to what stands at `spot`. */
function constantOf(files: SourceFiles, { file, node }: Spot): string | undefined {
  return [...boundNames(files, file)].find(
    (constant) => locate(files, { file, constant }).spot?.node === node,
  );
}

/** The constant of the object's last action in the file, else that of the object. */
function lastAction(files: SourceFiles, file: string, object: string): string {
  const target = locate(files, { file, constant: object }).spot?.node;
  const actions = [...boundNames(files, file)].filter((constant) => {
    const call = locate(files, { file, constant }).spot;
    if (call?.file !== file || call.node.type !== "CallExpression" || call.node === target) return false;
    return locate(files, call, [0]).spot?.node === target;
  });
  return actions.at(-1) ?? object;
}

function handlerScaffold(names: ModuleNames, objectNames: ObjectNames, definition: Definition) {
  const { identifier, wanted, object } = definition;
  const shape = actionShape(wanted.name, object);
  const json = `${objectNames.identifier}Json`;
  const isRead = shape.answer === "record";
  const view = {
    sentence: actionSentence(wanted.name, object.className),
    handler: handlerName(identifier),
    input: shape.usesInput ? "input" : "_input",
    inputType: `${identifier}Input`,
    types: [`${identifier}Input`, ...(isRead ? [json] : [])].join(", "),
    call: shape.call(isRead ? `<${json}>` : ""),
    isFailure: isRead ? "!response.isSuccessful || response.result === null" : "!response.isSuccessful",
    hasRecord: shape.answer !== "none",
    record: isRead ? "response.result" : shape.keyObject("input", "code"),
    output: isRead ? shape.keyObject("record", "json") : shape.answer === "none" ? "{}" : "record",
    className: stringLiteral(object.className),
    operation: stringLiteral(shape.operation),
    path: stringLiteral(listPath(urlPartOf(object.className))),
    client: '"../../../client/api-client.js"',
    generated: generatedSpecifier(names, objectNames),
  };
  const file = `${fileName(wanted.name)}-${stemOf(objectNames)}-handler.ts`;
  return scaffoldFile(`${objectFolder(names, objectNames)}/${file}`, render("action-handler.ts", view));
}

function handlerName(identifier: string): string {
  const name = lowerFirst(identifier);
  return isReserved(name) ? `${name}Action` : name;
}
