import { expect } from "chai";
import fc from "fast-check";
import { connectorJson } from "../../generators/emitters/index.js";
import { createDefinition } from "../../schemas/authoring/definition.js";
import {
  type BuildResult,
  buildConnectorModel,
  checkModel,
  readConnectorJson,
} from "../../schemas/entries/model.js";
import { defineConnector, Nullable, Type } from "../../schemas/entries/vocabulary.js";
import { json, text } from "../support/arbitraries.js";
import { runs, SLOW_TEST_MS } from "../support/repository.js";

/** What JavaScript authors, half-written code and other packages' values put where a definition belongs. */
const garbage: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withSparseArray: true,
    withTypedArray: true,
    withBoxedValues: true,
    key: text,
  }),
  fc.constantFrom<unknown>(
    undefined,
    null,
    Symbol("a"),
    () => undefined,
    class A {},
    Promise.resolve(1),
    new Proxy({}, {}),
    Type.Date(),
    Type.BigInt(),
    Type.Never(),
    Type.Not(Type.String()),
    Type.Tuple([Type.String()]),
    Type.Ref("nowhere"),
    Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Date() })]),
    Type.Transform(Type.String())
      .Decode((value) => value)
      .Encode((value) => value),
    Nullable(Type.Date()),
    Type.Module({ A: Type.Ref("B") }).Import("A" as never),
  ),
  json,
);

/** A definition of any kind whose parts are sound, wrong, or absent. */
function definition(
  kind: string,
  options: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<object> {
  const wild = Object.entries(options).map(([name, value]) => [
    name,
    fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: garbage }),
  ]);
  return fc
    .record(
      {
        name: fc.oneof({ weight: 6, arbitrary: text }, { weight: 1, arbitrary: garbage }),
        schema: fc.oneof({ weight: 3, arbitrary: schema }, { weight: 1, arbitrary: garbage }),
        options: fc.oneof(
          { weight: 9, arbitrary: fc.record(Object.fromEntries(wild), { requiredKeys: [] }) },
          { weight: 1, arbitrary: garbage },
        ),
      },
      { requiredKeys: [] },
    )
    .map((parts) => createDefinition({ kind, ...parts }));
}

const schema: fc.Arbitrary<unknown> = fc.oneof(
  fc.constant(Type.Object({ id: Type.String() })),
  fc.dictionary(text, garbage, { maxKeys: 4 }).map((properties) => ({ ...Type.Object({}), properties })),
  garbage.map((items) => ({ ...Type.Array(Type.String()), items })),
  garbage.map((anyOf) => ({ ...Nullable(Type.String()), anyOf })),
  fc.array(garbage, { maxLength: 3 }).map((anyOf) => ({ ...Nullable(Type.String()), anyOf })),
  garbage.map((patternProperties) => ({ ...Type.Record(Type.String(), Type.String()), patternProperties })),
  fc.dictionary(text, garbage, { maxKeys: 3 }).map((options) => ({ ...options, ...Type.String() })),
  garbage,
);

const listOf = (item: fc.Arbitrary<unknown>) =>
  fc.array(fc.oneof({ weight: 5, arbitrary: item }, { weight: 1, arbitrary: garbage }), { maxLength: 3 });

const dataObject = definition("data object", {
  title: text,
  description: text,
  primaryKey: fc.oneof(text, fc.array(text), fc.record({ name: text, properties: fc.array(text) })),
  alternateKeys: listOf(fc.record({ name: text, properties: listOf(text) })),
  keys: listOf(fc.record({ name: text, properties: listOf(text) })),
  readerType: text,
  unknownMembers: text,
  namingConvention: text,
  urlPart: text,
});

const module_ = fc.array(dataObject, { maxLength: 2 }).chain((objects) => {
  const action = definition("action", {
    dataObject: fc.constant(objects[0]),
    description: text,
    input: schema,
    output: schema,
    failure: schema,
  });
  return definition("module", {
    title: text,
    key: text,
    version: fc.integer(),
    description: text,
    dataObjects: fc.constant(objects),
    actions: listOf(action),
    cacheWriter: definition("service configuration", { complete: fc.boolean(), serviceName: text }),
    actionProcessor: definition("service configuration", { namingConvention: text }),
  });
});

const connection = definition("connection", {
  authType: text,
  title: text,
  description: text,
  properties: fc.dictionary(text, schema, { maxKeys: 3 }),
  baseUrl: fc.oneof(fc.record({ property: text }), fc.record({ Production: garbage, Test: text })),
});

const connector = definition("connector", {
  title: text,
  key: text,
  description: text,
  namingConvention: text,
  registrationConfiguration: definition("registration configuration", {}),
  connections: listOf(connection),
  modules: listOf(module_),
});

/** The model is whole, and its file can be read again. */
function expectTotal({ model, diagnostics }: BuildResult): void {
  const { diagnostics: findings } = readConnectorJson(connectorJson(model), "connector.json");
  const unsound = findings.map(({ pointer, message }) => `${pointer}: ${message}`);
  // Options of the wrong type are carried as they are, and told by the checks.
  const isTold = checkModel(model).some(({ code }) => code === "constraint-invalid");
  if (diagnostics.length === 0 && !isTold) expect(unsound).to.deep.equal([]);
  for (const { message, pointer } of diagnostics) {
    expect(message).to.not.equal("");
    expect(pointer).to.match(/^(?:\/|$)/);
  }
}

describe("buildConnectorModel", () => {
  it("gives a model and findings for anything at all", () => {
    fc.assert(
      fc.property(garbage, (value) => {
        const result = buildConnectorModel(value);
        expect(result.diagnostics.length).to.be.greaterThan(0);
        expectTotal(result);
      }),
      { numRuns: runs(300) },
    );
  }).timeout(SLOW_TEST_MS);

  it("says that the connector has no options, and not that it is none", () => {
    const messages = (connector: unknown) =>
      buildConnectorModel(connector).diagnostics.map(({ message }) => message);
    expect(messages(defineConnector("Sites", undefined as never))).to.include(
      "The options of the connector must be an object, but is missing.",
    );
    expect(messages(undefined)).to.include(
      "The connector must be a value that defineConnector made, but is missing.",
    );
  });

  it("never throws, whatever stands at any position of the definitions", () => {
    fc.assert(
      fc.property(connector, (value) => expectTotal(buildConnectorModel(value))),
      { numRuns: runs(700) },
    );
  }).timeout(SLOW_TEST_MS);
});
