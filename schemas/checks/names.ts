/** Names that are empty, taken twice, or that generated code can't carry (spec §1.7, §2.9). */
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { ConnectorModel } from "../model/connector-model.js";
import { isIdentifier, isReserved } from "../naming/identifiers.js";
import {
  attributePlace,
  connectionsOf,
  modulesOf,
  type PlacedAction,
  type PlacedConnection,
  type PlacedModule,
  type PlacedObject,
} from "./model-parts.js";
import { below, CONNECTOR_PLACE, found, type ModelPlace } from "./place.js";

/** What is wrong with the names of connector, connections, modules, data objects and actions. */
export function checkNames(model: ConnectorModel): readonly Diagnostic[] {
  const connections = connectionsOf(model);
  const modules = modulesOf(model);
  return [
    ...empty(CONNECTOR_PLACE, { name: model.name, key: model.key, urlPart: model.urlPart }),
    ...connections.flatMap(checkConnection),
    ...duplicates(
      "connection",
      CONNECTOR_PLACE.what,
      connections.map(({ connection, place }) => ({ name: connection.key, place })),
    ),
    ...modules.flatMap(checkModule),
    ...duplicates(
      "module",
      CONNECTOR_PLACE.what,
      modules.map(({ module, place }) => ({ name: module.id, place })),
    ),
  ];
}

function checkConnection(placed: PlacedConnection): readonly Diagnostic[] {
  const { connection, place } = placed;
  return [
    ...empty(place, { name: connection.className, key: connection.key, title: connection.title }),
    ...checkClass(connection.className, connection.className, "connection", place),
    ...connection.attributes.flatMap(({ name, key, title }, index) =>
      empty(attributePlace(placed, index), { name, key, title }),
    ),
  ];
}

function checkModule({ module, place, objects }: PlacedModule): readonly Diagnostic[] {
  return [
    ...empty(place, { name: module.name, key: module.key, urlPart: module.urlPart }),
    ...objects.flatMap(checkObject),
    ...duplicates(
      "data object",
      place.what,
      objects.map((placed) => ({ name: placed.object.className, place: placed.place })),
    ),
  ];
}

function checkObject({ object, place, actions }: PlacedObject): readonly Diagnostic[] {
  return [
    ...empty(place, {
      name: object.className,
      title: object.name,
      urlPart: object.urlPart,
      key: object.key,
    }),
    ...checkClass(object.className, object.className, "data object", place),
    ...actions.flatMap((placed) => checkAction(placed, object.className)),
    ...duplicates(
      "action",
      place.what,
      actions.map((placed) => ({ name: placed.action.className, place: placed.place })),
    ),
  ];
}

function checkAction({ action, place }: PlacedAction, object: string): readonly Diagnostic[] {
  return [
    ...empty(place, {
      name: action.className,
      title: action.name,
      urlPart: action.urlPart,
      key: action.key,
    }),
    // `Delete` is a good name: what it names in the code is `DeleteEmployee`.
    ...checkClass(action.className, `${action.className}${object}`, "action", place),
  ];
}

/** The first field that is empty: the others follow from it. */
function empty(place: ModelPlace, fields: Readonly<Record<string, string>>): readonly Diagnostic[] {
  const field = Object.keys(fields).find((name) => fields[name]?.trim() === "");
  if (field === undefined) return [];
  return [found("name-empty", below(place, { path: [field] }), { field, what: place.what })];
}

/** `generated` is the identifier that the name becomes in generated code. */
function checkClass(name: string, generated: string, kind: string, place: ModelPlace): readonly Diagnostic[] {
  if (name.trim() === "") return [];
  if (!isIdentifier(name)) return [found("name-not-identifier", place, { name, kind })];
  return isReserved(generated) ? [found("name-reserved", place, { name, kind })] : [];
}

function duplicates(
  kind: string,
  what: string,
  named: readonly { readonly name: string; readonly place: ModelPlace }[],
): readonly Diagnostic[] {
  const seen = new Set<string>();
  return named.flatMap(({ name, place }) => {
    const isNew = seen.size < seen.add(name).size;
    return isNew || name === "" ? [] : [found("name-duplicate", place, { kind, what, name })];
  });
}
