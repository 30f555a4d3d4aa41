/** The writes of an object as actions: what they take and give. */
import type { ActionModel } from "../../../schemas/model/connector-model.js";
import type {
  ObjectSchema,
  PropertyModel,
  SchemaDocument,
  SchemaModel,
} from "../../../schemas/model/schema-model.js";
import { standardFailure } from "../../../schemas/model/standard-failure.js";
import { propertyIdentifier, unique } from "../../../schemas/naming/identifiers.js";
import { urlPartOf } from "../../../schemas/naming/words.js";
import type { PlannedObject, PlannedWrite } from "../inference/plan.js";
import { isDecided } from "../inference/plan.js";
import type { Shapes } from "../reading/shapes.js";
import { inputProperties, inputSchema } from "./input-schema.js";

/** The writes that become actions: those that are known whole, of an object that can be read. */
export function writesTaken(object: PlannedObject): readonly PlannedWrite[] {
  return isDecided(object) ? object.writes.filter(({ problem }) => problem === undefined) : [];
}

/** The actions of an object with this record. */
export function importedActions(
  object: PlannedObject,
  record: ObjectSchema,
  shapes: Shapes,
): readonly ActionModel[] {
  return writesTaken(object).map((write): ActionModel => {
    const { name, operation } = write;
    const summary = operation.summary.trim() || operation.description.trim().split("\n")[0] || "";
    const urlPart = urlPartOf(name);
    const input = inputOf(write, record, shapes);
    return {
      kind: "action",
      name,
      title: name,
      urlPart,
      key: urlPart,
      description: summary === "" ? `${name}s a record of the target system.` : summary,
      createRtap: true,
      input: documentOf(input),
      output: documentOf(outputOf(write, input, { object, record })),
      failure: standardFailure(),
    };
  });
}

/** Whether a path can hold the value: a property of the same name may be the whole parent. */
function isPathPart(schema: SchemaModel | undefined): boolean {
  return schema !== undefined && /^(?:string|integer|number|enum)$/.test(schema.kind);
}

/** What a path can hold of which nothing is known. */
const TEXT: SchemaModel = { kind: "string", nullable: false, keywords: [] };

function documentOf(properties: readonly PropertyModel[]): SchemaDocument {
  return { root: { kind: "object", nullable: false, properties, keywords: [] }, definitions: [] };
}

/** What stands in the path, then the body. */
function inputOf(write: PlannedWrite, record: ObjectSchema, shapes: Shapes): readonly PropertyModel[] {
  const { operation, sent } = write;
  const named = sent.flatMap(({ source, parameter }) => {
    if (source.kind !== "input") return [];
    const own = record.properties.find(({ jsonName }) => jsonName === source.property)?.schema;
    const stated = parameter === undefined ? TEXT : inputSchema(parameter.schema, shapes);
    const schema = [own, stated].find(isPathPart) ?? TEXT;
    return [{ jsonName: source.property, required: true, schema }];
  });
  const body =
    operation.body === undefined || write.name === "Delete"
      ? []
      : inputProperties(operation.body.schema, shapes);
  const taken = new Set<string>();
  const names = new Set(named.map(({ jsonName }) => jsonName));
  return [...named, ...body.filter(({ jsonName }) => !names.has(jsonName))].map((property) => ({
    ...property,
    name: unique(propertyIdentifier(property.jsonName), taken),
  }));
}

/** The key of the record. What nobody may know after the call is optional. */
function outputOf(
  write: PlannedWrite,
  input: readonly PropertyModel[],
  { object, record }: { readonly object: PlannedObject; readonly record: ObjectSchema },
): readonly PropertyModel[] {
  const isGiven = (name: string) => input.some(({ jsonName, required }) => jsonName === name && required);
  const isTold = (name: string) => {
    if (write.record?.kind !== "reread") return write.record !== undefined;
    const { item } = write.record;
    return item === undefined || (item.kind === "answered" && item.property === name);
  };
  return record.properties
    .filter(({ jsonName }) => object.key.value.includes(jsonName))
    .map((property) => ({
      ...property,
      required: isTold(property.jsonName) || isGiven(property.jsonName),
    }));
}
