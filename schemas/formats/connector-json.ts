/** The format of `connector.json`: every extract and every import is held to this schema. */
import { type Static, Type } from "@sinclair/typebox";

/** A value of JSON Schema inside the file: open, with the keywords that the tools read held to their types. */
const JsonSchema = Type.Recursive(
  (Schema) =>
    Type.Union([
      Type.Literal(true),
      Type.Object({
        type: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
        properties: Type.Optional(Type.Record(Type.String(), Schema)),
        required: Type.Optional(Type.Array(Type.String())),
        title: Type.Optional(Type.String()),
        description: Type.Optional(Type.String()),
        enum: Type.Optional(Type.Array(Type.Unknown())),
        format: Type.Optional(Type.String()),
        pattern: Type.Optional(Type.String()),
        readOnly: Type.Optional(Type.Boolean()),
        writeOnly: Type.Optional(Type.Boolean()),
        $defs: Type.Optional(Type.Record(Type.String(), Schema)),
      }),
    ]),
  { $id: "JsonSchema" },
);

const closed = { additionalProperties: false } as const;

const Option = Type.Object({ label: Type.String(), value: Type.Number() }, closed);

const Attribute = Type.Object(
  {
    title: Type.String(),
    key: Type.String(),
    isSensitive: Type.Boolean(),
    isRequired: Type.Boolean(),
    description: Type.String(),
    options: Type.Optional(Type.Array(Option)),
  },
  closed,
);

const ConnectionDefinition = Type.Object(
  {
    key: Type.String(),
    name: Type.String(),
    description: Type.String(),
    attributes: Type.Array(Attribute),
    type: Type.Union([
      Type.Literal("Standard"),
      Type.Literal("OAuth2CodeFlow"),
      Type.Literal("OAuth2ClientCredentials"),
    ]),
  },
  closed,
);

const service = <T extends string>(type: T) =>
  Type.Object({ name: Type.String(), type: Type.Literal(type), configSchema: JsonSchema }, closed);

const Key = Type.Object(
  { urlPart: Type.String(), propertyNames: Type.Array(Type.String()), isPrimary: Type.Boolean() },
  closed,
);

const Action = Type.Object(
  {
    name: Type.String(),
    urlPart: Type.String(),
    key: Type.String(),
    description: Type.String(),
    createRtap: Type.Boolean(),
    inputSchema: JsonSchema,
    outputSchema: JsonSchema,
    failureSchema: JsonSchema,
  },
  closed,
);

const DataObject = Type.Object(
  {
    name: Type.String(),
    urlPart: Type.String(),
    key: Type.String(),
    description: Type.String(),
    createEndpoint: Type.Boolean(),
    schema: JsonSchema,
    keys: Type.Array(Key),
    actions: Type.Array(Action),
  },
  closed,
);

const Module = Type.Object(
  {
    name: Type.String(),
    urlPart: Type.String(),
    key: Type.String(),
    description: Type.String(),
    version: Type.Integer(),
    services: Type.Tuple([service("ActionProcessor"), service("CacheWriter")]),
    dataObjects: Type.Array(DataObject),
  },
  closed,
);

/** The whole file, as formats of real connectors have it; members in the order in which they are written. */
export const ConnectorJson = Type.Object(
  {
    name: Type.String(),
    urlPart: Type.String(),
    key: Type.String(),
    description: Type.String(),
    connectionDefinitions: Type.Array(ConnectionDefinition),
    configSchema: JsonSchema,
    modules: Type.Array(Module),
  },
  closed,
);

export type ConnectorJson = Static<typeof ConnectorJson>;
