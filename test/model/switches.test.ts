import { expect } from "chai";
import { generatedModules } from "../../generators/classes/generated-modules.js";
import { buildConnectorModel } from "../../schemas/entries/model.js";
import { defineConnector, defineServiceConfiguration, Type } from "../../schemas/entries/vocabulary.js";
import { moduleOf } from "../support/checks.js";

describe("the switches of a service configuration", () => {
  for (const [namingConvention, switchName] of [
    ["camelCase", "employeeConfig"],
    ["snake_case", "employee_config"],
    ["UPPER-KEBAB-CASE", "EMPLOYEE-CONFIG"],
  ] as const) {
    it(`are found in ${namingConvention}, and none is added beside them`, () => {
      const cacheWriter = defineServiceConfiguration("CacheWriterConfiguration", {
        namingConvention,
        properties: { employeeConfig: Type.Object({ uploadObject: Type.Boolean() }) },
      });
      const { model } = buildConnectorModel(
        defineConnector("Staff", {
          key: "staff",
          description: "People.",
          connections: [],
          modules: [moduleOf({ cacheWriter })],
        }),
      );
      const { root } = model.modules[0]?.services[1].configuration ?? {};
      const names = root?.kind === "object" ? root.properties.map(({ jsonName }) => jsonName) : [];
      expect(names).to.deep.equal([switchName]);
      const registration = generatedModules(model).find(({ path }) => path === "generated/registration.ts");
      expect(registration?.content)
        .to.include('switchName: "employeeConfig"')
        .and.to.include('flagName: "uploadObject"');
    });
  }
});
