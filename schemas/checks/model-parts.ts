/** The parts of a model in its order, each with its place: the one list that all checks go through. */
import type {
  ActionModel,
  ConnectionModel,
  ConnectorModel,
  DataObjectModel,
  ModuleModel,
} from "../model/connector-model.js";
import type { SchemaDocument } from "../model/schema-model.js";
import { standardFailure } from "../model/standard-failure.js";
import { below, CONNECTOR_PLACE, definedBelow, type ModelPlace } from "./place.js";
import { sameSchema } from "./same-schema.js";

export interface PlacedConnection {
  readonly connection: ConnectionModel;
  readonly place: ModelPlace;
}

export interface PlacedModule {
  readonly module: ModuleModel;
  readonly place: ModelPlace;
  readonly objects: readonly PlacedObject[];
}

export interface PlacedObject {
  readonly object: DataObjectModel;
  readonly place: ModelPlace;
  readonly actions: readonly PlacedAction[];
}

export interface PlacedAction {
  readonly action: ActionModel;
  readonly place: ModelPlace;
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

export interface PlacedDocument {
  readonly role: DocumentRole;
  readonly document: SchemaDocument;
  readonly place: ModelPlace;
}

export function connectionsOf(model: ConnectorModel): readonly PlacedConnection[] {
  return model.connections.map((connection, index) => ({
    connection,
    place: definedBelow(CONNECTOR_PLACE, `connection "${connection.className}"`, [
      "connectionDefinitions",
      index,
    ]),
  }));
}

/** The place of one property of a connection. */
export function attributePlace({ connection, place }: PlacedConnection, index: number): ModelPlace {
  const name = connection.attributes[index]?.name ?? "";
  return below(place, {
    what: `"${name}" of ${place.what}`,
    pointer: ["attributes", index],
    path: ["properties", name],
  });
}

export function modulesOf(model: ConnectorModel): readonly PlacedModule[] {
  return model.modules.map((module, index) => {
    const place = definedBelow(CONNECTOR_PLACE, `module "${module.name}"`, ["modules", index]);
    return { module, place, objects: objectsOf(module, place) };
  });
}

/** The place of one service configuration of a module. */
export function servicePlace({ module, place }: PlacedModule, index: 0 | 1): ModelPlace {
  const what = `the configuration of service ${module.services[index].type} of ${place.what}`;
  return below(definedBelow(place, what, ["services", index, "configSchema"]), { path: ["schema"] });
}

/** Every document of the model but the standard failure, which its author did not write. */
export function documentsOf(model: ConnectorModel): readonly PlacedDocument[] {
  const registration = definedBelow(CONNECTOR_PLACE, "the registration configuration", ["configSchema"]);
  return [
    ...connectionsOf(model).flatMap(attributeDocuments),
    {
      role: "registration",
      document: model.registrationConfiguration,
      place: below(registration, { path: ["schema"] }),
    },
    ...modulesOf(model).flatMap(moduleDocuments),
  ];
}

function objectsOf(module: ModuleModel, owner: ModelPlace): readonly PlacedObject[] {
  return module.dataObjects.map((object, index) => {
    const what = `data object "${object.className}"`;
    const place = definedBelow(owner, what, ["dataObjects", index]);
    const actions = object.actions.map((action, position) => ({
      action,
      place: definedBelow(place, `action "${action.className}" of ${what}`, ["actions", position]),
    }));
    return { object, place, actions };
  });
}

function attributeDocuments(placed: PlacedConnection): readonly PlacedDocument[] {
  return placed.connection.attributes.map(({ schema }, index) => ({
    role: "attribute",
    document: { root: schema, definitions: [] },
    place: attributePlace(placed, index),
  }));
}

function moduleDocuments(placed: PlacedModule): readonly PlacedDocument[] {
  const service = (index: 0 | 1): PlacedDocument => ({
    role: "service",
    document: placed.module.services[index].configuration,
    place: servicePlace(placed, index),
  });
  return [service(0), service(1), ...placed.objects.flatMap(objectDocuments)];
}

function objectDocuments({ object, place, actions }: PlacedObject): readonly PlacedDocument[] {
  const schema = below(place, { pointer: ["schema"], path: ["schema"] });
  return [
    { role: "dataObject", document: object.schema, place: schema },
    ...actions.flatMap(actionDocuments),
  ];
}

function actionDocuments({ action, place }: PlacedAction): readonly PlacedDocument[] {
  const payload = (role: "input" | "output" | "failure"): PlacedDocument => ({
    role,
    document: action[role],
    place: below(place, {
      what: `the ${role} of ${place.what}`,
      pointer: [`${role}Schema`],
      path: [role],
    }),
  });
  const standard = sameSchema(action.failure.root, standardFailure().root);
  return [payload("input"), payload("output"), ...(standard ? [] : [payload("failure")])];
}
