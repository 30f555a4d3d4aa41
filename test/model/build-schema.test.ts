import { expect } from "chai";
import { buildConnectorModel, renderDocument } from "../../schemas/entries/model.js";
import {
  defineConnector,
  defineRegistrationConfiguration,
  defineServiceConfiguration,
  ExactJson,
  Nullable,
  StringEnum,
  Type,
} from "../../schemas/entries/vocabulary.js";
import { compactJson } from "../../schemas/formats/json-text.js";
import { memberOf } from "../../schemas/json.js";

/** The JSON Schema of one property, as it stands in the file, and what was found. */
function built(schema: unknown) {
  const { model, diagnostics } = buildConnectorModel(
    defineConnector("Unnamed", {
      title: "",
      key: "",
      description: "",
      connections: [],
      modules: [],
      registrationConfiguration: defineRegistrationConfiguration("RegistrationConfiguration", {
        properties: { value: schema as ReturnType<typeof Type.Any> },
      }),
    }),
  );
  const document = renderDocument(model.registrationConfiguration);
  const property = memberOf(memberOf(document, "properties"), "Value") ?? null;
  const definitions = memberOf(document, "$defs");
  return {
    json: compactJson(property),
    definitions: definitions && compactJson(definitions),
    codes: diagnostics.map(({ code }) => code),
  };
}

const Nodes = Type.Module({ Node: Type.Object({ next: Type.Optional(Type.Ref("Node")) }) });
const NODE = '"Node":{"type":"object","properties":{"Next":{"$ref":"#/$defs/Node"}}';

describe("schemas of the vocabulary", () => {
  for (const [what, schema, json] of [
    ["a literal", Type.Literal("a"), '{"type":"string","enum":["a"]}'],
    ["a nullable literal", Nullable(Type.Literal("a")), '{"type":["string","null"],"enum":["a",null]}'],
    ["a nullable number", Nullable(Type.Literal(4)), '{"type":["number","null"],"enum":[4,null]}'],
    ["an enum of TypeScript", Type.Enum({ A: 1, B: 2 }), '{"type":"number","enum":[1,2]}'],
    [
      "keys of an object",
      Type.KeyOf(Type.Object({ p: Type.Any(), q: Type.Any() })),
      '{"type":"string","enum":["p","q"]}',
    ],
    [
      "a format given from outside",
      Nullable(Type.String({ description: "d" }), { format: "uuid" }),
      '{"type":["string","null"],"format":"uuid","description":"d"}',
    ],
    [
      "a record of known keys",
      Type.Record(StringEnum(["a"]), Type.Integer()),
      '{"type":"object","properties":{"A":{"type":"integer"}},"required":["A"]}',
    ],
    [
      "a record of numbered names, closed to all others",
      Type.Record(Type.Integer(), Type.String(), { description: "d" }),
      '{"type":"object","additionalProperties":{"type":"string"},' +
        '"propertyNames":{"pattern":"^(0|[1-9][0-9]*)$"},"description":"d"}',
    ],
    [
      "a record of names in a form of their own",
      Type.Record(Type.String({ pattern: "^x-" }), Type.Integer()),
      '{"type":"object","additionalProperties":{"type":"integer"},"propertyNames":{"pattern":"^x-"}}',
    ],
    [
      "a record that says what other names hold",
      Type.Record(Type.Integer(), Type.Integer(), { additionalProperties: true }),
      '{"type":"object","additionalProperties":true,"patternProperties":{"^(0|[1-9][0-9]*)$":{"type":"integer"}}}',
    ],
    [
      "a record of any names, which none is beside",
      Type.Record(Type.String(), Type.Integer(), { additionalProperties: false }),
      '{"type":"object","additionalProperties":{"type":"integer"}}',
    ],
    ["plain JSON Schema", Type.Unsafe({ items: [], type: "array" }), '{"items":[],"type":"array"}'],
    [
      "exact JSON Schema",
      Type.Unsafe(ExactJson('{"a":{"b":1,"1":2},"options":3,"$id":"x"}')),
      '{"a":{"b":1,"1":2},"options":3,"$id":"x"}',
    ],
    [
      "a form of its own",
      Type.Object(
        {
          a: Type.String(),
          b: Type.Optional(Type.Array(Type.Integer({ jsonForm: { keywords: [] } }), { description: "d" })),
        },
        { jsonForm: { keywords: ["required", "type", "properties"], required: ["A"] } },
      ),
      '{"required":["A"],"type":"object","properties":{"A":{"type":"string"},' +
        '"B":{"type":"array","items":{"type":"integer"},"description":"d"}}}',
    ],
    [
      "null before the type",
      Nullable(Type.String({ jsonForm: { type: ["null", "string"] } })),
      '{"type":["null","string"]}',
    ],
    [
      "a form inside a module, where TypeBox makes one member a literal",
      Type.Object(
        Type.Module({
          A: Type.Object({
            one: Nullable(StringEnum(["a"], { jsonForm: { keywords: ["enum", "type"] } })),
          }),
        }).Import("A").$defs.A.properties,
      ),
      '{"type":"object","properties":{"One":{"enum":["a",null],"type":["string","null"]}},"required":["One"]}',
    ],
    [
      "one of several",
      Type.Union([Type.String(), Type.Null()], { description: "d", jsonForm: { keywords: ["oneOf"] } }),
      '{"oneOf":[{"type":"string"},{"type":"null"}],"description":"d"}',
    ],
    ["a constant", Type.Literal(1, { jsonForm: { keywords: ["const"] } }), '{"const":1}'],
    ["exact JSON Schema of a known kind", Type.Unsafe(ExactJson('{"type":"string"}')), '{"type":"string"}'],
  ] as const) {
    it(`writes ${what}`, () => {
      expect(built(schema)).to.deep.equal({ json, definitions: undefined, codes: [] });
    });
  }

  it("keeps what is said of one use of a definition beside the reference", () => {
    const { json, definitions } = built({
      ...Nodes.Import("Node"),
      description: "d",
      jsonPropertyName: "Value",
    });
    expect(json).to.equal('{"$ref":"#/$defs/Node","description":"d"}');
    expect(definitions).to.equal(`{${NODE}}}`);
  });

  it("keeps a nullable value optional, on whichever side the option stands", () => {
    const { json } = built(
      Type.Object({
        outer: Type.Optional(Nullable(Type.String())),
        inner: Nullable(Type.Optional(Type.String())),
        required: Nullable(Type.String()),
      }),
    );
    expect(JSON.parse(json)).to.deep.include({ required: ["Required"] });
  });

  it("takes the serialized name of an import from its options", () => {
    const { json, definitions } = built(
      Type.Object({
        a: Nodes.Import("Node", { jsonPropertyName: "x" }),
        b: Nodes.Import("Node", { jsonPropertyName: "y" }),
      }),
    );
    expect(json).to.match(
      /^\{"type":"object","properties":\{"x":\{"\$ref":"#\/\$defs\/Node"\},"y":\{"\$ref":"#\/\$defs\/Node"\}\}/,
    );
    expect(definitions).to.equal(`{${NODE}}}`);
  });

  for (const [what, schema, code] of [
    ["a date", Type.Date(), "schema-not-json"],
    ["a date in a list", Type.Array(Type.Date()), "schema-not-json"],
    ["an unknown reference", Type.Ref("nowhere"), "schema-reference-unknown"],
    ["a text that is not JSON", Type.Unsafe(ExactJson("{")), "schema-invalid"],
    ["an option that is not JSON", Type.String({ default: () => "x" }), "schema-keyword-not-json"],
    ["false", false, "schema-invalid"],
    [
      "a form of a union that is no list",
      Type.Union([Type.String(), Type.Integer()], { jsonForm: { keywords: "oneOf" as never } }),
      "definition-invalid",
    ],
    ["a form that is no object", Type.String({ jsonForm: "short" as never }), "definition-invalid"],
    ["a form without lists", Type.String({ jsonForm: { keywords: "type" as never } }), "definition-invalid"],
    [
      "a part that no form has",
      Type.String({ jsonForm: { order: [] } as never }),
      "definition-option-unknown",
    ],
    [
      "a definition",
      defineServiceConfiguration("CacheWriterConfiguration", { properties: {} }),
      "schema-invalid",
    ],
  ] as const) {
    it(`reports ${what} once`, () => {
      expect(built(schema).codes).to.deep.equal([code]);
    });
  }

  it("reports a schema that contains itself", () => {
    const schema: { properties: Record<string, unknown> } = Type.Object({});
    schema.properties["self"] = schema;
    expect(built(schema).codes).to.deep.equal(["schema-cyclic"]);
  });
});
