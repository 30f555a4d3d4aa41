/** The switches that stand in service configurations by themselves: one a data object, one an action (spec §2.8). */
import type { TSchema } from "@sinclair/typebox";
import {
  CacheWriterObjectConfig,
  DefaultActionHandlerConfig,
  IncrementalObjectConfig,
} from "../../authoring/configuration.js";
import { propertyIdentifier } from "../../naming/identifiers.js";
import { actionSwitchName, objectSwitchName, type ServiceType } from "../../naming/service-names.js";
import type { DataObjectModel } from "../connector-model.js";
import type { PropertyModel, SchemaModel } from "../schema-model.js";
import { buildDocument } from "./build-schema.js";
import { newScope } from "./scope.js";

/** The schema of each kind of switch, by the name that authors write it with. */
export const SWITCH_SCHEMAS = {
  CacheWriterObjectConfig: switchSchema(CacheWriterObjectConfig()),
  IncrementalObjectConfig: switchSchema(IncrementalObjectConfig()),
  DefaultActionHandlerConfig: switchSchema(DefaultActionHandlerConfig()),
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

function switchSchema(schema: TSchema): SchemaModel {
  return buildDocument(schema, newScope("a switch", "PascalCase")).root;
}
