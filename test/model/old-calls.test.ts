import { expect } from "chai";
import { buildConnectorModel } from "../../schemas/entries/model.js";
import * as vocabulary from "../../schemas/entries/vocabulary.js";
import { StringEnum, Type } from "../../schemas/entries/vocabulary.js";

// As JavaScript authors call them: the compiler refuses the old shapes.
const { defineDataObject, defineAction, defineModule, defineConnector, defineConfiguration } =
  vocabulary as unknown as Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;

const primaryKey = { name: "id", properties: ["id"] };

function findingsIn(connector: unknown) {
  return buildConnectorModel(connector).diagnostics.map(({ code, message, fix }) => ({ code, message, fix }));
}

function connectorOf(module: object, options: object = {}): unknown {
  const App = defineModule?.("App", { key: "app", version: 1, description: "", dataObjects: [], ...module });
  const given = { key: "sites", description: "", connections: [], modules: [App], ...options };
  return defineConnector?.("Sites", given);
}

describe("a call of the older shape", () => {
  it("of a data object is one finding, which shows the new call with the author's names", () => {
    const Site = defineDataObject?.(
      "Site",
      { id: Type.String(), city: Type.String() },
      { description: "A place.", primaryKey },
    );
    expect(findingsIn(connectorOf({ dataObjects: [Site] }))).to.deep.equal([
      {
        code: "call-shape-old",
        message:
          'Data object "Site" is defined by a call of an older shape: every call takes a name and options.',
        fix: 'Write defineDataObject("Site", { description, primaryKey, properties: { id, city } }).',
      },
    ]);
  });

  it("of an action names its data object", () => {
    const Site = defineDataObject?.("Site", {
      description: "A place.",
      primaryKey,
      properties: { id: Type.String() },
    });
    const Open = defineAction?.(Site, "Open", { description: "Opens it." });
    const [finding, ...others] = findingsIn(connectorOf({ dataObjects: [Site], actions: [Open] }));
    expect(others).to.deep.equal([]);
    expect(finding?.fix).to.equal('Write defineAction("Open", { dataObject: Site, description }).');
  });

  it("of a module keeps a display name that is not its name in words", () => {
    const fixOf = (name: string) => {
      const App = defineModule?.({ name, key: "app", version: 1, description: "", dataObjects: [] });
      return findingsIn(connectorOf({}, { modules: [App] })).map(({ fix }) => fix);
    };
    const options = "key, version, description, dataObjects";
    expect(fixOf("Work Orders")).to.deep.equal([`Write defineModule("WorkOrders", { ${options} }).`]);
    expect(fixOf("Work of 2026")).to.deep.equal([
      `Write defineModule("WorkOf2026", { title: "Work of 2026", ${options} }).`,
    ]);
  });

  it("of the connector gives the model that the new call gives", () => {
    const given = { key: "sites", description: "", connections: [], modules: [] };
    const old = buildConnectorModel(defineConnector?.({ name: "Work Sites", ...given }));
    expect(old.diagnostics.map(({ code }) => code)).to.deep.equal(["call-shape-old"]);
    expect(old.model).to.deep.equal(buildConnectorModel(defineConnector?.("WorkSites", given)).model);
  });

  it("of the connector is none that leaves its options out", () => {
    const { diagnostics } = buildConnectorModel(defineConnector?.("Sites"));
    expect(diagnostics.map(({ code }) => code)).to.deep.equal(["definition-invalid"]);
  });

  it("of a configuration shows the word of its place", () => {
    const settings = defineConfiguration?.({ status: StringEnum(["All"]) }, { title: "Settings" });
    const writer = defineConfiguration?.({}, { complete: true });
    const findings = findingsIn(
      connectorOf({ cacheWriter: writer }, { registrationConfiguration: settings }),
    );
    expect(findings.map(({ fix }) => fix)).to.deep.equal([
      'Write defineRegistrationConfiguration("RegistrationConfiguration", { title: "Settings", properties: { status } }).',
      'Write defineServiceConfiguration("CacheWriterConfiguration", { complete, properties: {  } }).',
    ]);
  });
});

describe("what stands in a list of definitions", () => {
  it("and is none is counted from 1 in its finding", () => {
    const [finding] = findingsIn(connectorOf({}, { modules: [7] }));
    expect(finding).to.include({
      code: "definition-invalid",
      message: 'Member 1 of "modules" of the connector must be a defined module, but is a number.',
    });
  });
});

describe("a definition that is listed nowhere", () => {
  const object = (name: string, options: object = {}) =>
    defineDataObject?.(name, { description: "", primaryKey, properties: { id: Type.String() }, ...options });
  const unlistedIn = (connector: unknown, definitions: readonly unknown[]) =>
    buildConnectorModel(connector, definitions as readonly object[]).unlisted.map(({ finding }) => finding);

  it("is a finding that says where it can be listed", () => {
    const [Site, Area] = [object("Site"), object("Area")];
    const [finding, ...others] = unlistedIn(connectorOf({ dataObjects: [Site] }), [Site, Area]);
    expect(others).to.deep.equal([]);
    expect(finding).to.include({
      code: "definition-unlisted",
      message: 'The data object "Area" is defined and listed nowhere.',
      fix: 'Add it to "dataObjects" of a module, or remove it.',
    });
  });

  it("is found for an action, though its data object is listed", () => {
    const Site = object("Site");
    const Open = defineAction?.("Open", { dataObject: Site, description: "" });
    const findings = unlistedIn(connectorOf({ dataObjects: [Site] }), [Site, Open]);
    expect(findings.map(({ message }) => message)).to.deep.equal([
      'The action "Open" is defined and listed nowhere.',
    ]);
  });

  it("stands for what only it lists", () => {
    const Site = object("Site");
    const Other = defineModule?.("Other", { key: "o", version: 1, description: "", dataObjects: [Site] });
    const findings = unlistedIn(connectorOf({}), [Site, Other]);
    expect(findings.map(({ message }) => message)).to.deep.equal([
      'The module "Other" is defined and listed nowhere.',
    ]);
  });

  it("may stand with a reason", () => {
    const Draft = object("Draft", { silence: { "definition-unlisted": "It comes with version 2." } });
    const [finding] = unlistedIn(connectorOf({}), [Draft]);
    expect(finding?.silenced).to.equal("It comes with version 2.");
  });
});
