/** Descriptions that are missing, or that a template left behind (spec §2.9). */
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { ConnectorModel } from "../model/connector-model.js";
import { connectionsOf, modulesOf } from "./model-parts.js";
import { CONNECTOR_PLACE, found, type ModelPlace } from "./place.js";
import { isPlaceholder } from "./placeholder-text.js";
import { isPlatformSwitch } from "./platform-switches.js";
import { textIn } from "./schema-view.js";
import type { VisitedSchema } from "./visit-schemas.js";

/** The descriptions of connector, connections, modules, data objects and actions. */
export function checkDescriptions(model: ConnectorModel): readonly Diagnostic[] {
  return [
    ...required(CONNECTOR_PLACE, model.description, [model.name]),
    // A connection's description may be empty (§2.1), and whether it is there the model builder says.
    ...connectionsOf(model).flatMap(({ connection, place }) =>
      written(place, connection.description, [connection.className]),
    ),
    ...modulesOf(model).flatMap(({ module, place, objects }) => [
      ...required(place, module.description, [module.name]),
      ...objects.flatMap(({ object, place: objectPlace, actions }) => [
        ...required(objectPlace, object.description, [object.className, object.name]),
        ...actions.flatMap(({ action, place: actionPlace }) =>
          required(actionPlace, action.description, [action.className, action.name]),
        ),
      ]),
    ]),
  ];
}

/** The description of one schema. Items and values are described by the property that holds them. */
export function checkSchemaDescription(visited: VisitedSchema): readonly Diagnostic[] {
  const { view, definition, place, position, role, condition, name, jsonName } = visited;
  if (condition || role === "attribute" || isPlatformSwitch(visited)) return [];
  const own = textIn(view, "description");
  // The description of a data object stands on its schema as well, and is looked at there.
  if (position === "property") {
    const description = own ?? (definition && textIn(definition, "description")) ?? "";
    return required(place, description, [name, jsonName]);
  }
  const isNamed = position === "definition" || (position === "root" && role !== "dataObject");
  return isNamed && own !== undefined ? written(place, own, []) : [];
}

function required(place: ModelPlace, description: string, names: readonly string[]): readonly Diagnostic[] {
  return description.trim() === ""
    ? [found("description-missing", place, { what: place.what })]
    : written(place, description, names);
}

function written(place: ModelPlace, text: string, names: readonly string[]): readonly Diagnostic[] {
  if (text.trim() === "" || !isPlaceholder(text, names)) return [];
  return [found("description-placeholder", place, { what: place.what, text })];
}
