/** From a pointer into connector.json to the names that lead there in the author's code. */
import type { ConnectorModel, DataObjectModel } from "../../schemas/model/connector-model.js";
import type { PropertyModel, SchemaDocument, SchemaModel } from "../../schemas/model/schema-model.js";
import { pointerSteps } from "../../schemas/naming/json-pointer.js";

type CodePath = readonly (string | number)[];

/** The names below the innermost definition that holds `pointer`; as many as can be told. */
export function codePath(model: ConnectorModel, pointer: string): CodePath {
  const [first = "", index = "", ...rest] = pointerSteps(pointer);
  if (first === "configSchema")
    return schemaPath("schema", model.registrationConfiguration, [index, ...rest]);
  if (first === "connectionDefinitions") return connectionPath(model, Number(index), rest);
  if (first === "modules") return modulePath(model, Number(index), rest);
  return first === "" ? [] : [first];
}

function connectionPath(
  model: ConnectorModel,
  index: number,
  [member = "", position = ""]: readonly string[],
): CodePath {
  const attribute = model.connections[index]?.attributes[Number(position)];
  if (member !== "attributes" || attribute === undefined) return member === "" ? [] : [member];
  return ["properties", attribute.name];
}

function modulePath(model: ConnectorModel, index: number, steps: readonly string[]): CodePath {
  const [member = "", position = "", ...rest] = steps;
  const module = model.modules[index];
  const service = member === "services" ? module?.services[Number(position)] : undefined;
  if (service !== undefined) return schemaPath("schema", service.configuration, rest.slice(1));
  const object = member === "dataObjects" ? module?.dataObjects[Number(position)] : undefined;
  return object === undefined ? named(member) : objectPath(object, rest);
}

function objectPath(object: DataObjectModel, [part = "", place = "", ...inner]: readonly string[]): CodePath {
  if (part === "schema") return schemaPath("schema", object.schema, [place, ...inner]);
  if (part === "keys") return keyPath(Number(place), object.keys[0]?.isPrimary === true ? 1 : 0);
  const action = part === "actions" ? object.actions[Number(place)] : undefined;
  if (action === undefined) return named(part);
  const [payload = "", ...steps] = inner;
  const role = ROLES.find((one) => payload === `${one}Schema`);
  return role === undefined ? named(payload) : schemaPath(role, action[role], steps);
}

const ROLES = ["input", "output", "failure"] as const;

function named(member: string): CodePath {
  return member === "" ? [] : [member];
}

function keyPath(index: number, first: number): CodePath {
  if (Number.isNaN(index)) return [];
  return index < first ? ["primaryKey"] : ["alternateKeys", index - first];
}

/** Names of properties only: items and values of dictionaries have none. */
function schemaPath(start: string, { root }: SchemaDocument, steps: readonly string[]): CodePath {
  const path = [start];
  let schema: SchemaModel | undefined = root;
  for (let at = 0; at < steps.length && schema !== undefined; at++) {
    const step = steps[at] ?? "";
    if (step === "properties") {
      const property = propertyOf(schema, steps[++at]);
      if (property !== undefined) path.push(property.name);
      schema = property?.schema;
    } else schema = innerOf(schema, step);
  }
  return path;
}

function propertyOf(schema: SchemaModel, name: string | undefined): PropertyModel | undefined {
  return schema.kind === "object" ? schema.properties.find(({ jsonName }) => jsonName === name) : undefined;
}

function innerOf(schema: SchemaModel, step: string): SchemaModel | undefined {
  if (schema.kind === "array" && step === "items") return schema.items;
  return schema.kind === "dictionary" && step === "additionalProperties" ? schema.values : undefined;
}
