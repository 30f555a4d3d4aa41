/** The parts of a model in its order, each with its location: the one list that all checks go through. */
import {
  CONNECTOR_LOCATION,
  definedWithin,
  type Location,
  PART_NAMES,
  within,
} from "../../diagnostics/locations.js";
import type {
  ActionModel,
  ConnectionModel,
  ConnectorModel,
  DataObjectModel,
  ModuleModel,
} from "../../model/connector-model.js";
import type { SchemaDocument } from "../../model/schema-model.js";
import { resemblesStandardFailure } from "../../model/standard-failure.js";

export interface LocatedConnection {
  readonly connection: ConnectionModel;
  readonly location: Location;
}

export interface LocatedModule {
  readonly module: ModuleModel;
  readonly location: Location;
  readonly objects: readonly LocatedObject[];
}

export interface LocatedObject {
  readonly object: DataObjectModel;
  readonly location: Location;
  readonly actions: readonly LocatedAction[];
}

export interface LocatedAction {
  readonly action: ActionModel;
  readonly location: Location;
}

/** What a document describes: rules differ. */
export type DocumentRole =
  | "attribute"
  | "registration"
  | "service"
  | "dataObject"
  | "input"
  | "output"
  | "failure";

export interface LocatedDocument {
  readonly role: DocumentRole;
  readonly document: SchemaDocument;
  readonly location: Location;
}

export function connectionsOf(model: ConnectorModel): readonly LocatedConnection[] {
  return model.connections.map((connection, index) => ({
    connection,
    location: definedWithin(CONNECTOR_LOCATION, PART_NAMES.connection(connection.name), [
      "connectionDefinitions",
      index,
    ]),
  }));
}

/** The location of one property of a connection. */
export function attributeLocation({ connection, location }: LocatedConnection, index: number): Location {
  const name = connection.attributes[index]?.name ?? "";
  return within(location, {
    what: PART_NAMES.property(name, location.what),
    pointer: ["attributes", index],
    path: ["properties", name],
  });
}

export function modulesOf(model: ConnectorModel): readonly LocatedModule[] {
  return model.modules.map((module, index) => {
    const location = definedWithin(CONNECTOR_LOCATION, PART_NAMES.module(module.name), ["modules", index]);
    return { module, location, objects: objectsOf(module, location) };
  });
}

/** The location of one service configuration of a module. */
export function serviceLocation({ module, location }: LocatedModule, index: 0 | 1): Location {
  const what = PART_NAMES.service(module.services[index].type, location.what);
  return within(definedWithin(location, what, ["services", index, "configSchema"]), { path: ["properties"] });
}

/** Every document of the model but the standard failure, which its author did not write. */
export function documentsOf(model: ConnectorModel): readonly LocatedDocument[] {
  const registration = definedWithin(CONNECTOR_LOCATION, PART_NAMES.registrationConfiguration, [
    "configSchema",
  ]);
  return [
    ...connectionsOf(model).flatMap(attributeDocuments),
    {
      role: "registration",
      document: model.registrationConfiguration,
      location: within(registration, { path: ["properties"] }),
    },
    ...modulesOf(model).flatMap(moduleDocuments),
  ];
}

function objectsOf(module: ModuleModel, owner: Location): readonly LocatedObject[] {
  return module.dataObjects.map((object, index) => {
    const what = PART_NAMES.dataObject(object.name);
    const location = definedWithin(owner, what, ["dataObjects", index]);
    const actions = object.actions.map((action, position) => ({
      action,
      location: definedWithin(location, PART_NAMES.action(action.name, what), ["actions", position]),
    }));
    return { object, location, actions };
  });
}

function attributeDocuments(located: LocatedConnection): readonly LocatedDocument[] {
  return located.connection.attributes.map(({ schema }, index) => ({
    role: "attribute",
    document: { root: schema, definitions: [] },
    location: attributeLocation(located, index),
  }));
}

function moduleDocuments(located: LocatedModule): readonly LocatedDocument[] {
  const service = (index: 0 | 1): LocatedDocument => ({
    role: "service",
    document: located.module.services[index].configuration,
    location: serviceLocation(located, index),
  });
  return [service(0), service(1), ...located.objects.flatMap(objectDocuments)];
}

function objectDocuments({ object, location, actions }: LocatedObject): readonly LocatedDocument[] {
  const schema = within(location, { pointer: ["schema"], path: ["properties"] });
  return [
    { role: "dataObject", document: object.schema, location: schema },
    ...actions.flatMap(actionDocuments),
  ];
}

function actionDocuments({ action, location }: LocatedAction): readonly LocatedDocument[] {
  const payload = (role: "input" | "output" | "failure"): LocatedDocument => ({
    role,
    document: action[role],
    location: within(location, {
      what: PART_NAMES.payload(role, location.what),
      pointer: [`${role}Schema`],
      path: [role],
    }),
  });
  const standard = resemblesStandardFailure(action.failure);
  return [payload("input"), payload("output"), ...(standard ? [] : [payload("failure")])];
}
