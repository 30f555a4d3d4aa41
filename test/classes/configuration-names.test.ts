import { expect } from "chai";
import { generatedModules } from "../../generators/classes/generated-modules.js";
import { buildConnectorModel } from "../../schemas/entries/model.js";
import {
  defineConnector,
  defineModule,
  defineRegistrationConfiguration,
  defineServiceConfiguration,
  Type,
} from "../../schemas/entries/vocabulary.js";

const setting = { level: Type.Integer({ title: "Level", description: "How much is read." }) };

function generate(): ReadonlyMap<string, string> {
  const App = defineModule("App", {
    key: "app",
    version: 1,
    description: "",
    dataObjects: [],
    cacheWriter: defineServiceConfiguration("ReadingSettings", { properties: setting }),
  });
  const { model } = buildConnectorModel(
    defineConnector("Sites", {
      key: "sites",
      description: "",
      connections: [],
      modules: [App],
      registrationConfiguration: defineRegistrationConfiguration("Workspace", { properties: setting }),
    }),
  );
  return new Map(generatedModules(model).map(({ path, content }) => [path, content]));
}

describe("classes of configurations", () => {
  it("have the names that their definitions have", () => {
    expect(generate().get("generated/registration-configuration.ts")).to.include("class Workspace");
    expect(generate().get("generated/app/configuration.ts")).to.include("class ReadingSettings");
    expect(generate().get("generated/registration.ts"))
      .to.include("Workspace.type")
      .and.include("ReadingSettings");
  });

  it("have the usual names where the author defines none", () => {
    expect(generate().get("generated/app/configuration.ts")).to.include("class ActionProcessorConfiguration");
  });
});
