/** The migration to structured connections, as edits and findings: nothing here touches a file (§5.2, §9). */

import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { isEnvironment } from "../../schemas/model/connection-members.js";
import type { AttributeModel, ConnectorModel } from "../../schemas/model/connector-model.js";
import type { SchemaDocument, SchemaModel } from "../../schemas/model/schema-model.js";
import { connectorJson } from "../connector-json.js";
import { CLIENT_HELPER_FILE, CONNECTION_TEST_FILE, REGISTRATION_FILE } from "../layout.js";
import {
  type ClientNames,
  changedFiles,
  clientScaffold,
  namesOfClient,
  type Scaffold,
  type ScaffoldSource,
} from "../scaffolds/index.js";
import { chooseConnection, type WantedConnection } from "./choose-connection.js";
import { leftToDo } from "./left-to-do.js";
import { environmentLeft, type MovedMember, moveMembers } from "./move-members.js";
import { registrationMembers } from "./registration-members.js";
import { raiseSdk } from "./sdk-version.js";

export interface Migration extends Scaffold {
  /** The connection that takes what moves; undefined if none is needed. */
  readonly names: ClientNames | undefined;
  readonly moved: readonly MovedMember[];
}

export interface MigrationOptions {
  readonly wanted: WantedConnection;
  /** The author's modules, without what is generated. */
  readonly modules: readonly string[];
  /** Version of this package. */
  readonly version: string;
}

/** Plans the migration of the project. Returns a sentence if it is not clear which connection is meant. */
export function planMigration(source: ScaffoldSource, options: MigrationOptions): Migration | string {
  const { model, files } = source;
  const { wanted, modules, version } = options;
  const members = registrationMembers(model);
  const isNeeded = members.length > 0 || model.connections.length === 0;
  const chosen = isNeeded ? chooseConnection(model, members, wanted) : undefined;
  if (typeof chosen === "string") return chosen;
  const sdk = raiseSdk(files, version);
  const problems = addClients(source, chosen);
  const { moved, diagnostics } =
    chosen === undefined || problems.length > 0
      ? { moved: [], diagnostics: [] }
      : moveMembers(files, { members, names: chosen, modules });
  const hasAddress = chosen !== undefined && moved.some(({ isBaseUrl }) => isBaseUrl);
  const environment = hasAddress ? environmentLeft(files, chosen) : [];
  const left = leftToDo(files, modules);
  return {
    names: chosen,
    moved,
    files: changedFiles(files.changes()),
    diagnostics: [...sdk, ...problems, ...diagnostics, ...environment, ...left],
  };
}

/** Adds what `client new` writes, for the chosen connection and for those that exist (§5.2 rules 2, 3, 8). */
function addClients(source: ScaffoldSource, chosen: ClientNames | undefined): readonly Diagnostic[] {
  const { model, files } = source;
  const parts = [CLIENT_HELPER_FILE, CONNECTION_TEST_FILE, REGISTRATION_FILE];
  const isWhole = parts.every((file) => files.text(file) !== undefined);
  const isNew = chosen !== undefined && chosen.definition === undefined;
  const present = isWhole
    ? []
    : presentClients(model).map((names) => (names.key === chosen?.key ? chosen : names));
  return [...present, ...(isNew ? [chosen] : [])].flatMap((names) => {
    const scaffold = clientScaffold(names, source);
    for (const { path, content } of scaffold.files) {
      if (files.text(path) === undefined) files.set(path, content);
    }
    return scaffold.diagnostics;
  });
}

function presentClients(model: ConnectorModel): readonly ClientNames[] {
  return model.connections
    .map(({ authType, name }) => namesOfClient(model, { authType, name }))
    .filter((names) => typeof names !== "string");
}

export interface Intended {
  readonly names: ClientNames | undefined;
  readonly moved: readonly MovedMember[];
}

/** What differs in `after` though it was not intended (the end of a sentence); undefined if nothing does. */
export function unintendedChange(
  before: ConnectorModel,
  after: ConnectorModel,
  { names, moved }: Intended,
): string | undefined {
  const { name } = before.registrationConfiguration;
  const document = moved.reduce<SchemaDocument>(
    (rest, { member }) => without(rest, member.names),
    before.registrationConfiguration,
  );
  const registrationConfiguration = { name, ...document };
  const expected = { ...before, registrationConfiguration, connections: after.connections };
  if (connectorJson(expected) !== connectorJson(after))
    return "the connector would differ by more than what was moved";
  const declared = moved.filter(({ isDeclared }) => isDeclared).map(({ property }) => property);
  for (const old of before.connections) {
    const own = after.connections.find(({ key }) => key === old.key);
    const isTarget = old.key === names?.key;
    const takesAddress = isTarget && moved.some(({ isBaseUrl }) => isBaseUrl);
    const added = isTarget ? declared : [];
    const isOld = ({ name }: AttributeModel) => old.attributes.some((attribute) => attribute.name === name);
    // An environment that only placeholders brought goes with them.
    const kept = old.attributes.filter(
      ({ name, key, options }) =>
        !(takesAddress && isEnvironment(key, options)) ||
        own?.attributes.some((attribute) => attribute.name === name),
    );
    const isSame =
      own !== undefined &&
      JSON.stringify({
        ...own,
        attributes: own.attributes.filter(isOld),
        baseUrl: takesAddress ? old.baseUrl : own.baseUrl,
      }) === JSON.stringify({ ...old, attributes: kept }) &&
      own.attributes.every((attribute) => isOld(attribute) || added.includes(attribute.name)) &&
      own.attributes.length === kept.length + added.length;
    if (!isSame) return `the connection "${old.name}" would not be what it is meant to be`;
  }
  const target = after.connections.find(({ key }) => key === names?.key);
  const has = (name: string) => target?.attributes.some((attribute) => attribute.name === name) === true;
  const lost = declared.find((name) => !has(name));
  return lost === undefined ? undefined : `"${lost}" is not part of the connection`;
}

function without(document: SchemaDocument, names: readonly string[]): SchemaDocument {
  return { ...document, root: withoutProperty(document.root, names) };
}

/** The object without the property that `names` lead to; objects that held nothing else go with it. */
function withoutProperty(schema: SchemaModel, [name, ...rest]: readonly string[]): SchemaModel {
  if (schema.kind !== "object" || name === undefined) return schema;
  const properties = schema.properties.flatMap((property) => {
    if (property.name !== name) return [property];
    if (rest.length === 0) return [];
    const inner = withoutProperty(property.schema, rest);
    return inner.kind === "object" && inner.properties.length === 0 ? [] : [{ ...property, schema: inner }];
  });
  return { ...schema, properties };
}
