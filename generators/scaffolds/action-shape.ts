/** What an action is likely to be given and to answer, and how its handler asks for it, by its name. */
import type { DataObjectModel } from "../../schemas/model/connector-model.js";
import type { PropertyModel } from "../../schemas/model/schema-model.js";
import { isIdentifier } from "../../schemas/naming/identifiers.js";
import { urlPartOf } from "../../schemas/naming/words.js";
import { type Code, call, type Entry, list } from "../typescript/code.js";
import { propertyKey, stringLiteral } from "../typescript/literals.js";

export interface ActionShape {
  /** The properties of the primary key; none where the object's schema is not a plain object. */
  readonly keys: readonly PropertyModel[];
  readonly operation: "upsert" | "delete";
  /** Whether the target system answers with the record, the key stands for it, or neither. */
  readonly answer: "record" | "key" | "none";
  readonly usesInput: boolean;
  /** Options of defineAction for the data object `constant`, with their code; `type` is how `Type` is called. */
  payloads(constant: string, type: string): readonly Entry[];
  /** The path of the call, where `LIST` is that of the list. */
  readonly path: string;
  /** The call of the API client, where `path` is its path; `type` is what it answers with. */
  call(type: string): string;
  /** The key as an object, from what is called `from`, by its names in code or serialized. */
  keyObject(from: string, names: "code" | "json"): string;
}

type Kind = "create" | "update" | "delete" | "other";

export function actionShape(actionName: string, object: DataObjectModel): ActionShape {
  const keys = keysOf(object);
  const kind = kindOf(actionName);
  return {
    keys,
    operation: kind === "delete" ? "delete" : "upsert",
    answer: keys.length === 0 ? "none" : kind === "delete" ? "key" : "record",
    usesInput: keys.length > 0,
    payloads: (constant, type) =>
      keys.length === 0 ? [] : payloads(kind, object, `${constant}.schema`, type),
    path: pathCode(kind, keys, urlPartOf(actionName)),
    call: (type) => callCode(keys.length === 0 ? "none" : kind, type),
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

/** Whether a path can be made of it: an imported file may have keys of other kinds. */
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
  return [
    { key: "input", value: input[kind] },
    { key: "output", value: key },
  ];
}

function readOnlyOf({ schema: { root } }: DataObjectModel): readonly string[] {
  if (root.kind !== "object") return [];
  const isReadOnly = ({ schema }: PropertyModel) =>
    "keywords" in schema && schema.keywords.some(({ name, value }) => name === "readOnly" && value === true);
  return root.properties.filter(isReadOnly).map(({ name }) => name);
}

function pathCode(kind: Kind, keys: readonly PropertyModel[], action: string): string {
  if (kind === "create" && keys.length > 0) return "LIST";
  const segments = keys.map(({ name }) => `\${encodeURIComponent(${member("input", name)})}`);
  const isNamed = kind === "other" || keys.length === 0;
  return `\`${[`\${LIST}`, ...segments, ...(isNamed ? [action] : [])].join("/")}\``;
}

function callCode(kind: Kind | "none", type: string): string {
  switch (kind) {
    case "update":
      return `patch${type}(path, input, { signal })`;
    case "delete":
      return "delete(path, { signal })";
    case "none":
      return "post(path, {}, { signal })";
    case "create":
    case "other":
      return `post${type}(path, input, { signal })`;
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
