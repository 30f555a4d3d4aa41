import { expect } from "chai";
import type { Diagnostic, DiagnosticCode } from "../../schemas/entries/model.js";
import {
  defineRegistrationConfiguration,
  defineServiceConfiguration,
  Nullable,
  Type,
} from "../../schemas/entries/vocabulary.js";
import {
  actionOf,
  attributeFindings,
  connectionFindings,
  connectorFindings,
  ID,
  moduleFindings,
  moduleOf,
  objectFindings,
  objectOf,
} from "../support/checks.js";

const described = { description: "What it is." };
const OBJECT = "/modules/0/dataObjects/0";

function place(findings: readonly Diagnostic[], code: DiagnosticCode) {
  const found = findings.find((finding) => finding.code === code);
  return found && { pointer: found.pointer, path: found.path };
}

describe("the place of a finding", () => {
  it("is the property, nested as deep as it is, by serialized names and by names in code", () => {
    const street = Type.String({ ...described, jsonPropertyName: "street_1" });
    const shape = { id: ID, address: Type.Array(Type.Object({ Street: street }, described), described) };
    const [finding, ...others] = objectFindings(shape);
    expect(others).to.deep.equal([]);
    expect(finding).to.deep.include({
      code: "sensitive-not-write-only",
      pointer: `${OBJECT}/schema/properties/address/items/properties/street_1`,
      path: ["properties", "address", "Street"],
      message:
        '"Street" of an item of "address" of data object "Employee" looks personal or secret ' +
        '(its name says "street"), and is shown to everyone.',
    });
  });

  it("is the key, counted as the author writes keys", () => {
    const unknown = { name: "x", properties: ["x"] } as never;
    expect(place(objectFindings({ id: ID }, { primaryKey: unknown }), "key-property-unknown")).to.deep.equal({
      pointer: `${OBJECT}/keys/0`,
      path: ["primaryKey"],
    });
    const alternateKeys = [{ name: "id2", properties: ["id"] } as never, unknown];
    expect(place(objectFindings({ id: ID }, { alternateKeys }), "key-property-unknown")).to.deep.equal({
      pointer: `${OBJECT}/keys/2`,
      path: ["alternateKeys", 1],
    });
  });

  it("is the key in the list that an import spells out", () => {
    const keys = [
      { name: "a", properties: ["x"], isPrimary: false },
      { name: "id", properties: ["id"], isPrimary: true },
    ];
    expect(place(objectFindings({ id: ID }, { keys } as never), "key-property-unknown")).to.deep.equal({
      pointer: `${OBJECT}/keys/0`,
      path: ["keys", 0],
    });
  });

  it("is the payload of an action", () => {
    const object = objectOf();
    const input = Type.Object({ value: Type.Unknown(described) });
    const findings = moduleFindings({
      dataObjects: [objectOf(undefined, undefined, "Other"), object],
      actions: [actionOf(object, { input })],
    });
    expect(place(findings, "schema-untyped")).to.deep.equal({
      pointer: "/modules/0/dataObjects/1/actions/0/inputSchema/properties/value",
      path: ["input", "value"],
    });
  });

  it("is the property or the address of a connection", () => {
    const secret = Type.String({ title: "Key", description: "", isSensitive: false });
    expect(place(attributeFindings(secret, "apiKey"), "connection-secret-not-sensitive")).to.deep.equal({
      pointer: "/connectionDefinitions/0/attributes/0",
      path: ["properties", "apiKey"],
    });
    const wrong = connectionFindings({ baseUrl: "company" });
    expect(place(wrong, "connection-address-invalid")).to.deep.equal({
      pointer: "/connectionDefinitions/0",
      path: ["baseUrl"],
    });
  });

  it("is the property of a configuration", () => {
    const configuration = defineRegistrationConfiguration("Settings", {
      properties: { baseUrl: Type.String({ title: "Address", ...described }) },
    });
    expect(
      place(connectorFindings({ registrationConfiguration: configuration }), "registration-address"),
    ).to.deep.equal({ pointer: "/configSchema/properties/BaseUrl", path: ["properties", "baseUrl"] });
    const service = defineServiceConfiguration("Settings", {
      properties: { region: Type.String(described) },
    });
    const findings = connectorFindings({ modules: [moduleOf({ cacheWriter: service })] });
    expect(place(findings, "title-missing")).to.deep.equal({
      pointer: "/modules/0/services/1/configSchema/properties/Region",
      path: ["properties", "region"],
    });
  });

  it("is where the model builder reports the same property", () => {
    const wrong = { value: Type.Date(), list: Nullable(Type.Array(Type.Date())) };
    const findings = objectFindings({ id: ID, nested: Type.Object(wrong, described), ...wrong });
    const placesOf = (code: DiagnosticCode) =>
      findings
        .filter((finding) => finding.code === code)
        .map(({ pointer, path, message }) => ({ pointer, path, what: / of data object/.test(message) }));
    expect(placesOf("schema-not-json")).to.have.length(4);
    expect(placesOf("schema-untyped")).to.deep.equal(placesOf("schema-not-json"));
  });

  it("is the first use of a definition", () => {
    const Node = Type.Recursive(
      (Self) => Type.Object({ value: Type.Unknown(described), next: Type.Optional(Self) }, described),
      { $id: "Node" },
    );
    const findings = objectFindings({ id: ID, tree: Type.Array(Node, described) });
    expect(place(findings, "schema-untyped")).to.deep.equal({
      pointer: `${OBJECT}/schema/$defs/Node/properties/value`,
      path: ["properties", "tree", "value"],
    });
  });
});

describe("the message of a finding", () => {
  it("names the nearest property for a key", () => {
    const primaryKey = { name: "id", properties: ["idd"] } as never;
    const [finding] = objectFindings({ id: ID }, { primaryKey });
    expect(finding?.message).to.equal(
      'Key "id" of "Employee" names "idd", and no property has that name. Did you mean "id"?',
    );
  });

  it("says each finding once for one mistake in a registration configuration", () => {
    const properties = { clientSecretUrl: Type.String({ title: "Address", ...described }) };
    const findings = connectorFindings({
      registrationConfiguration: defineRegistrationConfiguration("Settings", { properties }),
    });
    expect(findings).to.have.length(1);
  });

  it("never holds what is secret in an address", () => {
    for (const baseUrl of [
      "https://user:hunter2@company.com",
      "company.com?api_key=hunter2",
      "x://u:hunter2@{a}",
    ]) {
      const findings = connectionFindings({ baseUrl });
      expect(findings).to.not.be.empty;
      expect(JSON.stringify(findings)).to.not.include("hunter2");
    }
  });
});
