/** Gives changes their lines: in the old file, and in the author's code. */
import type { Change } from "../../schemas/compatibility/change.js";
import { pointerSteps } from "../../schemas/json.js";
import type { ConnectorModel, DataObjectModel } from "../../schemas/model/connector-model.js";
import type { PropertyModel, SchemaDocument, SchemaModel } from "../../schemas/model/schema-model.js";
import type { CodePlace, LoadedProject } from "../author-project/loaded-project.js";
import { nearestOrigin } from "../author-project/locate.js";
import { SourceIndex } from "../author-project/source-index.js";
import { readTextIfExists } from "../system/read-text.js";
import type { OldConnector } from "./old-connector.js";

/** The changes with file, line and column on both sides, where they can be told. */
export function locateChanges(
  changes: readonly Change[],
  old: OldConnector,
  project: Pick<LoadedProject, "model" | "origins">,
): readonly Change[] {
  const placeOf = codeLocator(project);
  return changes.map((change) => ({
    ...change,
    old: { ...change.old, file: old.file, ...old.document.place(indexedSteps(change.old.pointer)) },
    new: { ...change.new, ...placeOf(change.new.pointer) },
  }));
}

/** Tells where the author's code says what stands at a pointer of `connector.json`; undefined if that is not known. */
export function codeLocator({
  model,
  origins = [],
}: Pick<LoadedProject, "model" | "origins">): (pointer: string) => CodePlace | undefined {
  const calls = new Map(origins);
  const indexes = new Map<string, SourceIndex>();
  return (pointer) => {
    const origin = nearestOrigin(pointer, calls);
    const call = origin === undefined ? undefined : calls.get(origin);
    if (model === undefined || call === undefined) return undefined;
    const index = indexes.get(call.file) ?? new SourceIndex(readTextIfExists(call.file) ?? "");
    indexes.set(call.file, index);
    return { ...call, ...index.find(call, codePath(model, pointer)) };
  };
}

/** Steps as the JSON reader takes them: indexes of arrays as numbers. */
function indexedSteps(pointer: string): readonly (string | number)[] {
  return pointerSteps(pointer).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

type CodePath = readonly (string | number)[];

/** The names below the innermost definition that holds `pointer`; as many as can be told. */
function codePath(model: ConnectorModel, pointer: string): CodePath {
  const [first = "", index = "", ...rest] = pointerSteps(pointer);
  if (first === "configSchema")
    return schemaPath("properties", model.registrationConfiguration, [index, ...rest]);
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
  if (service !== undefined) return schemaPath("properties", service.configuration, rest.slice(1));
  const object = member === "dataObjects" ? module?.dataObjects[Number(position)] : undefined;
  return object === undefined ? pathOfMember(member) : objectPath(object, rest);
}

function objectPath(object: DataObjectModel, [part = "", place = "", ...inner]: readonly string[]): CodePath {
  if (part === "schema") return schemaPath("properties", object.schema, [place, ...inner]);
  if (part === "keys") return keyPath(Number(place), object.keys[0]?.isPrimary === true ? 1 : 0);
  const action = part === "actions" ? object.actions[Number(place)] : undefined;
  if (action === undefined) return pathOfMember(part);
  const [payload = "", ...steps] = inner;
  const role = PAYLOAD_ROLES.find((role) => payload === `${role}Schema`);
  return role === undefined ? pathOfMember(payload) : schemaPath(role, action[role], steps);
}

const PAYLOAD_ROLES = ["input", "output", "failure"] as const;

function pathOfMember(member: string): CodePath {
  return member === "" ? [] : [member];
}

function keyPath(index: number, primaryCount: number): CodePath {
  if (Number.isNaN(index)) return [];
  return index < primaryCount ? ["primaryKey"] : ["alternateKeys", index - primaryCount];
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
