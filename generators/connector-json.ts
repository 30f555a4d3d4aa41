/** Writes the model as `connector.json`: the order of members is the platform's, nothing is left out for being empty. */

import { jsonText } from "../schemas/formats/json-text.js";
import { type JsonTree, membersOf } from "../schemas/json.js";
import type {
  ActionModel,
  AttributeModel,
  ConnectionModel,
  ConnectorModel,
  DataObjectModel,
  KeyModel,
  ModuleModel,
  ServiceModel,
} from "../schemas/model/connector-model.js";
import { renderDocument } from "../schemas/model/render-schema.js";

/** The text of `connector.json`: two spaces, LF, ASCII, no final newline. */
export function connectorJson(model: ConnectorModel): string {
  return jsonText(connectorTree(model));
}

/** The same as a tree. */
export function connectorTree(model: ConnectorModel): JsonTree {
  return membersOf(
    ["name", model.title],
    ["urlPart", model.urlPart],
    ["key", model.key],
    ["description", model.description],
    ["connectionDefinitions", model.connections.map(connectionTree)],
    ["configSchema", renderDocument(model.registrationConfiguration)],
    ["modules", model.modules.map(moduleTree)],
  );
}

function connectionTree(connection: ConnectionModel): JsonTree {
  return membersOf(
    ["key", connection.key],
    ["name", connection.title],
    ["description", connection.description],
    ["attributes", connection.attributes.map(attributeTree)],
    ["type", connection.type],
  );
}

function attributeTree(attribute: AttributeModel): JsonTree {
  const options = attribute.options.map(({ label, value }) => membersOf(["label", label], ["value", value]));
  return membersOf(
    ["title", attribute.title],
    ["key", attribute.key],
    ["isSensitive", attribute.isSensitive],
    ["isRequired", attribute.isRequired],
    ["description", attribute.description],
    ["options", options.length === 0 ? undefined : options],
  );
}

function moduleTree(module: ModuleModel): JsonTree {
  return membersOf(
    ["name", module.title],
    ["urlPart", module.urlPart],
    ["key", module.key],
    ["description", module.description],
    ["version", module.version],
    ["services", module.services.map(serviceTree)],
    ["dataObjects", module.dataObjects.map(dataObjectTree)],
  );
}

function serviceTree(service: ServiceModel): JsonTree {
  return membersOf(
    ["name", service.name],
    ["type", service.type],
    ["configSchema", renderDocument(service.configuration)],
  );
}

function dataObjectTree(object: DataObjectModel): JsonTree {
  return membersOf(
    ["name", object.title],
    ["urlPart", object.urlPart],
    ["key", object.key],
    ["description", object.description],
    ["createEndpoint", object.createEndpoint],
    ["schema", renderDocument(object.schema)],
    ["keys", object.keys.map(keyTree)],
    ["actions", object.actions.map(actionTree)],
  );
}

function keyTree(key: KeyModel): JsonTree {
  return membersOf(["urlPart", key.name], ["propertyNames", key.propertyNames], ["isPrimary", key.isPrimary]);
}

function actionTree(action: ActionModel): JsonTree {
  return membersOf(
    ["name", action.title],
    ["urlPart", action.urlPart],
    ["key", action.key],
    ["description", action.description],
    ["createRtap", action.createRtap],
    ["inputSchema", renderDocument(action.input)],
    ["outputSchema", renderDocument(action.output)],
    ["failureSchema", renderDocument(action.failure)],
  );
}
