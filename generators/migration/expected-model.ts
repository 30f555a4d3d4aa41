/** What a migration must leave as it was: everything but the members that moved, and the connections they moved to. */
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import type { SchemaDocument, SchemaModel } from "../../schemas/model/schema-model.js";
import { connectorJson } from "../connector-json.js";
import type { ClientNames } from "../scaffolds/index.js";
import type { Moved } from "./move-members.js";

export interface Intended {
  readonly names: ClientNames | undefined;
  readonly moved: readonly Moved[];
}

/** What `after` has that was not intended, as the end of a sentence; undefined where all is well. */
export function unintendedChange(
  before: ConnectorModel,
  after: ConnectorModel,
  { names, moved }: Intended,
): string | undefined {
  const registrationConfiguration = moved.reduce(
    (document, { member }) => without(document, member.names),
    before.registrationConfiguration,
  );
  const expected = { ...before, registrationConfiguration, connections: after.connections };
  if (connectorJson(expected) !== connectorJson(after))
    return "the connector would differ by more than what was moved";
  const declared = moved.filter(({ isDeclared }) => isDeclared).map(({ property }) => property);
  for (const old of before.connections) {
    const own = after.connections.find(({ key }) => key === old.key);
    const added = old.key === names?.key ? declared : [];
    const count = old.attributes.length;
    const isSame =
      own !== undefined &&
      JSON.stringify({ ...own, attributes: own.attributes.slice(0, count), baseUrl: old.baseUrl }) ===
        JSON.stringify(old) &&
      own.attributes.slice(count).every(({ name }) => added.includes(name)) &&
      own.attributes.length === count + added.length;
    if (!isSame) return `the connection "${old.className}" would not be what it is meant to be`;
  }
  const target = after.connections.find(({ key }) => key === names?.key);
  const has = (name: string) => target?.attributes.some((one) => one.name === name) === true;
  const lost = declared.find((name) => !has(name));
  return lost === undefined ? undefined : `"${lost}" is not part of the connection`;
}

function without(document: SchemaDocument, names: readonly string[]): SchemaDocument {
  return { ...document, root: pruned(document.root, names) };
}

/** The object without the property that `names` lead to; objects that held nothing else go with it. */
function pruned(schema: SchemaModel, [name, ...rest]: readonly string[]): SchemaModel {
  if (schema.kind !== "object" || name === undefined) return schema;
  const properties = schema.properties.flatMap((property) => {
    if (property.name !== name) return [property];
    if (rest.length === 0) return [];
    const inner = pruned(property.schema, rest);
    return inner.kind === "object" && inner.properties.length === 0 ? [] : [{ ...property, schema: inner }];
  });
  return { ...schema, properties };
}
