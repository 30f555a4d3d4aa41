import type { TSchema } from "@sinclair/typebox";
import { expect } from "chai";
import { applySilences } from "../../schemas/checks/engine.js";
import { DIAGNOSTIC_CODES } from "../../schemas/diagnostics/codes.js";
import { isSilenceable } from "../../schemas/diagnostics/rules/rule.js";
import { buildConnectorModel, checkModel } from "../../schemas/entries/model.js";
import { defineConnector, Nullable, StringEnum, Type } from "../../schemas/entries/vocabulary.js";
import { CATALOGUE } from "../../scripts/project-checks/catalogue.js";
import { actionOf, connectionOf, ID, moduleOf, objectOf } from "../support/checks.js";

const EMAIL = { description: "Address of the office.", silence: { "sensitive-not-write-only": "Public." } };

function silencedIn(module: Parameters<typeof moduleOf>[0], connections = [connectionOf()]) {
  const { model, diagnostics, silences } = buildConnectorModel(
    defineConnector("Company", {
      ...{ key: "company", description: "The company's own system." },
      ...{ connections, modules: [moduleOf(module)] },
    }),
  );
  const { findings, silenced } = applySilences([...diagnostics, ...checkModel(model)], silences);
  const schema = JSON.stringify(
    model.modules.map(({ dataObjects }) => dataObjects.map(({ schema }) => schema)),
  );
  return {
    model,
    schema,
    findings: findings.map(({ code }) => code),
    silenced: silenced.map(({ code, silenced: reason }) => `${code}: ${reason}`),
  };
}

function withProperty(value: TSchema, name = "email") {
  return silencedIn({ dataObjects: [objectOf({ id: ID, [name]: value })] });
}

describe("a silence", () => {
  for (const [where, value] of [
    ["a property", Type.String(EMAIL)],
    ["an optional property", Type.Optional(Type.String(EMAIL))],
    ["a nullable property, inside", Nullable(Type.String(EMAIL))],
    ["a nullable list of members, inside", Nullable(StringEnum(["a@b.de"], EMAIL))],
    ["a list", Type.Array(Type.String(), EMAIL)],
    ["a schema of the author's own", Type.Unsafe({ type: "string", ...EMAIL })],
  ] as const) {
    it(`of ${where} counts with its reason, and is not extracted`, () => {
      const { findings, silenced, schema } = withProperty(value);
      expect(silenced).to.deep.equal(["sensitive-not-write-only: Public."]);
      expect(findings).to.deep.equal([]);
      expect(schema).to.not.include("silence").and.not.include("Public");
    });
  }

  const untyped = { description: "Whatever it has.", silence: { "schema-untyped": "Others name it." } };
  for (const [where, value] of [
    ["a dictionary", Type.Record(Type.String(), Type.Unknown(), untyped)],
    ["a list", Type.Array(Type.Unknown(), untyped)],
    ["a list of dictionaries", Type.Array(Type.Record(Type.String(), Type.Any()), untyped)],
  ] as const) {
    it(`of ${where} covers what has no place of its own in it`, () => {
      const { findings, silenced } = withProperty(value, "extra");
      expect(silenced).to.deep.equal(["schema-untyped: Others name it."]);
      expect(findings).to.deep.equal([]);
    });
  }

  it("covers no property inside", () => {
    const inner = { inner: Type.Unknown({ description: "Anything." }) };
    const { findings } = withProperty(Type.Array(Type.Object(inner), untyped), "extra");
    expect(findings).to.deep.equal(["schema-untyped", "silence-unused"]);
  });

  it("of the second object does not cover the eleventh", () => {
    const silence = { "key-duplicate-properties": "Both names are in use." };
    const alternateKeys = [{ name: "number", properties: ["id"] } as never];
    const objects = Array.from({ length: 12 }, (_, index) =>
      objectOf({ id: ID }, { alternateKeys, ...(index === 1 && { silence }) }, `Thing${index}`),
    );
    const { findings, silenced } = silencedIn({ dataObjects: objects });
    expect(silenced).to.have.length(1);
    expect(findings).to.deep.equal(Array.from({ length: 11 }, () => "key-duplicate-properties"));
  });

  it("of a nested property leaves the same finding elsewhere", () => {
    const address = Type.Object({ email: Type.String(EMAIL) }, { description: "Where to ask." });
    const email = Type.String({ description: "Address of the person." });
    const { findings, silenced } = silencedIn({ dataObjects: [objectOf({ id: ID, address, email })] });
    expect(silenced).to.have.length(1);
    expect(findings).to.deep.equal(["sensitive-not-write-only"]);
  });

  it("travels with a property into the input of an action, and is not unused where nothing is found there", () => {
    const object = objectOf({ id: ID, email: Type.String(EMAIL) });
    const schema = Type.Object({ email: Type.String(EMAIL) }, { writeOnly: true });
    const { findings, silenced } = silencedIn({
      dataObjects: [object],
      actions: [actionOf(object, { input: schema })],
    });
    expect(findings).to.deep.equal([]);
    expect(silenced).to.have.length(1);
  });

  it("of a definition covers its keys and its address, but no property in it", () => {
    const keys = {
      alternateKeys: [{ name: "number", properties: ["id"] } as never],
      silence: { "key-duplicate-properties": "Both names are in use." },
    };
    const { findings, silenced } = silencedIn({ dataObjects: [objectOf({ id: ID }, keys)] });
    expect(findings).to.deep.equal([]);
    expect(silenced).to.deep.equal(["key-duplicate-properties: Both names are in use."]);
    const whole = silencedIn({
      dataObjects: [
        objectOf({ id: ID, email: Type.String({ description: "Address." }) }, { silence: EMAIL.silence }),
      ],
    });
    expect(whole.findings).to.deep.equal(["sensitive-not-write-only", "silence-unused"]);
    const silence = { "connection-address-placeholder": "The company is called so." };
    const connection = connectionOf({ baseUrl: "https://api.example.com", silence });
    expect(silencedIn({}, [connection])).to.deep.include({ findings: [] });
  });

  it("is unused inside a place that covers the same finding", () => {
    const outer = { "schema-untyped": "Others name it." };
    const items = Type.Array(Type.Unknown({ silence: { "schema-untyped": "Anything." } }), {
      silence: outer,
    });
    const { silenced, findings } = withProperty(
      Type.Unsafe({ description: "Whatever it has.", ...items }),
      "values",
    );
    expect(silenced).to.deep.equal(["schema-untyped: Others name it."]);
    expect(findings).to.deep.equal(["silence-unused"]);
  });

  for (const [problem, silence, code] of [
    ["no reason", { "description-missing": " " }, "silence-invalid"],
    ["a reason that is no text", { "description-missing": true }, "silence-invalid"],
    ["no object", "description-missing", "silence-invalid"],
    ["a code that does not exist", { "description-mising": "Later." }, "silence-code-unknown"],
    ["an error of the platform", { "constraint-invalid": "Later." }, "silence-refused"],
    ["a finding that is not there", { "description-missing": "Later." }, "silence-unused"],
    ["a finding about silences", { "silence-unused": "Later." }, "silence-refused"],
  ] as const) {
    it(`with ${problem} is ${code}`, () => {
      const value = Type.String({ description: "What it is.", silence: silence as never });
      expect(withProperty(value, "value").findings).to.deep.equal([code]);
    });
  }

  it("never hides what the platform rejects for certain", () => {
    const silenceable = DIAGNOSTIC_CODES.filter(
      (code) => CATALOGUE[code].severity === "error" && isSilenceable(CATALOGUE[code]),
    );
    expect(silenceable.sort()).to.deep.equal([
      "code-credential",
      "connection-address-placeholder",
      "connection-secret-not-sensitive",
      "registration-address",
      "registration-credential",
    ]);
    const value = Type.String({
      description: "A text.",
      maxLength: -1,
      silence: { "constraint-invalid": "Later." },
    });
    expect(withProperty(value, "value").findings).to.include("constraint-invalid");
  });
});
