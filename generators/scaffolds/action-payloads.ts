/** What a new action takes and gives: as a model, and as the options of its definition. Both follow from its name. */
import type { ActionModel, DataObjectModel } from "../../schemas/model/connector-model.js";
import { EMPTY_OBJECT, type PropertyModel, type SchemaDocument } from "../../schemas/model/schema-model.js";
import { standardFailure } from "../../schemas/model/standard-failure.js";
import { type Code, call, type Entry, list } from "../typescript/code.js";
import { stringLiteral } from "../typescript/literals.js";

/** What an action does to its record, as far as its name tells. */
export type ActionKind = "create" | "update" | "delete" | "other";

export function actionKind(actionName: string): ActionKind {
  if (/^(?:Create|Add|Insert)$/.test(actionName)) return "create";
  if (/^(?:Update|Change|Edit|Modify)$/.test(actionName)) return "update";
  return /^(?:Delete|Remove)$/.test(actionName) ? "delete" : "other";
}

/** The properties of the primary key; empty if the object's schema is no plain object. */
export function keyProperties({ schema, keys }: DataObjectModel): readonly PropertyModel[] {
  const { root } = schema;
  const primary = keys.find(({ isPrimary }) => isPrimary);
  if (root.kind !== "object" || schema.definitions.length > 0 || primary === undefined) return [];
  const parts = primary.propertyNames.flatMap(
    (name) => root.properties.find((property) => property.jsonName === name && isPathPart(property)) ?? [],
  );
  return parts.length === primary.propertyNames.length ? parts : [];
}

/** Whether a path can contain the property. Keys of imported connectors may be of other kinds. */
export function isPathPart({ required, schema }: PropertyModel): boolean {
  const isScalar = /^(?:string|integer|number|boolean|enum)$/.test(schema.kind);
  return required && isScalar && !("nullable" in schema && schema.nullable);
}

/** The properties of a document that is a plain object; none for any other. */
export function propertiesOf({ root }: SchemaDocument): readonly PropertyModel[] {
  return root.kind === "object" ? root.properties : [];
}

type Payloads = Pick<ActionModel, "input" | "output" | "failure">;

/** The payloads that `payloadOptions` define. */
export function plannedPayloads(actionName: string, object: DataObjectModel): Payloads {
  const keys = keyProperties(object);
  const failure = standardFailure();
  if (keys.length === 0) return { input: EMPTY_OBJECT, output: EMPTY_OBJECT, failure };
  const kind = actionKind(actionName);
  const fixed = fixedNames(object);
  const others = propertiesOf(object.schema).filter(({ name }) => !fixed.includes(name));
  const input = {
    create: others,
    update: [...keys, ...others.map(toOptional)],
    delete: keys,
    other: keys,
  };
  const output = isOutputOptional(kind) ? keys.map(toOptional) : keys;
  return { input: objectOf(input[kind]), output: objectOf(output), failure };
}

/** The payload options of defineAction for the data object `constant`. @param type The local name of `Type`. */
export function payloadOptions(
  actionName: string,
  object: DataObjectModel,
  { constant, type }: { readonly constant: string; readonly type: string },
): readonly Entry[] {
  const keys = keyProperties(object).map(({ name }) => name);
  if (keys.length === 0) return [];
  const kind = actionKind(actionName);
  const schema = `${constant}.schema`;
  const key = call(`${type}.Pick`, schema, names(keys));
  const others = call(`${type}.Omit`, schema, names(fixedNames(object)));
  const input = {
    create: others,
    update: call(`${type}.Composite`, list([key, call(`${type}.Partial`, others)])),
    delete: key,
    other: key,
  };
  return [
    { key: "input", value: input[kind] },
    { key: "output", value: isOutputOptional(kind) ? call(`${type}.Partial`, key) : key },
  ];
}

/** A target system may answer to a create without saying which record it has made. */
function isOutputOptional(kind: ActionKind): boolean {
  return kind === "create";
}

/** The properties that no input changes: the key, and what the target system alone writes. */
function fixedNames(object: DataObjectModel): readonly string[] {
  const keys = keyProperties(object).map(({ name }) => name);
  const readOnly = propertiesOf(object.schema).filter(
    ({ schema }) =>
      "keywords" in schema &&
      schema.keywords.some(({ name, value }) => name === "readOnly" && value === true),
  );
  return [...keys, ...readOnly.map(({ name }) => name).filter((name) => !keys.includes(name))];
}

function toOptional(property: PropertyModel): PropertyModel {
  return { ...property, required: false };
}

function objectOf(properties: readonly PropertyModel[]): SchemaDocument {
  return { root: { kind: "object", nullable: false, properties, keywords: [] }, definitions: [] };
}

function names(all: readonly string[]): Code {
  return list(all.map(stringLiteral));
}
