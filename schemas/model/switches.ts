/** The switches that stand in service configurations by themselves: one a data object, one an action (spec §2.8). */
import { deepFreeze, fromPlain } from "../json.js";
import { propertyIdentifier } from "../naming/identifiers.js";
import { actionSwitchName, objectSwitchName, type ServiceType } from "../naming/service-names.js";
import type { ActionModel, DataObjectModel, ServiceModel } from "./connector-model.js";
import { readSchema } from "./read-schema.js";
import type { PropertyModel, SchemaDocument, SchemaModel } from "./schema-model.js";

const UPLOAD = { UploadObject: { type: "boolean" } };

/** The schema of each kind of switch, by the name that authors write it with. */
export const SWITCH_SCHEMAS = {
  CacheWriterObjectConfig: switchSchema(UPLOAD),
  IncrementalObjectConfig: switchSchema({
    ...UPLOAD,
    EnableModifiedSince: { type: "boolean", readOnly: true },
    Checkpoint: { type: ["string", "null"] },
  }),
  DefaultActionHandlerConfig: switchSchema({ ProcessQueuedEvent: { type: "boolean" } }),
} as const;

/** The flag of each kind of switch, as the platform calls it (§2.8). */
const FLAGS: Readonly<Record<ServiceType, string>> = {
  ActionProcessor: "ProcessQueuedEvent",
  CacheWriter: "UploadObject",
};

/** A data object or an action that a service configuration switches. */
export interface SwitchedPart {
  readonly object: DataObjectModel;
  /** Undefined if the object itself is switched. */
  readonly action: ActionModel | undefined;
  /** The platform's name of the switch; a naming convention may have changed the serialized one. */
  readonly switchName: string;
}

/** What a service configuration switches, in the order of registration. */
export function switchedParts(
  type: ServiceType,
  objects: readonly DataObjectModel[],
): readonly SwitchedPart[] {
  switch (type) {
    case "CacheWriter":
      return objects.map((object) => ({
        object,
        action: undefined,
        switchName: objectSwitchName(object.name),
      }));
    case "ActionProcessor":
      return objects.flatMap((object) =>
        object.actions.map((action) => ({
          object,
          action,
          switchName: actionSwitchName(action.name, object.name),
        })),
      );
    default:
      return type satisfies never;
  }
}

/** The members that the configuration of a service has for these objects, in the order of registration. */
export function switchesOf(type: ServiceType, objects: readonly DataObjectModel[]): readonly PropertyModel[] {
  return switchedParts(type, objects).map(({ object, action, switchName }) => {
    if (action !== undefined) return switchProperty(switchName, "DefaultActionHandlerConfig");
    const isIncremental = object.readerType === "incremental";
    return switchProperty(switchName, isIncremental ? "IncrementalObjectConfig" : "CacheWriterObjectConfig");
  });
}

/** A switch as a service configuration has it. */
export interface ServiceSwitch extends SwitchedPart {
  /** Undefined if the configuration has none. */
  readonly property: PropertyModel | undefined;
  /** The property of the switch that is its flag; undefined if the switch has none. */
  readonly flag: PropertyModel | undefined;
  /** The platform's name of the flag. */
  readonly flagName: string;
}

/** The switches of a service, in the order of registration. */
export function serviceSwitches(
  { type, configuration }: Pick<ServiceModel, "type" | "configuration">,
  objects: readonly DataObjectModel[],
): readonly ServiceSwitch[] {
  const parts = switchedParts(type, objects);
  const names = parts.map(({ switchName }) => switchName);
  const own = propertiesOf(configuration.root, configuration);
  const flagName = FLAGS[type];
  return parts.map((part) => {
    const property = findSwitch(own, part.switchName, names);
    const members = property === undefined ? [] : propertiesOf(property.schema, configuration);
    return { ...part, property, flagName, flag: findSwitch(members, flagName) };
  });
}

/**
 * The property that is the switch `name`, in whatever naming convention it is serialized.
 * @param taken Names of other switches: a property of such a name is none but that switch.
 */
export function findSwitch(
  properties: readonly PropertyModel[],
  name: string,
  taken: readonly string[] = [],
): PropertyModel | undefined {
  const letters = lettersOf(name);
  return (
    properties.find(({ jsonName }) => jsonName === name) ??
    properties.find(({ jsonName }) => lettersOf(jsonName) === letters && !taken.includes(jsonName))
  );
}

/** The letters and digits of a name, which are the same in every naming convention. */
export function lettersOf(name: string): string {
  return name.replace(/[-_]/g, "").toLowerCase();
}

/** The properties of an object, also of one that refers to a definition of its document; none of any other value. */
export function propertiesOf(schema: SchemaModel, { definitions }: SchemaDocument): readonly PropertyModel[] {
  if (schema.kind === "object") return schema.properties;
  if (schema.kind !== "reference") return [];
  const target = definitions.find(({ name }) => name === schema.definition)?.schema;
  return target?.kind === "object" ? target.properties : [];
}

function switchProperty(jsonName: string, kind: keyof typeof SWITCH_SCHEMAS): PropertyModel {
  return { name: propertyIdentifier(jsonName), jsonName, required: false, schema: SWITCH_SCHEMAS[kind] };
}

function switchSchema(properties: Readonly<Record<string, unknown>>): SchemaModel {
  return deepFreeze(readSchema(fromPlain({ type: "object", properties })));
}
