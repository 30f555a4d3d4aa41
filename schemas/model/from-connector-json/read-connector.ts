/** A `connector.json` as the model: the second source. What the file says is kept; what it does not say is derived. */

import { diagnostic } from "../../diagnostics/diagnostic.js";
import { formatProblems } from "../../formats/check-format.js";
import { ConnectorJson } from "../../formats/connector-json.js";
import { type JsonDocument, readJson } from "../../formats/read-json.js";
import { deepFreeze, isJsonArray, type JsonTree, jsonPointer, memberOf, toPlain } from "../../json.js";
import { classIdentifier, unique } from "../../naming/identifiers.js";
import { moduleId, modulePath, objectSwitchName, SERVICE_TYPES } from "../../naming/service-names.js";
import { displayName, upperFirst, urlPartOf } from "../../naming/words.js";
import type {
  ActionModel,
  ConnectorModel,
  DataObjectModel,
  KeyModel,
  ModuleModel,
  ReaderType,
  ServiceModel,
  SourceResult,
} from "../connector-model.js";
import { readDocument } from "../read-schema.js";
import type { SchemaDocument } from "../schema-model.js";
import { findSwitch } from "../switches.js";
import { readConnection } from "./read-connection.js";

/** The model of a file and its text, or the findings that say why there is none. */
export type ReadResult = SourceResult &
  (
    | {
        /** The connector. */
        readonly model: ConnectorModel;
        /** The file as it was parsed; it knows the line of each pointer. */
        readonly document: JsonDocument;
      }
    | { readonly model: undefined; readonly document?: undefined }
  );

/** Reads the text of a `connector.json`; messages call the file `file`. */
export function readConnectorJson(text: string, file: string): ReadResult {
  const { document, diagnostics } = readJson(text, file);
  if (document === undefined) return { model: undefined, diagnostics };
  const plain = toPlain(document.tree);
  const problems = formatProblems(ConnectorJson, plain).map(({ steps, problem }) =>
    diagnostic(
      "format-mismatch",
      { file, ...document.place(jsonPathOf(steps)), pointer: jsonPointer(steps) },
      { problem },
    ),
  );
  if (problems.length > 0) return { model: undefined, diagnostics: problems };
  return { model: deepFreeze(connectorOf(plain as ConnectorJson, document.tree)), document, diagnostics: [] };
}

/** JSON pointer steps as jsonc-parser takes them: list positions as numbers. */
function jsonPathOf(steps: readonly string[]): readonly (string | number)[] {
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/** `json` gives the typed facts; schemas are read from `tree`, where the order of members is kept. */
function connectorOf(json: ConnectorJson, tree: JsonTree): ConnectorModel {
  const classNames = new Set<string>();
  return {
    kind: "connector",
    name: classIdentifier(json.name),
    title: json.name,
    urlPart: json.urlPart,
    key: json.key,
    description: json.description,
    connections: json.connectionDefinitions.map((definition) => readConnection(definition, classNames)),
    registrationConfiguration: {
      name: "RegistrationConfiguration",
      ...readDocument(treeAt(tree, "configSchema")),
    },
    modules: json.modules.map((module, index) => moduleOf(module, treeAt(tree, "modules", index), json.key)),
  };
}

type ModuleJson = ConnectorJson["modules"][number];
type DataObjectJson = ModuleJson["dataObjects"][number];
type ActionJson = DataObjectJson["actions"][number];

function moduleOf(json: ModuleJson, tree: JsonTree, connectorKey: string): ModuleModel {
  const path = modulePath(connectorKey, json.key, json.version);
  const classNames = new Set<string>();
  const service = (index: 0 | 1): ServiceModel => ({
    kind: "service",
    type: SERVICE_TYPES[index],
    name: json.services[index].name,
    configuration: {
      name: `${SERVICE_TYPES[index]}Configuration`,
      ...readDocument(treeAt(tree, "services", index, "configSchema")),
    },
  });
  const services = [service(0), service(1)] as const;
  return {
    kind: "module",
    id: moduleId(json.key, json.version),
    name: classIdentifier(json.name),
    title: json.name,
    urlPart: json.urlPart,
    key: json.key,
    description: json.description,
    version: json.version,
    services,
    dataObjects: json.dataObjects.map((object, index) => {
      const name = unique(classNameOf(object), classNames);
      const readerType = readerTypeOf(name, services[1].configuration);
      return { ...dataObjectOf(object, treeAt(tree, "dataObjects", index), path), name, readerType };
    }),
  };
}

function dataObjectOf(
  json: DataObjectJson,
  tree: JsonTree,
  path: string,
): Omit<DataObjectModel, "name" | "readerType"> {
  const keyed = json.keys.flatMap((key) => key.propertyNames);
  const named = new Set(Object.keys(propertiesOf(json.schema)));
  const classNames = new Set<string>();
  return {
    kind: "dataObject",
    title: json.name,
    urlPart: json.urlPart,
    key: json.key,
    description: json.description,
    dataPath: `${path}/${json.urlPart}`,
    createEndpoint: json.createEndpoint,
    unknownMembers: "keep",
    // A key that names nothing must not come to name a property that happens to be called so in the code.
    schema: readDocument(
      treeAt(tree, "schema"),
      keyed.filter((name) => !named.has(name)),
    ),
    keys: json.keys.map(
      (key): KeyModel => ({ name: key.urlPart, propertyNames: key.propertyNames, isPrimary: key.isPrimary }),
    ),
    actions: json.actions.map((action, index) =>
      actionOf(action, treeAt(tree, "actions", index), classNames),
    ),
  };
}

function actionOf(json: ActionJson, tree: JsonTree, classNames: Set<string>): ActionModel {
  return {
    kind: "action",
    name: unique(classNameOf(json), classNames),
    title: json.name,
    urlPart: json.urlPart,
    key: json.key,
    description: json.description,
    createRtap: json.createRtap,
    input: readDocument(treeAt(tree, "inputSchema")),
    output: readDocument(treeAt(tree, "outputSchema")),
    failure: readDocument(treeAt(tree, "failureSchema")),
  };
}

/** The class that most likely gave these names: the one from which both follow, else the one that gives the url part. */
function classNameOf({ name, urlPart }: { name: string; urlPart: string }): string {
  const fromName = classIdentifier(name.replace(/\s+/g, ""));
  if (urlPartOf(fromName) === urlPart && displayName(fromName) === name) return fromName;
  const fromUrl = classIdentifier(urlPart);
  return urlPartOf(fromUrl) === urlPart ? upperFirst(fromUrl) : fromName;
}

function propertiesOf(schema: unknown): object {
  const properties: unknown =
    typeof schema === "object" && schema !== null ? Reflect.get(schema, "properties") : undefined;
  return typeof properties === "object" && properties !== null ? properties : {};
}

/** The part of `tree` at these steps; the format has been checked, so that it is there. */
function treeAt(tree: JsonTree, ...steps: readonly (string | number)[]): JsonTree {
  return steps.reduce<JsonTree>((value, step) => {
    const next = typeof step === "number" && isJsonArray(value) ? value[step] : memberOf(value, String(step));
    return next ?? null;
  }, tree);
}

/** How an object is read, as far as the cache writer configuration shows it: `incremental` if its switch has a checkpoint. */
function readerTypeOf(className: string, configuration: SchemaDocument): ReaderType {
  const { root } = configuration;
  const name = objectSwitchName(className);
  const entry = root.kind === "object" ? findSwitch(root.properties, name) : undefined;
  if (entry?.schema.kind !== "object") return "full";
  return findSwitch(entry.schema.properties, "Checkpoint") !== undefined ? "incremental" : "full";
}
