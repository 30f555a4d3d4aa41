/** Data objects, their keys and their actions (spec §2.6, §2.7). */
import { StandardFailure } from "../../authoring/standard-failure.js";
import { displayName, urlPartOf } from "../../naming/words.js";
import type { ActionModel, DataObjectModel, KeyModel } from "../connector-model.js";
import { EMPTY_OBJECT, type SchemaDocument, textOf } from "../schema-model.js";
import { buildDocument } from "./build-schema.js";
import type { Found } from "./definition-lists.js";
import { inside, isRecord, nameOf, Options, report, type Scope, textFrom } from "./scope.js";

const OBJECT_OPTIONS = [
  "title",
  "description",
  "additionalProperties",
  "minProperties",
  "maxProperties",
  "primaryKey",
  "alternateKeys",
  "keys",
  "readerType",
  "namingConvention",
  "urlPart",
  "key",
  "createEndpoint",
] as const;

const ACTION_OPTIONS = [
  "title",
  "description",
  "input",
  "output",
  "failure",
  "namingConvention",
  "urlPart",
  "key",
  "createRtap",
] as const;

/** The model of one data object of the module at `modulePath`. */
export function buildDataObject(
  { value, name, scope }: Found,
  modulePath: string,
  actions: readonly Found[],
): DataObjectModel {
  const options = new Options(value["options"], scope, OBJECT_OPTIONS);
  const convention = options.convention();
  const schema = buildDocument(
    value["schema"],
    inside(scope, { convention, pointer: ["schema"], path: ["schema"] }),
  );
  const urlPart = options.text("urlPart") ?? urlPartOf(name);
  const readerType = options.text("readerType") ?? "full";
  if (readerType !== "full" && readerType !== "incremental") {
    report(inside(scope, { path: ["readerType"] }), "definition-reader-type-unknown", {
      object: name,
      readerType,
    });
  }
  return {
    kind: "dataObject",
    className: name,
    name: options.text("title") ?? textOf(schema.root, "title") ?? displayName(name),
    urlPart,
    key: options.text("key") ?? urlPart,
    description: options.text("description") ?? textOf(schema.root, "description") ?? "",
    dataPath: `${modulePath}/${urlPart}`,
    createEndpoint: options.boolean("createEndpoint") ?? true,
    readerType: readerType === "incremental" ? readerType : "full",
    schema,
    keys: keysOf(options, schema, inside(scope, { convention })),
    actions: actions.map((found) => buildAction({ ...found, scope: inside(found.scope, { convention }) })),
  };
}

function buildAction({ value, name, scope: place }: Found): ActionModel {
  const scope = { ...place, what: `${place.what} of data object "${dataObjectName(value)}"` };
  const options = new Options(value["options"], scope, ACTION_OPTIONS);
  const convention = options.convention();
  const payload = (option: "input" | "output" | "failure", absent?: unknown) => {
    const given = options.get(option) ?? absent;
    const change = {
      what: `the ${option} of ${scope.what}`,
      convention,
      pointer: [`${option}Schema`],
      path: [option],
    };
    return given === undefined ? EMPTY_OBJECT : buildDocument(given, inside(scope, change));
  };
  const urlPart = options.text("urlPart") ?? urlPartOf(name);
  return {
    kind: "action",
    className: name,
    name: options.text("title") ?? displayName(name),
    urlPart,
    key: options.text("key") ?? urlPart,
    description: options.text("description") ?? "",
    createRtap: options.boolean("createRtap") ?? true,
    input: payload("input"),
    output: payload("output"),
    failure: payload("failure", StandardFailure),
  };
}

function dataObjectName(action: Readonly<Record<PropertyKey, unknown>>): string {
  return isRecord(action["dataObject"]) ? textFrom(action["dataObject"]["name"]) : "";
}

/** The keys as the platform lists them. `keys` spells a whole list out, for imported files whose order differs. */
function keysOf(options: Options, schema: SchemaDocument, scope: Scope): readonly KeyModel[] {
  const spelled = options.get("keys");
  if (spelled !== undefined) {
    return options.list("keys").map((key, index) => {
      const isPrimary = isRecord(key) && key["isPrimary"] === true;
      return keyOf(
        key,
        isPrimary,
        schema,
        inside(scope, { pointer: ["keys", index], path: ["keys", index] }),
      );
    });
  }
  const primary = options.get("primaryKey");
  const first = primary === undefined ? 0 : 1;
  const alternates = options.list("alternateKeys").map((key, index) => {
    const place = inside(scope, { pointer: ["keys", index + first], path: ["alternateKeys", index] });
    return keyOf(key, false, schema, place);
  });
  if (primary === undefined) return alternates;
  return [
    keyOf(primary, true, schema, inside(scope, { pointer: ["keys", 0], path: ["primaryKey"] })),
    ...alternates,
  ];
}

function keyOf(value: unknown, isPrimary: boolean, schema: SchemaDocument, scope: Scope): KeyModel {
  const { name, properties } = isRecord(value) ? value : {};
  const listed: readonly unknown[] = Array.isArray(properties) ? [...properties] : [];
  if (
    typeof name !== "string" ||
    !Array.isArray(properties) ||
    !listed.every((item) => typeof item === "string")
  ) {
    report(scope, "definition-invalid", {
      what: `A key of ${scope.what}`,
      expected: "an object with a name and a list of property names",
      actual: nameOf(value),
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

/** Keys name properties as the code does; a name that no property has stays what it is, for the checks to report. */
function serializedName(name: string, schema: SchemaDocument): string {
  const properties = schema.root.kind === "object" ? schema.root.properties : [];
  return properties.find((property) => property.name === name)?.jsonName ?? name;
}
