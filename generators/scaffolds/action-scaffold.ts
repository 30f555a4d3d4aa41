/** A new action: its definition beside the data object, its handler, and the lines that list both. */
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { DataObjectModel, ModuleModel } from "../../schemas/model/connector-model.js";
import type { PropertyModel } from "../../schemas/model/schema-model.js";
import { isIdentifier } from "../../schemas/naming/identifiers.js";
import { urlPartOf } from "../../schemas/naming/words.js";
import { type ActionLayout, API_CLIENT_FILE, contextNames, type DataObjectLayout } from "../layout.js";
import { render } from "../render.js";
import {
  addStatement,
  appendElement,
  boundNames,
  type Edit,
  importedName,
  locate,
  type SourceFiles,
  type Spot,
} from "../source-edits/index.js";
import { type Code, call, object as codeObject, type Entry, layOut, list } from "../typescript/code.js";
import { propertyKey, stringLiteral } from "../typescript/literals.js";
import { moduleCall, objectCall } from "./author-code.js";
import { registerService } from "./data-object-scaffold.js";
import { actionSentence, classNameProblems, listPath, takenProblems, unknownProblem } from "./names.js";
import {
  apiClient,
  changedFiles,
  mustBeNew,
  namesOfModule,
  namesOfObject,
  plannedAction,
  problemsOf,
  type Scaffold,
  type ScaffoldSource,
  scaffoldFile,
  specifierIn,
  withAction,
} from "./scaffold.js";

/** What a new action is made from. */
export interface NewAction {
  /** The module: `{key}-{version}`. */
  readonly moduleId: string;
  /** Name of the data object's class. */
  readonly objectName: string;
  /** Name of the action, such as `Create`. */
  readonly name: string;
}

export function actionScaffold(wanted: NewAction, source: ScaffoldSource): Scaffold {
  const { model, files } = source;
  const module = model.modules.find(({ id }) => id === wanted.moduleId);
  const object = module?.dataObjects.find((dataObject) => dataObject.name === wanted.objectName);
  const problems = actionProblems(wanted, module, object, source);
  if (module === undefined || object === undefined || problems.length > 0)
    return { files: [], diagnostics: problems };
  const names = namesOfModule(model, withAction(module, object.name, wanted.name));
  const objectNames = namesOfObject(names, object.name);
  const action = plannedAction(objectNames, wanted.name);
  const listed = moduleCall(source, module);
  const defined = objectCall(source, module, object);
  if (listed.spot === undefined) return { files: [], diagnostics: [listed.problem] };
  if (defined.spot === undefined) return { files: [], diagnostics: [defined.problem] };
  const definition = { identifier: action.identifier, name: wanted.name, object };
  const edits = defineAction(files, { module: listed.spot, object: defined.spot }, definition);
  const handler = handlerScaffold(objectNames, action);
  const registered = registerService(files, names, {
    list: "handlers",
    key: action.identifier,
    name: action.handlerName,
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
    const known = module.dataObjects.map(({ name }) => name);
    return [unknownProblem("data object", objectName, known)];
  }
  const invalid = classNameProblems("name of an action", name, `${name}${objectName}`);
  if (invalid.length > 0) return invalid;
  return takenProblems(
    "action",
    name,
    object.actions.map(({ name }) => name),
  );
}

/** The handler of an action. */
export function handlerScaffold(objectNames: DataObjectLayout, action: ActionLayout) {
  const { identifier, handlerName, handlerFile } = action;
  const { name } = action.model;
  const { model: object } = objectNames;
  const shape = actionShape(name, object);
  const recordClass = objectNames.identifier;
  const json = `${recordClass}Json`;
  const isRead = shape.answer === "record";
  const view = {
    sentence: actionSentence(name, object.name),
    handler: handlerName,
    input: shape.usesInput ? "input" : "_input",
    inputType: `${identifier}Input`,
    isTypesOnly: !isRead,
    types: isRead ? `type ${identifier}Input, ${recordClass}, type ${json}` : `${identifier}Input`,
    target: shape.path,
    call: shape.call(isRead ? `<${json}>` : ""),
    isDelete: shape.answer === "key",
    isRead,
    record: shape.keyObject("input", "code"),
    class: recordClass,
    readBack: shape.readBack(`<${json}>`),
    ...outcomeCode(shape, stringLiteral(object.name)),
    client: [
      ...(shape.path.startsWith("path`") ? ["path"] : []),
      ...(isRead ? ["recordAfter"] : []),
      ...["refusalOf", "throwIfRetryable"],
    ].join(", "),
    apiClient: specifierIn(handlerFile, API_CLIENT_FILE),
    context: contextNames.action(action),
    result: contextNames.result(action),
    contexts: specifierIn(handlerFile, objectNames.generatedContextsFile),
    generated: specifierIn(handlerFile, objectNames.generatedFile),
  };
  return scaffoldFile(handlerFile, render("action-handler.ts", view));
}

/** Code of the output, and of the changes of the cache: what the cache takes from the answer is the variable `record`. */
function outcomeCode(
  shape: ActionShape,
  dataObject: string,
): { readonly output: string; readonly changes?: string } {
  switch (shape.answer) {
    case "none":
      return { output: "{}" };
    case "key":
      return { output: "record", changes: `[{ dataObject: ${dataObject}, operation: "delete", record }]` };
    case "record": {
      const changes = `record === null ? [] : [{ dataObject: ${dataObject}, operation: "upsert", record }]`;
      const key = shape.keyObject(shape.isKeyKnown ? "input" : "record", shape.isKeyKnown ? "code" : "json");
      return { output: shape.isKeyKnown ? key : `record === null ? {} : ${key}`, changes };
    }
    default:
      return shape.answer satisfies never;
  }
}

export interface NewDefinition {
  readonly identifier: string;
  /** Name of the action's class. */
  readonly name: string;
  readonly object: DataObjectModel;
}

/** Writes the definition after its data object, and its name into the module's list. */
export function defineAction(
  files: SourceFiles,
  spots: { readonly module: Spot; readonly object: Spot },
  { identifier, name, object }: NewDefinition,
): readonly Edit[] {
  const { file } = spots.object;
  const constant = constantOf(files, spots.object);
  const path = file;
  const line = `write defineAction(${stringLiteral(name)}, { dataObject: ${object.name}, … }) and list it`;
  if (constant === undefined) {
    const reason = `the data object "${object.name}" is not a constant`;
    return [{ problem: diagnostic("edit-by-hand", { file }, { path, reason, line }) }];
  }
  if (boundNames(files, file).has(identifier)) {
    const reason = `"${identifier}" means something else there`;
    return [{ problem: diagnostic("edit-by-hand", { file }, { path, reason, line }) }];
  }
  const place = { start: spots.module, steps: [1, "actions"] };
  const listed = appendElement(files, place, importedName(identifier, { file }));
  const shape = actionShape(name, object);
  const imports = ["defineAction", ...(shape.keys.length > 0 ? ["Type"] : [])];
  const statement = {
    imports: imports.map((name) => ({ name, from: { package: "connectorcli" } })),
    code: (define = "defineAction", type = "Type") => {
      const description = stringLiteral(actionSentence(name, object.name));
      const options = [
        { key: "dataObject", value: constant },
        { key: "description", value: description },
        ...shape.payloads(constant, type),
      ];
      const callee = `export const ${identifier} = ${define}`;
      return `${layOut(call(callee, stringLiteral(name), codeObject(options)))};`;
    },
  };
  const definition = addStatement(files, file, statement, lastAction(files, file, constant));
  return [listed, definition];
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

export interface ActionShape {
  /** The properties of the primary key; empty if the object's schema is not a plain object. */
  readonly keys: readonly PropertyModel[];
  /** What the cache is told after the call: the record, that the key of the input is deleted, or nothing. */
  readonly answer: "record" | "key" | "none";
  /** Whether the input names the record. */
  readonly isKeyKnown: boolean;
  readonly usesInput: boolean;
  /** The payload options of defineAction for the data object `constant`. @param type The local name of `Type`. */
  payloads(constant: string, type: string): readonly Entry[];
  /** Code of the request path: a text, or the tag `path` if values stand in it. */
  readonly path: string;
  /** Code of the request with the API client. @param type The type of the result. */
  call(type: string): string;
  /** Code of the request that reads the record which the action has changed. @param type The type of the result. */
  readBack(type: string): string;
  /** Code of an object with the key's properties, read from the variable `from` by their names in code or in JSON. */
  keyObject(from: string, names: "code" | "json"): string;
}

type Kind = "create" | "update" | "delete" | "other";

export function actionShape(actionName: string, object: DataObjectModel): ActionShape {
  const keys = keysOf(object);
  const kind = kindOf(actionName);
  return {
    keys,
    answer: keys.length === 0 ? "none" : kind === "delete" ? "key" : "record",
    isKeyKnown: kind !== "create",
    usesInput: keys.length > 0,
    payloads: (constant, type) =>
      keys.length === 0 ? [] : payloads(kind, object, `${constant}.schema`, type),
    path: pathCode(kind, keys, { list: listPath(urlPartOf(object.name)), action: urlPartOf(actionName) }),
    call: (type) => callCode(keys.length === 0 ? "none" : kind, type),
    readBack: (type) => readBackCode(kind, recordPath(keys, listPath(urlPartOf(object.name))), type),
    keyObject: (from, names) => keyObject(keys, from, names),
  };
}

function kindOf(actionName: string): Kind {
  if (/^(?:Create|Add|Insert)$/.test(actionName)) return "create";
  if (/^(?:Update|Change|Edit|Modify)$/.test(actionName)) return "update";
  return /^(?:Delete|Remove)$/.test(actionName) ? "delete" : "other";
}

function keysOf({ schema, keys }: DataObjectModel): readonly PropertyModel[] {
  const { root } = schema;
  const primary = keys.find(({ isPrimary }) => isPrimary);
  if (root.kind !== "object" || schema.definitions.length > 0 || primary === undefined) return [];
  const parts = primary.propertyNames.flatMap(
    (name) => root.properties.find((property) => property.jsonName === name && isPart(property)) ?? [],
  );
  return parts.length === primary.propertyNames.length ? parts : [];
}

/** Whether a path can contain the property. Keys of imported connectors may be of other kinds. */
function isPart({ required, schema }: PropertyModel): boolean {
  const isScalar = /^(?:string|integer|number|boolean|enum)$/.test(schema.kind);
  return required && isScalar && !("nullable" in schema && schema.nullable);
}

function payloads(kind: Kind, object: DataObjectModel, schema: string, type: string): readonly Entry[] {
  const keys = keysOf(object).map(({ name }) => name);
  const fixed = [...keys, ...readOnlyOf(object).filter((name) => !keys.includes(name))];
  const key = call(`${type}.Pick`, schema, names(keys));
  const others = call(`${type}.Omit`, schema, names(fixed));
  const input = {
    create: others,
    update: call(`${type}.Composite`, list([key, call(`${type}.Partial`, others)])),
    delete: key,
    other: key,
  };
  // A target system may answer to a create without saying which record it has made.
  const output = kind === "create" ? call(`${type}.Partial`, key) : key;
  return [
    { key: "input", value: input[kind] },
    { key: "output", value: output },
  ];
}

function readOnlyOf({ schema: { root } }: DataObjectModel): readonly string[] {
  if (root.kind !== "object") return [];
  const isReadOnly = ({ schema }: PropertyModel) =>
    "keywords" in schema && schema.keywords.some(({ name, value }) => name === "readOnly" && value === true);
  return root.properties.filter(isReadOnly).map(({ name }) => name);
}

function pathCode(
  kind: Kind,
  keys: readonly PropertyModel[],
  { list, action }: { readonly list: string; readonly action: string },
): string {
  if (kind === "create" && keys.length > 0) return stringLiteral(list);
  if (keys.length === 0) return stringLiteral(`${list}/${action}`);
  return recordPath(keys, list, kind === "other" ? [action] : []);
}

/** Code of the path of the record whose key the input has. */
function recordPath(keys: readonly PropertyModel[], list: string, below: readonly string[] = []): string {
  const values = keys.map(({ name }) => `\${${member("input", name)}}`);
  return `path\`${[list, ...values, ...below].join("/")}\``;
}

function readBackCode(kind: Kind, record: string, type: string): string {
  if (kind === "create")
    return `response.location === undefined ? null : client.get${type}(response.location, { signal })`;
  return `client.get${type}(${kind === "update" ? "target" : record}, { signal })`;
}

function callCode(kind: Kind | "none", type: string): string {
  switch (kind) {
    case "update":
      return `patch${type}(target, input, { signal })`;
    case "delete":
      return "delete(target, { signal })";
    case "none":
      return "post(target, {}, { signal })";
    case "create":
    case "other":
      return `post${type}(target, input, { signal })`;
    default:
      return kind satisfies never;
  }
}

function keyObject(keys: readonly PropertyModel[], from: string, names: "code" | "json"): string {
  const members = keys.map(
    ({ name, jsonName }) => `${propertyKey(jsonName)}: ${member(from, names === "code" ? name : jsonName)}`,
  );
  return `{ ${members.join(", ")} }`;
}

function member(from: string, name: string): string {
  return isIdentifier(name) ? `${from}.${name}` : `${from}[${stringLiteral(name)}]`;
}

function names(all: readonly string[]): Code {
  return list(all.map(stringLiteral));
}
