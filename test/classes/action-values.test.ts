import { join } from "node:path";
import { expect } from "chai";
import { generatedModules } from "../../generators/classes/generated-modules.js";
import type { AnyActionClass } from "../../runtime/entries/runtime.js";
import { buildConnectorModel } from "../../schemas/entries/model.js";
import {
  defineAction,
  defineConnector,
  defineDataObject,
  defineModule,
  Nullable,
  Type,
} from "../../schemas/entries/vocabulary.js";
import { loadModules, typeErrors, withProjects } from "../support/author-project.js";

const INPUT = { input: Type.Object({ name: Type.String() }), output: Type.Null(), description: "" };

/** A connector of one data object with these actions, as it is generated. */
function generate(name: string, actions: readonly string[], options: object = {}) {
  const dataObject = defineDataObject(name, {
    description: "",
    primaryKey: "id",
    properties: { id: Type.String() },
  });
  const module = defineModule("App", {
    key: "app",
    version: 1,
    description: "",
    dataObjects: [dataObject],
    actions: actions.map((action) => defineAction(action, { ...INPUT, ...options, dataObject })),
  });
  const { model } = buildConnectorModel(
    defineConnector("Sites", { key: "sites", description: "", connections: [], modules: [module] }),
  );
  return generatedModules(model);
}

/** The values that the module of the data object exports. */
async function valuesOf(
  files: ReturnType<typeof generate>,
  file: string,
): Promise<{ readonly values: Readonly<Record<string, unknown>>; readonly errors: string }> {
  let values: Readonly<Record<string, unknown>> = {};
  let errors = "";
  await withProjects([files], async (_, [folder = ""]) => {
    errors = await typeErrors(folder);
    [values = {}] = await loadModules([join(folder, `generated/app/${file}.ts`)]);
  });
  return { values, errors };
}

describe("the generated value of an action", () => {
  it("has its name and the classes of its payloads and of its data object, frozen", async () => {
    const { values, errors } = await valuesOf(generate("Site", ["Open"]), "site");
    expect(errors).to.equal("");
    const { OpenSite, OpenSiteInput, OpenSiteOutput, OpenSiteFailure, Site } = values;
    expect(OpenSite).to.deep.equal({
      name: "OpenSite",
      input: OpenSiteInput,
      output: OpenSiteOutput,
      failure: OpenSiteFailure,
      dataObject: Site,
    });
    expect(Object.isFrozen(OpenSite)).to.equal(true);
  });

  it("has a failure of its own and payloads that are no objects", async () => {
    const options = { failure: Type.Array(Type.String()), output: Nullable(Type.Object({})) };
    const { values, errors } = await valuesOf(generate("Site", ["Open"], options), "site");
    expect(errors).to.equal("");
    const { failure } = values["OpenSite"] as AnyActionClass;
    expect(failure.findings(["x"])).to.deep.equal([]);
    expect(failure.findings([1])).to.have.length(1);
  });

  for (const actions of [
    ["Create", "CreateInput"],
    ["CreateInput", "Create"],
  ])
    it(`has a name that no payload has: ${actions.join(", ")}`, async () => {
      const { values, errors } = await valuesOf(generate("Input", actions), "input");
      expect(errors).to.equal("");
      const named = Object.entries(values).filter(([name, value]) => (value as AnyActionClass).name === name);
      expect(named).to.have.length.at.least(2);
    });
});
