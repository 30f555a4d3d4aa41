import { expect } from "chai";
import type { SettingsMembers } from "../../generators/test-settings/settings-shape.js";
import { settingsShape } from "../../generators/test-settings/settings-shape.js";
import { readConnectorJson } from "../../schemas/entries/model.js";
import { fromPlain } from "../../schemas/json.js";
import { readDocument } from "../../schemas/model/read-schema.js";
import { filledValues } from "../../scripts/test-settings/filled-values.js";

const SCHEMA = {
  type: "object",
  properties: {
    Name: { type: "string" },
    Limit: { type: "integer", minimum: 1 },
    Mode: { type: "string", enum: ["All", "Active"] },
    Tags: { type: "array", items: { type: "string" } },
    Note: { type: ["string", "null"] },
    Token: { type: "string", minLength: 8, writeOnly: true },
    Password: { type: "string" },
    Shift: { type: "number" },
    Inner: {
      type: "object",
      properties: { Needed: { type: "string" }, Pin: { type: "integer", writeOnly: true } },
      required: ["Needed"],
    },
  },
  required: ["Name"],
};

function fill(
  value: unknown,
  environment: Readonly<Record<string, string>> = {},
  configSchema: object = SCHEMA,
) {
  const connector = {
    ...{ name: "", urlPart: "", key: "", description: "", connectionDefinitions: [], modules: [] },
    configSchema,
  };
  const { model } = readConnectorJson(JSON.stringify(connector), "connector.json");
  if (model === undefined) throw new Error("the connector can't be read");
  const node = settingsShape(model).members.find(([name]) => name === "connectorRegistration")?.[1];
  return filledValues({
    node: node as SettingsMembers,
    document: readDocument(fromPlain(configSchema)),
    tree: fromPlain(value),
    name: "connectorRegistration",
    environment,
  });
}

describe("filledValues", () => {
  it("leaves out what nobody has filled in, and keeps what says something", () => {
    const empty = { Limit: null, Mode: null, Tags: [], Token: "", Inner: { Needed: "" }, Unknown: 1 };
    expect(fill({ Name: "n", ...empty, Note: null }).value).to.deep.equal({ Name: "n", Note: null });
    const said = { Name: "n", Limit: 3, Mode: "All", Tags: ["a"], Inner: { Needed: "x" } };
    expect(fill(said).value).to.deep.equal(said);
  });

  it("gives an object where nothing is filled in, whatever form its schema has", () => {
    for (const schema of [{ type: "object" }, { allOf: [{ type: "object" }] }, {}])
      expect(fill(null, {}, schema), JSON.stringify(schema)).to.deep.include({ value: {}, diagnostics: [] });
  });

  it("names what must be filled in once, and everything that does not fit", () => {
    const { value, diagnostics } = fill({ Limit: 0, Mode: "Some", Token: "s3cret" });
    expect(value).to.equal(undefined);
    expect(diagnostics.map(({ code, path }) => [code, path?.join(".")])).to.deep.equal([
      ["settings-empty", "Name"],
      ["settings-wrong", "Limit"],
      ["settings-wrong", "Mode"],
      ["settings-wrong", "Token"],
    ]);
    expect(JSON.stringify(diagnostics)).to.include("--hidden value--").and.to.not.include("s3cret");
  });

  it("reads values of the environment as what their schema wants", () => {
    const value = { Name: `\${A}`, Limit: `\${B}`, Mode: `\${C}`, Tags: [`\${A}`, `\${A} and more`] };
    const { value: read } = fill(value, { A: "17", B: "17", C: "Active" });
    expect(read).to.deep.equal({ Name: "17", Limit: 17, Mode: "Active", Tags: ["17", `\${A} and more`] });
    const numbers = ["-17", "-2.5", "0", "1e3", "- 1", "-"].map((text) => {
      const { value: shifted } = fill({ Name: "n", Shift: `\${A}` }, { A: text });
      return (shifted as { readonly Shift?: unknown } | undefined)?.Shift;
    });
    expect(numbers).to.deep.equal([-17, -2.5, 0, undefined, undefined, undefined]);
  });

  it("takes for secret what is sensitive, at any depth, and what has the name of a secret, and nothing else", () => {
    const inner = { Needed: "guest", Pin: 4711 };
    const given = {
      Name: `\${USER}`,
      Token: `\${A}`,
      Password: "pass",
      Inner: inner,
      Note: `\${NOTE_SECRET}`,
    };
    const { secrets } = fill(given, { USER: "guest", A: "12345678", NOTE_SECRET: "noted" });
    expect([...new Set(secrets)]).to.have.members(["12345678", "pass", "4711", "noted"]);
    const of = (name: string, environment: Readonly<Record<string, string>>) =>
      JSON.stringify(fill({ Name: "n", Mode: `\${${name}}` }, environment).diagnostics);
    expect(of("MODE", { MODE: "Some" })).to.include("Some");
    expect(of("MODE_KEY_SECRET", { MODE_KEY_SECRET: "not-for-others" }))
      .to.include("--hidden value--")
      .and.to.not.include("not-for");
  });

  it("names the variable that is not set, and not the value that is", () => {
    const { diagnostics } = fill({ Name: `\${A}`, Tags: [`\${B}`] }, { A: "a-value" });
    expect(diagnostics.map(({ code }) => code)).to.deep.equal(["settings-variable-missing"]);
    expect(diagnostics[0]?.message).to.include("variable B").and.to.not.include("a-value");
  });
});
