/** Mends the keys of an imported model where one right answer exists: what a key uses becomes required and never null. */

import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.js";
import { deepFreeze, isJsonArray, isJsonObject, jsonPointer, memberOf } from "../json.js";
import type { ConnectorModel, DataObjectModel, KeyModel } from "./connector-model.js";
import { readSchema } from "./read-schema.js";
import type { PropertyModel, SchemaModel } from "./schema-model.js";

export interface RepairResult {
  readonly model: ConnectorModel;
  /** Every change, and every key that could not be mended. */
  readonly diagnostics: readonly Diagnostic[];
}

/** `model` with its keys mended (spec §2.6). */
export function repairKeys(model: ConnectorModel): RepairResult {
  const diagnostics: Diagnostic[] = [];
  const modules = model.modules.map((module, moduleIndex) => ({
    ...module,
    dataObjects: module.dataObjects.map((object, index) => {
      const pointer = ["modules", moduleIndex, "dataObjects", index];
      return repairObject(object, pointer, diagnostics);
    }),
  }));
  return { model: deepFreeze({ ...model, modules }), diagnostics };
}

function repairObject(
  object: DataObjectModel,
  pointer: readonly (string | number)[],
  diagnostics: Diagnostic[],
): DataObjectModel {
  const { root } = object.schema;
  const properties = new Map(keyedProperties(root).map((property) => [property.jsonName, property]));
  for (const [index, key] of object.keys.entries()) {
    const names = { key: key.name, object: object.name };
    const place = { pointer: jsonPointer([...pointer, "keys", index]) };
    const unmended: string[] = [];
    for (const property of key.propertyNames) {
      const mended = repairProperty(properties.get(property));
      if (mended === undefined) continue;
      if (root.kind !== "object") {
        unmended.push(
          `uses "${property}", which may be absent or null in a schema that TypeBox has no type for`,
        );
        continue;
      }
      properties.set(property, mended);
      diagnostics.push(diagnostic("import-repaired", place, { ...names, property }));
    }
    const problem = remainingProblem(key, properties) ?? unmended[0];
    if (problem !== undefined)
      diagnostics.push(diagnostic("import-not-repaired", place, { ...names, problem }));
  }
  if (root.kind !== "object") return object;
  return { ...object, schema: { ...object.schema, root: { ...root, properties: [...properties.values()] } } };
}

/** The properties that a key can name; those of a schema that is carried verbatim are verbatim themselves. */
function keyedProperties(root: SchemaModel): readonly PropertyModel[] {
  if (root.kind === "object") return root.properties;
  const tree = root.kind === "verbatim" ? root.json : undefined;
  const [properties, required] = [memberOf(tree, "properties"), memberOf(tree, "required")];
  if (!isJsonObject(properties)) return [];
  return properties.members.map(
    ([name, json]): PropertyModel => ({
      name,
      jsonName: name,
      required: isJsonArray(required) && required.includes(name),
      schema: readSchema(json),
    }),
  );
}

/** The property as a key needs it; undefined where it is so already, or can't be. */
function repairProperty(property: PropertyModel | undefined): PropertyModel | undefined {
  if (property === undefined) return undefined;
  const schema = withoutNull(property.schema);
  return property.required && schema === property.schema
    ? undefined
    : { ...property, required: true, schema };
}

function withoutNull(schema: SchemaModel): SchemaModel {
  return "nullable" in schema && schema.nullable ? { ...schema, nullable: false } : schema;
}

function remainingProblem(key: KeyModel, properties: ReadonlyMap<string, PropertyModel>): string | undefined {
  if (key.propertyNames.length === 0) return "lists no property";
  const unknown = key.propertyNames.find((name) => !properties.has(name));
  return unknown === undefined ? undefined : `names "${unknown}", and no property has that name`;
}
