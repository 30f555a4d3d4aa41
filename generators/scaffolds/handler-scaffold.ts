/**
 * The handler of an action, declared or in code, as far as the names and the payloads of the action tell what the target
 * system wants.
 */
import type { ActionModel, DataObjectModel } from "../../schemas/model/connector-model.js";
import type { PropertyModel } from "../../schemas/model/schema-model.js";
import { isIdentifier } from "../../schemas/naming/identifiers.js";
import { urlPartOf } from "../../schemas/naming/words.js";
import type { GeneratedFile } from "../generated-file.js";
import { type ActionLayout, API_CLIENT_FILE, contextNames, type DataObjectLayout } from "../layout.js";
import { render } from "../render.js";
import { type Code, object as codeObject, type Entry, list, ts, valueSymbol } from "../typescript/code.js";
import { propertyKey, stringLiteral } from "../typescript/literals.js";
import { ModulePrinter } from "../typescript/module-printer.js";
import { actionKind, isPathPart, keyProperties, propertiesOf } from "./action-payloads.js";
import { actionSentence, listPath } from "./names.js";
import { runtimeCall, scaffoldFile, specifierIn } from "./scaffold.js";

const CALL = "Adapt to the target system.";
const BODY = `${CALL} What is sent is the input without what stands in the path;
body: { data: rest }, for one, puts it into an envelope.`;
const RECORD = 'Where the record stands in the answer: "$" is the answer itself, "data" its member data.';
const REREAD = "Where the record is read if the answer has none; if that fails, the next sync brings it.";
const CREATED = `An answer may be lost, and then the action is performed again: add idempotency, by which the
target system knows that it has acted.`;
const GONE = "The record is gone already, perhaps by an attempt whose answer was lost.";

/** The declared handler of an action. */
export function declaredHandler(objectNames: DataObjectLayout, action: ActionLayout): GeneratedFile {
  const { identifier, declaredHandlerName, handlerFile } = action;
  const { model: object_, generatedFile } = objectNames;
  const facts = actionFacts(action.model, object_);
  const { kind, answer } = facts;
  const { call: text, reread } = callsOf(facts);
  const printer = new ModulePrinter(handlerFile, actionSentence(action.model.name, object_.name));
  printer.declared.add(declaredHandlerName);
  const variables = text.includes("{") ? pathCode(facts.keyInput) : [];
  const change = (value: string, comment?: string): Entry => ({
    key: "change",
    value: stringLiteral(value),
    ...(comment !== undefined && { comment }),
  });
  const outcome: Readonly<Record<ActionFacts["answer"], readonly Entry[]>> = {
    none: [],
    key: [change("delete"), { key: "absent", value: list(["404", "410"]), comment: GONE }],
    record: [
      { key: "record", value: stringLiteral("$"), comment: RECORD },
      { key: "reread", value: reread, comment: REREAD },
      change("upsert", kind === "create" ? CREATED : undefined),
    ],
  };
  const entries: readonly Entry[] = [
    { key: "call", value: stringLiteral(text), comment: answer === "key" ? CALL : BODY },
    ...(variables.length === 0 ? [] : [{ key: "path", value: codeObject(variables) }]),
    ...outcome[answer],
  ];
  const define = runtimeCall("defineHandler", valueSymbol(generatedFile, identifier), codeObject(entries));
  printer.print(ts`export const ${declaredHandlerName} = ${define};`);
  return printer.scaffoldFile();
}

interface CallTexts {
  /** Method and path. */
  readonly call: string;
  /** Code of how the record is read if the answer has none. */
  readonly reread: Code;
}

function callsOf({ kind, object: { name }, action, keyInput, answer }: ActionFacts): CallTexts {
  const path = `/${listPath(urlPartOf(name))}`;
  const below = urlPartOf(action.name);
  const record = [path, ...keyInput.map((property) => `{${variableOf(property)}}`)].join("/");
  if (keyInput.length === 0) {
    const isCreate = kind === "create" && answer === "record";
    return { call: `POST ${isCreate ? path : `${path}/${below}`}`, reread: stringLiteral("Location") };
  }
  const calls = {
    create: `POST ${path}`,
    update: `PATCH ${record}`,
    delete: `DELETE ${record}`,
    other: `POST ${record}/${below}`,
  };
  return { call: calls[kind], reread: rereadCode(`GET ${record}`, keyInput) };
}

/** In short if the variables are the serialized names, by which their values are found. */
function rereadCode(call: string, keyInput: readonly PropertyModel[]): Code {
  if (keyInput.every((property) => variableOf(property) === property.jsonName)) return stringLiteral(call);
  return codeObject([
    { key: "call", value: stringLiteral(call) },
    { key: "path", value: codeObject(pathCode(keyInput)) },
  ]);
}

/** A serialized name may hold what ends a variable. */
function variableOf({ name, jsonName }: PropertyModel): string {
  return /^[\w-]+$/.test(jsonName) ? jsonName : name;
}

function pathCode(keyInput: readonly PropertyModel[]): readonly Entry[] {
  return keyInput.map((property) => ({
    key: propertyKey(variableOf(property)),
    value: runtimeCall("input", stringLiteral(property.jsonName)),
  }));
}

/** The handler of an action in code. The compiler names the members of its payloads that nothing tells how to fill. */
export function handlerInCode(objectNames: DataObjectLayout, action: ActionLayout): GeneratedFile {
  const { identifier, handlerName, handlerFile } = action;
  const { model: object, identifier: recordClass } = objectNames;
  const facts = actionFacts(action.model, object);
  const json = `${recordClass}Json`;
  const isRead = facts.answer === "record";
  const request = requestCode(facts, isRead ? `<${json}>` : "");
  const view = {
    sentence: actionSentence(action.model.name, object.name),
    handler: handlerName,
    input: facts.hasInput ? "input" : "_input",
    inputType: `${identifier}Input`,
    isTypesOnly: !isRead,
    types: isRead ? `type ${identifier}Input, ${recordClass}, type ${json}` : `${identifier}Input`,
    ...request,
    isDelete: facts.answer === "key",
    isRead,
    record: objectCode(facts.keyInput.map(fromInput)),
    class: recordClass,
    ...outcomeCode(facts, stringLiteral(object.name)),
    apiClient: specifierIn(handlerFile, API_CLIENT_FILE),
    context: contextNames.action(action),
    result: contextNames.result(action),
    contexts: specifierIn(handlerFile, objectNames.generatedContextsFile),
    generated: specifierIn(handlerFile, objectNames.generatedFile),
  };
  const imports = [
    ...(request.target.startsWith("path`") || request.readBack.includes("path`") ? ["path"] : []),
    ...(view.needsRecord ? ["ResponseError"] : []),
    ...(isRead ? ["recordAfter"] : []),
    ...["refusalOf", "throwIfRetryable"],
  ];
  return scaffoldFile(handlerFile, render("action-handler.ts", { ...view, client: imports.join(", ") }));
}

interface ActionFacts {
  readonly kind: ReturnType<typeof actionKind>;
  readonly object: DataObjectModel;
  readonly action: ActionModel;
  readonly hasInput: boolean;
  /** The properties of the input that are the primary key of the record; empty if the input does not name it. */
  readonly keyInput: readonly PropertyModel[];
  /** What the cache is told after the call: the record, that the key of the input is deleted, or nothing. */
  readonly answer: "record" | "key" | "none";
}

function actionFacts(action: ActionModel, object: DataObjectModel): ActionFacts {
  const kind = actionKind(action.name);
  const { root } = action.input;
  const keys = keyProperties(object);
  const named = keys.flatMap(
    ({ jsonName }) =>
      propertiesOf(action.input).find((property) => property.jsonName === jsonName && isPathPart(property)) ??
      [],
  );
  const keyInput = named.length === keys.length ? named : [];
  const isKeyGone = kind === "delete" && keyInput.length > 0;
  return {
    kind,
    object,
    action,
    hasInput: root.kind !== "object" || root.properties.length > 0,
    keyInput,
    answer: keys.length === 0 || (kind === "delete" && !isKeyGone) ? "none" : isKeyGone ? "key" : "record",
  };
}

interface RequestCode {
  /** Code of the request path: a text, or the tag `path` if values stand in it. */
  readonly target: string;
  /** Code of the request with the API client. */
  readonly call: string;
  /** Code of the request that reads the record which the action has changed, and the white space before it. */
  readonly readBack: string;
}

/** @param type The type of the result. */
function requestCode({ kind, object, action, hasInput, keyInput }: ActionFacts, type: string): RequestCode {
  const list = listPath(urlPartOf(object.name));
  const below = urlPartOf(action.name);
  const record = [list, ...keyInput.map(({ name }) => `\${${member("input", name)}}`)].join("/");
  const post = `post${type}(target, ${hasInput ? "input" : "{}"}, { signal })`;
  if (keyInput.length === 0) {
    const isList = kind === "create" && keyProperties(object).length > 0;
    const get = `client.get${type}(response.location, { signal })`;
    const readBack = `\n    response.location === undefined ? null : ${get}`;
    return { target: stringLiteral(isList ? list : `${list}/${below}`), call: post, readBack };
  }
  const here = ` client.get${type}(target, { signal })`;
  const there = ` client.get${type}(path\`${record}\`, { signal })`;
  switch (kind) {
    case "create":
      return { target: stringLiteral(list), call: post, readBack: there };
    case "update":
      return { target: `path\`${record}\``, call: `patch${type}(target, input, { signal })`, readBack: here };
    case "delete":
      return { target: `path\`${record}\``, call: "delete(target, { signal })", readBack: here };
    case "other":
      return { target: `path\`${record}/${below}\``, call: post, readBack: there };
    default:
      return kind satisfies never;
  }
}

interface Filled {
  /** A property of the output. */
  readonly property: PropertyModel;
  /** The variable that has a property of its name. */
  readonly from: "input" | "record";
  /** The property of that variable in code. @default the name in JSON */
  readonly name?: string;
}

interface OutcomeCode {
  /** Code of the output. */
  readonly output: string;
  /** Code of the changes of the cache. */
  readonly changes?: string;
  /** Whether there is no output without the record. */
  readonly needsRecord?: boolean;
}

/** What the cache takes from the answer is the variable `record`. */
function outcomeCode(facts: ActionFacts, dataObject: string): OutcomeCode {
  const filled = filledOutput(facts);
  const output = objectCode(filled);
  if (facts.answer === "none") return { output };
  if (facts.answer === "key") {
    const key = objectCode(facts.keyInput.map(fromInput));
    const changes = `[{ dataObject: ${dataObject}, operation: "delete", record }]`;
    return { output: output === key ? "record" : output, changes };
  }
  const change = `[{ dataObject: ${dataObject}, operation: "upsert", record }]`;
  const read = filled.filter(({ from }) => from === "record");
  if (read.some(({ property }) => property.required)) return { output, changes: change, needsRecord: true };
  const changes = `record === null ? [] : ${change}`;
  if (read.length === 0) return { output, changes };
  const without = objectCode(filled.filter(({ from }) => from === "input"));
  return { output: `record === null ? ${without} : ${output}`, changes };
}

/** The members of the output whose values are known: those of the key, and required ones that the record or the input has. */
function filledOutput({ action, object, answer, keyInput }: ActionFacts): readonly Filled[] {
  const keys = keyProperties(object);
  const isOf = (properties: readonly PropertyModel[], { jsonName, required }: PropertyModel) =>
    properties.find((other) => other.jsonName === jsonName && (other.required || !required));
  return propertiesOf(action.output).flatMap((property): readonly Filled[] => {
    const isKey = keys.some(({ jsonName }) => jsonName === property.jsonName);
    if (!isKey && !property.required) return [];
    const key = isOf(keyInput, property);
    if (key !== undefined) return [{ property, from: "input", name: key.name }];
    const read = answer === "record" && isOf(propertiesOf(object.schema), property);
    if (read) return [{ property, from: "record" }];
    const given = isOf(propertiesOf(action.input), property);
    return given === undefined ? [] : [{ property, from: "input", name: given.name }];
  });
}

function fromInput(property: PropertyModel): Filled {
  return { property, from: "input", name: property.name };
}

/** Code of an object in serialized form. */
function objectCode(filled: readonly Filled[]): string {
  if (filled.length === 0) return "{}";
  const members = filled.map(
    ({ property: { jsonName }, from, name = jsonName }) => `${propertyKey(jsonName)}: ${member(from, name)}`,
  );
  return `{ ${members.join(", ")} }`;
}

function member(from: string, name: string): string {
  return isIdentifier(name) ? `${from}.${name}` : `${from}[${stringLiteral(name)}]`;
}
