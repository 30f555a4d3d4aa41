/** Data objects, their keys and their actions (spec §2.6, §2.7). */

import type { ActionOptions } from "../../authoring/action.js";
import type { DataObjectOptions } from "../../authoring/data-object.js";
import type { OptionTable } from "../../authoring/definition.js";
import { PART_NAMES } from "../../diagnostics/locations.js";
import { isJsonObject } from "../../json.js";
import { defaultKeyName } from "../../naming/key-names.js";
import { displayName, urlPartOf } from "../../naming/words.js";
import type { ActionModel, DataObjectModel, KeyModel, UnknownMembers } from "../connector-model.js";
import { EMPTY_OBJECT, type SchemaDocument, textOf } from "../schema-model.js";
import { standardFailure } from "../standard-failure.js";
import type { AuthorDefinition } from "./author-definitions.js";
import { buildDocument } from "./build-schema.js";
import {
  type BuildLocation,
  describeValue,
  inside,
  OptionReader,
  report,
  stringOrEmpty,
} from "./option-reader.js";

/** `keys` is for imported files only, so that the interface does not offer it. */
const OBJECT_OPTIONS: OptionTable<DataObjectOptions & { readonly keys: unknown }> = {
  title: true,
  description: true,
  additionalProperties: true,
  minProperties: true,
  maxProperties: true,
  primaryKey: true,
  alternateKeys: true,
  keys: true,
  readerType: true,
  unknownMembers: true,
  namingConvention: true,
  urlPart: true,
  key: true,
  createEndpoint: true,
  properties: true,
};

const UNKNOWN_MEMBERS: readonly UnknownMembers[] = ["keep", "drop"];

const ACTION_OPTIONS: OptionTable<ActionOptions> = {
  dataObject: true,
  title: true,
  description: true,
  input: true,
  output: true,
  failure: true,
  namingConvention: true,
  urlPart: true,
  key: true,
  createRtap: true,
};

/** The model of one data object of the module at `modulePath`. */
export function buildDataObject(
  { value, name, location }: AuthorDefinition,
  modulePath: string,
  actions: readonly AuthorDefinition[],
): DataObjectModel {
  const options = new OptionReader(value["options"], location, OBJECT_OPTIONS);
  const convention = options.convention();
  const schema = buildDocument(
    value["schema"],
    inside(location, { convention, pointer: ["schema"], path: ["properties"] }),
  );
  const urlPart = options.string("urlPart") ?? urlPartOf(name);
  const readerType = options.string("readerType") ?? "full";
  if (readerType !== "full" && readerType !== "incremental") {
    report(inside(location, { path: ["readerType"] }), "definition-reader-type-unknown", {
      object: name,
      readerType,
    });
  }
  return {
    kind: "dataObject",
    name: name,
    title: options.string("title") ?? textOf(schema.root, "title") ?? displayName(name),
    urlPart,
    key: options.string("key") ?? urlPart,
    description: options.string("description") ?? textOf(schema.root, "description") ?? "",
    dataPath: `${modulePath}/${urlPart}`,
    createEndpoint: options.boolean("createEndpoint") ?? true,
    readerType: readerType === "incremental" ? readerType : "full",
    unknownMembers: options.oneOf("unknownMembers", UNKNOWN_MEMBERS) ?? "keep",
    schema,
    keys: keysOf(options, schema, inside(location, { convention })),
    actions: actions.map((found) =>
      buildAction({ ...found, location: inside(found.location, { convention }) }),
    ),
  };
}

function buildAction({ value, name, location: place }: AuthorDefinition): ActionModel {
  const holder = PART_NAMES.dataObject(dataObjectName(value));
  const location = { ...place, what: PART_NAMES.action(name, holder) };
  const options = new OptionReader(value["options"], location, ACTION_OPTIONS);
  const convention = options.convention();
  const payload = (option: "input" | "output" | "failure", absent = EMPTY_OBJECT) => {
    const given = options.get(option);
    const change = {
      what: PART_NAMES.payload(option, location.what),
      convention,
      pointer: [`${option}Schema`],
      path: [option],
    };
    return given === undefined ? absent : buildDocument(given, inside(location, change));
  };
  const urlPart = options.string("urlPart") ?? urlPartOf(name);
  return {
    kind: "action",
    name: name,
    title: options.string("title") ?? displayName(name),
    urlPart,
    key: options.string("key") ?? urlPart,
    description: options.string("description") ?? "",
    createRtap: options.boolean("createRtap") ?? true,
    input: payload("input"),
    output: payload("output"),
    failure: payload("failure", standardFailure()),
  };
}

function dataObjectName(action: Readonly<Record<PropertyKey, unknown>>): string {
  const dataObject = isJsonObject(action["options"]) ? action["options"]["dataObject"] : undefined;
  return isJsonObject(dataObject) ? stringOrEmpty(dataObject["name"]) : "";
}

/** The keys as the platform lists them. `keys` spells a whole list out, for imported files whose order differs. */
function keysOf(options: OptionReader, schema: SchemaDocument, location: BuildLocation): readonly KeyModel[] {
  const spelled = options.get("keys");
  if (spelled !== undefined) {
    return options.array("keys").map((key, index) => {
      const isPrimary = isJsonObject(key) && key["isPrimary"] === true;
      return keyOf(
        key,
        isPrimary,
        schema,
        inside(location, { pointer: ["keys", index], path: ["keys", index] }),
      );
    });
  }
  const primary = options.get("primaryKey");
  const first = primary === undefined ? 0 : 1;
  const alternates = options.array("alternateKeys").map((key, index) => {
    const place = inside(location, { pointer: ["keys", index + first], path: ["alternateKeys", index] });
    return keyOf(key, false, schema, place);
  });
  if (primary === undefined) return alternates;
  return [
    keyOf(primary, true, schema, inside(location, { pointer: ["keys", 0], path: ["primaryKey"] })),
    ...alternates,
  ];
}

function keyOf(
  value: unknown,
  isPrimary: boolean,
  schema: SchemaDocument,
  location: BuildLocation,
): KeyModel {
  const { name, properties } = keyParts(value, isPrimary, schema);
  const listed: readonly unknown[] = Array.isArray(properties) ? [...properties] : [];
  if (
    typeof name !== "string" ||
    !Array.isArray(properties) ||
    !listed.every((item) => typeof item === "string")
  ) {
    report(location, "definition-invalid", {
      what: `A key of ${location.what}`,
      expected: "the name of a property, a list of such names, or an object with a name and such a list",
      actual: describeValue(value),
    });
  }
  return {
    name: typeof name === "string" ? name : "",
    propertyNames: listed
      .filter((item) => typeof item === "string")
      .map((item) => serializedName(item, schema)),
    isPrimary,
  };
}

/** Name and properties of a key in any of its three forms. */
function keyParts(
  value: unknown,
  isPrimary: boolean,
  schema: SchemaDocument,
): { readonly name?: unknown; readonly properties?: unknown } {
  if (isJsonObject(value)) return value;
  const properties = typeof value === "string" ? [value] : value;
  if (!Array.isArray(properties) || properties.length === 0) return {};
  const names = properties.map((item) => serializedName(stringOrEmpty(item), schema));
  return { name: defaultKeyName(names, isPrimary), properties };
}

/** Keys name properties as the code does; a name that no property has stays what it is, for the checks to report. */
function serializedName(name: string, schema: SchemaDocument): string {
  const properties = schema.root.kind === "object" ? schema.root.properties : [];
  return properties.find((property) => property.name === name)?.jsonName ?? name;
}
