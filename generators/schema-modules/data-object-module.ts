/** The schema module of a data object, with its actions. */
import type { DataObjectModel } from "../../schemas/model/connector-model.js";
import { EMPTY_OBJECT, type SchemaDocument, textOf } from "../../schemas/model/schema-model.js";
import { standardFailure } from "../../schemas/model/standard-failure.js";
import type { NamingConvention } from "../../schemas/naming/conventions.js";
import { displayName, urlPartOf } from "../../schemas/naming/words.js";
import { type Code, call, type Entry, layOut, object } from "../typescript/code.js";
import { stringLiteral } from "../typescript/literals.js";
import { type Constants, shapeKey } from "./constants.js";
import { stateConstants } from "./constants-code.js";
import { areRootOptions, type DocumentPlace, documentCode, documentContext } from "./document-code.js";
import { keyEntries } from "./keys.js";
import type { ModuleNames, ObjectNames } from "./project-names.js";
import { keywordEntries, optionsCode, propertiesCode } from "./schema-expression.js";
import { SourceModule } from "./source-module.js";

/** What objects of a module are written with. */
export interface ModulePlace {
  readonly names: ModuleNames;
  readonly constants: Constants;
  readonly conventions: ReadonlyMap<DataObjectModel, NamingConvention>;
}

/** The file of one object. */
export function dataObjectModule(object_: ObjectNames, module: ModulePlace) {
  const { model, identifier, actions } = object_;
  const source = new SourceModule(
    object_.file,
    `${identifier}: schema, keys and actions of the data object.`,
  );
  const convention = module.conventions.get(model) ?? "camelCase";
  const place: DocumentPlace = {
    source,
    convention,
    taken: module.names.taken,
    name: identifier,
    constants: module.constants,
    sharedFile: module.names.sharedFile,
  };
  source.uses.add("defineDataObject");
  stateConstants(module.constants, object_.file, source, module.names.sharedFile);
  source.state(
    statement(identifier, "defineDataObject", [
      stringLiteral(model.className),
      ...objectArguments(model, place, module),
    ]),
  );
  for (const action of actions) {
    source.uses.add("defineAction");
    const options = object(actionEntries(action.model, object_, { ...place, name: action.identifier }));
    source.state(
      statement(action.identifier, "defineAction", [
        identifier,
        stringLiteral(action.model.className),
        options,
      ]),
    );
  }
  return source.file();
}

function statement(identifier: string, callee: string, args: readonly Code[]): string {
  return `${layOut(call(`export const ${identifier} = ${callee}`, ...args))};`;
}

/** Shape and options. A root whose title or description is not the object's own is written out as a TypeBox object. */
function objectArguments(model: DataObjectModel, place: DocumentPlace, module: ModulePlace): readonly Code[] {
  const { root } = model.schema;
  const title = root.kind === "verbatim" ? undefined : textOf(root, "title");
  const derived = displayName(model.className);
  const sameTitle = title === undefined ? model.name === derived : model.name === title;
  const asOptions =
    root.kind === "object" &&
    !root.nullable &&
    areRootOptions(root.keywords) &&
    sameTitle &&
    textOf(root, "description") === model.description;
  const names = namingEntries(place.convention);
  if (asOptions) {
    const shape =
      propertiesOfOther(model, place, module) ??
      propertiesCode(root.properties, documentContext(model.schema, place));
    return [shape, object([...names, ...keywordEntries(root.keywords), ...objectEntries(model)])];
  }
  const heading: Entry[] = [{ key: "description", value: stringLiteral(model.description) }];
  if (model.name !== (title ?? derived)) heading.unshift({ key: "title", value: stringLiteral(model.name) });
  return [documentCode(model.schema, place), object([...names, ...heading, ...objectEntries(model)])];
}

/** Another object of the module that has the same properties lends them. */
function propertiesOfOther(
  model: DataObjectModel,
  place: DocumentPlace,
  module: ModulePlace,
): Code | undefined {
  const { root, definitions } = model.schema;
  if (root.kind !== "object" || root.properties.length < 2 || definitions.length > 0) return undefined;
  const key = shapeKey(root, place.convention);
  for (const other of module.names.objects) {
    if (other.model === model) return undefined;
    const theirs = other.model.schema;
    if (
      theirs.definitions.length > 0 ||
      shapeKey(theirs.root, module.conventions.get(other.model) ?? "camelCase") !== key
    )
      continue;
    place.source.import(other.identifier, other.file);
    return `${other.identifier}.schema.properties`;
  }
  return undefined;
}

function objectEntries(model: DataObjectModel): readonly Entry[] {
  return [
    ...keyEntries(model),
    ...(model.readerType === "full" ? [] : [{ key: "readerType", value: stringLiteral(model.readerType) }]),
    ...addressEntries(model, urlPartOf(model.className)),
    ...(model.createEndpoint ? [] : [{ key: "createEndpoint", value: "false" }]),
  ];
}

function actionEntries(
  model: ObjectNames["actions"][number]["model"],
  owner: ObjectNames,
  place: DocumentPlace,
): readonly Entry[] {
  const payload = (option: string, document: SchemaDocument, absent: SchemaDocument): readonly Entry[] => {
    if (JSON.stringify(document) === JSON.stringify(absent)) return [];
    const code = payloadCode(document, owner, { ...place, name: `${place.name}${option}` });
    return [{ key: option.toLowerCase(), value: code }];
  };
  return [
    ...(model.name === displayName(model.className)
      ? []
      : [{ key: "title", value: stringLiteral(model.name) }]),
    { key: "description", value: stringLiteral(model.description) },
    ...payload("Input", model.input, EMPTY_OBJECT),
    ...payload("Output", model.output, EMPTY_OBJECT),
    ...payload("Failure", model.failure, standardFailure()),
    ...addressEntries(model, urlPartOf(model.className)),
    ...(model.createRtap ? [] : [{ key: "createRtap", value: "false" }]),
  ];
}

/** A payload with the properties of its object takes them from there. */
function payloadCode(document: SchemaDocument, owner: ObjectNames, place: DocumentPlace): Code {
  const { root } = document;
  const { root: objectRoot, definitions } = owner.model.schema;
  const same =
    root.kind === "object" &&
    !root.nullable &&
    objectRoot.kind === "object" &&
    root.properties.length > 1 &&
    document.definitions.length + definitions.length === 0 &&
    shapeKey(root, place.convention) === shapeKey(objectRoot, place.convention);
  if (!same) return documentCode(document, place);
  place.source.uses.add("Type");
  return call(
    "Type.Object",
    `${owner.identifier}.schema.properties`,
    optionsCode(keywordEntries(root.keywords)),
  );
}

function addressEntries(model: { urlPart: string; key: string }, derived: string): readonly Entry[] {
  return [
    ...(model.urlPart === derived ? [] : [{ key: "urlPart", value: stringLiteral(model.urlPart) }]),
    ...(model.key === model.urlPart ? [] : [{ key: "key", value: stringLiteral(model.key) }]),
  ];
}

function namingEntries(convention: NamingConvention): readonly Entry[] {
  return convention === "camelCase" ? [] : [{ key: "namingConvention", value: stringLiteral(convention) }];
}
