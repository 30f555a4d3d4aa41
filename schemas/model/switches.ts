/** The switches that stand in service configurations by themselves: one a data object, one an action (spec §2.8). */
import { fromPlain } from "../formats/json-tree.js";
import { propertyIdentifier } from "../naming/identifiers.js";
import { actionSwitchName, objectSwitchName, type ServiceType } from "../naming/service-names.js";
import { type DataObjectModel, deepFreeze } from "./connector-model.js";
import { readSchema } from "./read-schema.js";
import type { PropertyModel, SchemaModel } from "./schema-model.js";

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

/** The members that the configuration of a service has for these objects, in the order of registration. */
export function switchesOf(type: ServiceType, objects: readonly DataObjectModel[]): readonly PropertyModel[] {
  switch (type) {
    case "CacheWriter":
      return objects.map(({ className, readerType }) =>
        member(
          objectSwitchName(className),
          readerType === "incremental" ? "IncrementalObjectConfig" : "CacheWriterObjectConfig",
        ),
      );
    case "ActionProcessor":
      return objects.flatMap(({ className, actions }) =>
        actions.map((action) =>
          member(actionSwitchName(action.className, className), "DefaultActionHandlerConfig"),
        ),
      );
    default:
      return type satisfies never;
  }
}

function member(jsonName: string, kind: keyof typeof SWITCH_SCHEMAS): PropertyModel {
  return { name: propertyIdentifier(jsonName), jsonName, required: false, schema: SWITCH_SCHEMAS[kind] };
}

function switchSchema(properties: Readonly<Record<string, unknown>>): SchemaModel {
  return deepFreeze(readSchema(fromPlain({ type: "object", properties })));
}
