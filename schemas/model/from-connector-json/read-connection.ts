/** Connection definitions of a `connector.json`: data types and addresses are not in the file. */

import type { ConnectorJson } from "../../formats/connector-json.js";
import { membersOf } from "../../json.js";
import { classIdentifier, isIdentifier, propertyIdentifier, unique } from "../../naming/identifiers.js";
import { lowerFirst, upperFirst } from "../../naming/words.js";
import { declaredMembers, isEnvironment } from "../connection-members.js";
import type { AttributeModel, AuthType, ConnectionModel } from "../connector-model.js";
import type { SchemaModel } from "../schema-model.js";

type ConnectionJson = ConnectorJson["connectionDefinitions"][number];

/** The model of one definition; its class name is new in `taken`. */
export function readConnection(json: ConnectionJson, taken: Set<string>): ConnectionModel {
  const names = new Set<string>();
  const raised = upperFirst(json.key);
  const className =
    isIdentifier(raised) && lowerFirst(raised) === json.key ? raised : classIdentifier(json.key);
  const attributes = json.attributes.map((attribute) => readAttribute(attribute, names));
  return {
    kind: "connection",
    name: unique(className, taken),
    key: json.key,
    authType: authTypeOf(json, attributes),
    type: json.type,
    title: json.name,
    description: json.description,
    attributes,
    baseUrl: { kind: "none" },
    tokenUrl: { kind: "none" },
    authorizationUrl: { kind: "none" },
  };
}

/** ApiKey, Basic and Custom share one type; their keys tell them apart, and what they sign in with. */
function authTypeOf({ key, type }: ConnectionJson, attributes: readonly AttributeModel[]): AuthType {
  if (type !== "Standard") return type;
  const told = /^api-?key/i.test(key) ? "ApiKey" : /^basic/i.test(key) ? "Basic" : "Custom";
  const isWhole = declaredMembers(told).every((member) =>
    attributes.some(({ name, isRequired, options }) => name === member && isRequired && options.length === 0),
  );
  return isWhole ? told : "Custom";
}

function readAttribute(json: ConnectionJson["attributes"][number], names: Set<string>): AttributeModel {
  const options = json.options ?? [];
  return {
    name: unique(propertyIdentifier(json.key), names),
    key: json.key,
    title: json.title,
    description: json.description,
    isSensitive: json.isSensitive,
    isRequired: json.isRequired,
    options,
    schema:
      options.length === 0
        ? { kind: "string", nullable: false, keywords: [] }
        : optionSchema(
            options.map(({ value }) => value),
            isEnvironment(json.key, options),
          ),
  };
}

function optionSchema(values: readonly number[], withDefault: boolean): SchemaModel {
  const members = withDefault ? [0, ...values] : values;
  return { kind: "verbatim", json: membersOf(["type", "number"], ["enum", members]) };
}
