/** The types of a connector as its redactor knows them: which names are write-only follows from the model alone. */
import { connectionDocument } from "../../generators/classes/connection-class.js";
import type { RecordType } from "../../runtime/records/record-type.js";
import { findings } from "../../runtime/validation/findings.js";
import { toPlain } from "../../schemas/json.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { renderDocument } from "../../schemas/model/render-schema.js";
import type { SchemaDocument, SchemaModel } from "../../schemas/model/schema-model.js";

/** All types of the connector, each with serialized names and with those in code. */
export function sensitiveTypes(model: ConnectorModel): readonly RecordType[] {
  const { connections, registrationConfiguration, modules } = model;
  const documents: readonly SchemaDocument[] = [
    registrationConfiguration,
    ...connections.map(connectionDocument),
    ...modules.flatMap(({ services, dataObjects }) => [
      ...services.map(({ configuration }) => configuration),
      ...dataObjects.flatMap(({ schema, actions }) => [
        schema,
        ...actions.flatMap(({ input, output, failure }) => [input, output, failure]),
      ]),
    ]),
  ];
  return documents.flatMap((document) => [typeOf(document), typeOf(withCodeNames(document))]);
}

/** The type of values of `document`, with serialized names throughout. */
export function typeOf(document: SchemaDocument): RecordType {
  const schema = toPlain(renderDocument(document));
  return { name: "", schema, check: (value) => findings(schema, value).length === 0 };
}

function withCodeNames({ root, definitions }: SchemaDocument): SchemaDocument {
  return {
    root: inCode(root),
    definitions: definitions.map(({ name, schema }) => ({ name, schema: inCode(schema) })),
  };
}

function inCode(schema: SchemaModel): SchemaModel {
  switch (schema.kind) {
    case "object": {
      const properties = schema.properties.map((property) => ({
        ...property,
        jsonName: property.name,
        schema: inCode(property.schema),
      }));
      return { ...schema, properties };
    }
    case "array":
      return { ...schema, items: inCode(schema.items) };
    case "dictionary":
      return { ...schema, values: inCode(schema.values) };
    default:
      return schema;
  }
}
