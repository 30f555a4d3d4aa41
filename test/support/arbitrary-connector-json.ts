/** Arbitrary files in the format of `connector.json`: valid, and otherwise as odd as they come. */
import fc from "fast-check";

const names = fc.oneof(
  fc.constantFrom("id", "email", "a.b", "", "__proto__", "constructor", "Object", "type", "~/"),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const types = fc.constantFrom("string", "integer", "number", "boolean", "array", "object", "null", "strng");
const typeKeyword = fc.oneof(types, fc.array(types, { maxLength: 3 }));
const dictionaryOf = <T>(values: fc.Arbitrary<T>) => fc.dictionary(names, values, { maxKeys: 4 });

const ANNOTATIONS = {
  title: names,
  description: fc.oneof(names, fc.constantFrom("TODO", "...", "Represents a(n) id")),
  format: fc.constantFrom("date-time", "datetime", "int32"),
  pattern: fc.constantFrom("^a$", "[", "(?<=a)", "\\-"),
  readOnly: fc.boolean(),
  writeOnly: fc.boolean(),
  required: fc.array(names, { maxLength: 4 }),
  enum: fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 4 }),
};
const CONSTRAINTS = [
  "minLength",
  "maxLength",
  "minimum",
  "exclusiveMaximum",
  "maxItems",
  "const",
  "$ref",
  "if",
];

/** A schema as the format takes it. */
export const jsonSchemas: fc.Arbitrary<unknown> = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.constant(true),
    fc
      .tuple(
        fc.record(
          {
            ...ANNOTATIONS,
            type: typeKeyword,
            properties: dictionaryOf(tie("schema")),
            $defs: dictionaryOf(tie("schema")),
          },
          { requiredKeys: [] },
        ),
        fc.dictionary(
          fc.constantFrom("items", "additionalProperties", "not", "propertyNames", "contains"),
          fc.oneof(tie("schema"), fc.array(tie("schema"), { maxLength: 2 }), fc.jsonValue({ maxDepth: 2 })),
          { maxKeys: 2 },
        ),
        fc.dictionary(
          fc.constantFrom("anyOf", "oneOf", "allOf", "prefixItems", "patternProperties"),
          fc.oneof(fc.array(tie("schema"), { maxLength: 2 }), fc.jsonValue({ maxDepth: 2 })),
          { maxKeys: 2 },
        ),
        fc.dictionary(fc.constantFrom(...CONSTRAINTS), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
      )
      .map((parts) => Object.assign({}, ...parts) as unknown),
  ),
})).schema;

const named = { name: names, urlPart: names, key: names, description: names };

const action = fc.record({
  ...named,
  createRtap: fc.boolean(),
  inputSchema: jsonSchemas,
  outputSchema: jsonSchemas,
  failureSchema: jsonSchemas,
});

const dataObject = fc.record({
  ...named,
  createEndpoint: fc.boolean(),
  schema: jsonSchemas,
  keys: fc.array(
    fc.record({
      urlPart: names,
      propertyNames: fc.array(names, { maxLength: 3 }),
      isPrimary: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  actions: fc.array(action, { maxLength: 2 }),
});

const service = (type: string) =>
  fc.record({ name: names, type: fc.constant(type), configSchema: jsonSchemas });

/** The text of a file. */
export const connectorJsonTexts: fc.Arbitrary<string> = fc
  .record({
    name: names,
    urlPart: names,
    key: names,
    description: names,
    connectionDefinitions: fc.array(
      fc.record({
        key: names,
        name: names,
        description: names,
        attributes: fc.array(
          fc.record(
            {
              title: names,
              key: fc.oneof(names, fc.constant("connectionEnvironment")),
              isSensitive: fc.boolean(),
              isRequired: fc.boolean(),
              description: names,
              options: fc.array(fc.record({ label: names, value: fc.integer() }), { maxLength: 3 }),
            },
            { requiredKeys: ["title", "key", "isSensitive", "isRequired", "description"] },
          ),
          { maxLength: 3 },
        ),
        type: fc.constantFrom("Standard", "OAuth2CodeFlow", "OAuth2ClientCredentials"),
      }),
      { maxLength: 2 },
    ),
    configSchema: jsonSchemas,
    modules: fc.array(
      fc.record({
        ...named,
        version: fc.integer(),
        services: fc.tuple(service("ActionProcessor"), service("CacheWriter")),
        dataObjects: fc.array(dataObject, { maxLength: 3 }),
      }),
      { maxLength: 2 },
    ),
  })
  .map((file) => JSON.stringify(file));
