/** The schema module of a data object, with its actions. */
import type { DataObjectModel, KeyModel } from "../../schemas/model/connector-model.js";
import {
  EMPTY_OBJECT,
  type PropertyModel,
  type SchemaDocument,
  type SchemaModel,
  textOf,
} from "../../schemas/model/schema-model.js";
import { standardFailure } from "../../schemas/model/standard-failure.js";
import type { NamingConvention } from "../../schemas/naming/conventions.js";
import { defaultKeyName } from "../../schemas/naming/key-names.js";
import { displayName, urlPartOf } from "../../schemas/naming/words.js";
import type { DataObjectLayout, ModuleLayout } from "../layout.js";
import { type Code, type Entry, list, object, ts, valueSymbol } from "../typescript/code.js";
import { commentText, stringLiteral } from "../typescript/literals.js";
import { ModulePrinter } from "../typescript/module-printer.js";
import { mayBeNull } from "../typescript/verbatim-type.js";
import { type Constants, constantIn, isSameShape, printConstants, shapeKey } from "./constants.js";
import {
  areRootOptions,
  type DocumentPlace,
  documentCode,
  documentContext,
  formEntries,
  keywordEntries,
  optionsCode,
  printDefinition,
  propertiesCode,
  schemaCode,
  vocabularyCall,
} from "./schema-expression.js";

/** What objects of a module are written with. */
export interface ModulePlace {
  readonly names: ModuleLayout;
  /** Every identifier of the module; names that are found later are added to it. */
  readonly taken: Set<string>;
  readonly constants: Constants;
  readonly conventions: ReadonlyMap<DataObjectModel, NamingConvention>;
  /** What is said of the primary key and of properties. @default nothing */
  readonly comments?: ModuleComments;
}

/** Comments that stand in the file of an object. */
export interface ModuleComments {
  readonly key: string;
  readonly properties: ReadonlyMap<PropertyModel, string>;
}

/** The file of one object. */
export function dataObjectModule(object_: DataObjectLayout, module: ModulePlace) {
  const { model, identifier, actions } = object_;
  const { sharedFile } = module.names;
  const printer = new ModulePrinter(
    object_.file,
    `${identifier}: schema, keys and actions of the data object.`,
  );
  const convention = module.conventions.get(model) ?? "camelCase";
  const place: DocumentPlace = {
    printer,
    convention,
    taken: module.taken,
    name: identifier,
    constant: constantIn(module.constants, convention, sharedFile),
    ...(module.comments !== undefined && { comments: module.comments.properties }),
  };
  printConstants(module.constants, object_.file, printer, sharedFile);
  printDefinition(printer, identifier, "defineDataObject", model.name, objectOptions(model, place, module));
  for (const action of actions) {
    const options = actionEntries(action.model, object_, { ...place, name: action.identifier });
    printDefinition(printer, action.identifier, "defineAction", action.model.name, options);
  }
  return printer.scaffoldFile();
}

/**
 * What a data object is, its keys, then its properties. A root whose title or description is not the object's own is
 * written out as a TypeBox object.
 */
function objectOptions(model: DataObjectModel, place: DocumentPlace, module: ModulePlace): readonly Entry[] {
  const { root } = model.schema;
  const title = root.kind === "verbatim" ? undefined : textOf(root, "title");
  const derived = displayName(model.name);
  const hasOwnTitle = title === undefined ? model.title === derived : model.title === title;
  const isProperties =
    root.kind === "object" &&
    !root.nullable &&
    root.form === undefined &&
    areRootOptions(root.keywords) &&
    hasOwnTitle &&
    textOf(root, "description") === model.description;
  const heading = isProperties
    ? keywordEntries(root.keywords)
    : [
        ...(model.title === (title ?? derived) ? [] : [{ key: "title", value: stringLiteral(model.title) }]),
        { key: "description", value: stringLiteral(model.description) },
      ];
  const properties = isProperties
    ? (propertiesOfOther(model, place.convention, module) ??
      propertiesCode(root.properties, documentContext(model.schema, place)))
    : documentCode(model.schema, place);
  return [
    ...heading,
    ...objectEntries(model, module.comments?.key),
    ...namingEntries(place.convention),
    { key: "properties", value: properties },
  ];
}

/** Another object of the module that has the same properties lends them. */
function propertiesOfOther(
  model: DataObjectModel,
  convention: NamingConvention,
  module: ModulePlace,
): Code | undefined {
  const { root, definitions } = model.schema;
  if (root.kind !== "object" || root.properties.length < 2 || definitions.length > 0) return undefined;
  const key = shapeKey(root, convention);
  for (const other of module.names.objects) {
    if (other.model === model) return undefined;
    const theirs = other.model.schema;
    if (
      theirs.definitions.length > 0 ||
      shapeKey(theirs.root, module.conventions.get(other.model) ?? "camelCase") !== key
    )
      continue;
    return ts`${valueSymbol(other.file, other.identifier)}.schema.properties`;
  }
  return undefined;
}

function objectEntries(model: DataObjectModel, keyComment: string | undefined): readonly Entry[] {
  return [
    ...keyEntries(model, keyComment),
    ...(model.readerType === "full" ? [] : [{ key: "readerType", value: stringLiteral(model.readerType) }]),
    ...(model.unknownMembers === "keep"
      ? []
      : [{ key: "unknownMembers", value: stringLiteral(model.unknownMembers) }]),
    ...addressEntries(model, urlPartOf(model.name)),
    ...(model.createEndpoint ? [] : [{ key: "createEndpoint", value: "false" }]),
  ];
}

function actionEntries(
  model: DataObjectLayout["actions"][number]["model"],
  owner: DataObjectLayout,
  place: DocumentPlace,
): readonly Entry[] {
  const payload = (option: string, document: SchemaDocument, absent: SchemaDocument): readonly Entry[] => {
    if (JSON.stringify(document) === JSON.stringify(absent)) return [];
    const code = payloadCode(document, owner, { ...place, name: `${place.name}${option}` });
    return [{ key: option.toLowerCase(), value: code }];
  };
  return [
    { key: "dataObject", value: owner.identifier },
    ...(model.title === displayName(model.name) ? [] : [{ key: "title", value: stringLiteral(model.title) }]),
    { key: "description", value: stringLiteral(model.description) },
    ...payload("Input", model.input, EMPTY_OBJECT),
    ...payload("Output", model.output, EMPTY_OBJECT),
    ...payload("Failure", model.failure, standardFailure()),
    ...addressEntries(model, urlPartOf(model.name)),
    ...(model.createRtap ? [] : [{ key: "createRtap", value: "false" }]),
  ];
}

/** A payload with the properties of its object takes them from there. */
function payloadCode(document: SchemaDocument, owner: DataObjectLayout, place: DocumentPlace): Code {
  const { root } = document;
  // Payloads of one shape share a constant; an object's own schema is never one.
  if (root.kind === "verbatim" || !isSameShape(document, owner.model.schema, place.convention))
    return schemaCode(root, documentContext(document, place));
  return vocabularyCall(
    "Type.Object",
    `${owner.identifier}.schema.properties`,
    optionsCode([...keywordEntries(root.keywords), ...formEntries(root.form)]),
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

/** `primaryKey` and `alternateKeys`; or the whole list as the file has it, where its order is another. */
function keyEntries(model: DataObjectModel, comment: string | undefined): readonly Entry[] {
  const [first, ...rest] = model.keys;
  if (first?.isPrimary !== true || rest.some(({ isPrimary }) => isPrimary)) return [irregularKeys(model)];
  const primary = {
    key: "primaryKey",
    value: shortKeyCode(first, model) ?? keyCode(first, model),
    ...(comment === undefined ? flatWithReason(first, model) : { comment: commentText(comment) }),
  };
  if (rest.length === 0) return [primary];
  const alternates = rest.map((key) => {
    const reason = reasonAgainst(key, model);
    const value = shortKeyCode(key, model) ?? keyCode(key, model);
    return reason === undefined ? value : { kind: "commented" as const, comment: reason, value };
  });
  return [primary, { key: "alternateKeys", value: list(alternates) }];
}

/** Keys that do not compile: none, several primary ones, or the primary one behind others. */
function irregularKeys(model: DataObjectModel): Entry {
  const primaries = model.keys.filter(({ isPrimary }) => isPrimary).length;
  const reason =
    primaries === 0
      ? "The file has no primary key for this object: declare primaryKey."
      : primaries > 1
        ? "The file has several primary keys for this object: keep one as primaryKey."
        : "The file lists the primary key behind others: declare primaryKey and alternateKeys.";
  const keys = model.keys.map((key) =>
    keyCode(key, model, [{ key: "isPrimary", value: String(key.isPrimary) }]),
  );
  return { key: "keys", value: list(keys), comment: expectError(reason), flat: true };
}

/** The key without its name, if the name is the one that the vocabulary gives such a key. */
function shortKeyCode(key: KeyModel, model: DataObjectModel): Code | undefined {
  const [only, second] = key.propertyNames;
  if (only === undefined || key.name !== defaultKeyName(key.propertyNames, key.isPrimary)) return undefined;
  const names = key.propertyNames.map((name) => stringLiteral(nameInCode(name, model)));
  return second === undefined ? names[0] : list(names);
}

function keyCode(key: KeyModel, model: DataObjectModel, more: readonly Entry[] = []): Code {
  const names = key.propertyNames.map((jsonName) => nameInCode(jsonName, model));
  return object([
    { key: "name", value: stringLiteral(key.name) },
    { key: "properties", value: list(names.map(stringLiteral)) },
    ...more,
  ]);
}

function nameInCode(jsonName: string, model: DataObjectModel): string {
  return propertiesOf(model).find((property) => property.jsonName === jsonName)?.name ?? jsonName;
}

function flatWithReason(key: KeyModel, model: DataObjectModel): { comment?: string; flat?: boolean } {
  const comment = reasonAgainst(key, model);
  return comment === undefined ? {} : { comment, flat: true };
}

/** Why the compiler refuses the key, as a directive that expects it to. */
function reasonAgainst(key: KeyModel, model: DataObjectModel): string | undefined {
  if (key.propertyNames.length === 0)
    return expectError("The key lists no property: name those that identify a record.");
  const faults = new Map<string, string[]>();
  for (const jsonName of new Set(key.propertyNames)) {
    const fault = faultOf(jsonName, model);
    if (fault !== undefined) faults.set(fault, [...(faults.get(fault) ?? []), JSON.stringify(jsonName)]);
  }
  const reasons = [...faults].map(([fault, names]) => `${names.join(", ")}: ${fault}.`);
  return reasons.length === 0 ? undefined : expectError(reasons.join(" "));
}

function faultOf(jsonName: string, model: DataObjectModel): string | undefined {
  const { root } = model.schema;
  if (root.kind !== "object") return "the compiler can't see the properties of such a schema";
  const property = root.properties.find((candidate) => candidate.jsonName === jsonName);
  if (property === undefined) return "no property has this name";
  if (root.nullable) return "the whole record may be null; take Nullable off it";
  if (!property.required) return "not required in the file; take Type.Optional off";
  return acceptsNull(property.schema, model) ? "may be null in the file; take Nullable off" : undefined;
}

function acceptsNull(schema: SchemaModel, model: DataObjectModel): boolean {
  switch (schema.kind) {
    case "any":
      return true;
    case "verbatim":
      return mayBeNull(schema.json);
    case "reference": {
      const target = model.schema.definitions.find(({ name }) => name === schema.definition);
      return target !== undefined && target.schema.kind !== "reference" && acceptsNull(target.schema, model);
    }
    default:
      return schema.nullable;
  }
}

function propertiesOf(model: DataObjectModel): readonly PropertyModel[] {
  return model.schema.root.kind === "object" ? model.schema.root.properties : [];
}

function expectError(reason: string): string {
  return `@ts-expect-error ${commentText(reason)}`;
}
