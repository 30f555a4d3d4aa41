import type { TSchema } from "@sinclair/typebox";
import { expect } from "chai";
import { generatedModules } from "../../generators/classes/generated-modules.js";
import { buildConnectorModel, checkModel } from "../../schemas/entries/model.js";
import { defineConnector, defineServiceConfiguration, Type } from "../../schemas/entries/vocabulary.js";
import type { NamingConvention } from "../../schemas/naming/conventions.js";
import { codesOf, moduleOf } from "../support/checks.js";

const SWITCH = Type.Object({ uploadObject: Type.Boolean() });

describe("the switches of a service configuration", () => {
  for (const [namingConvention, switchName] of [
    ["camelCase", "employeeConfig"],
    ["snake_case", "employee_config"],
    ["UPPER-KEBAB-CASE", "EMPLOYEE-CONFIG"],
  ] as const) {
    it(`are found in ${namingConvention}, and none is added beside them`, () => {
      const { names, registration } = withSwitch(SWITCH, { namingConvention });
      expect(names).to.deep.equal([switchName]);
      expect(registration)
        .to.include('switchName: "employeeConfig"')
        .and.to.include('flagName: "uploadObject"');
    });
  }

  it("are found behind a reference", () => {
    const { names, found } = withSwitch(Type.Module({ Switch: SWITCH }).Import("Switch"));
    expect(names).to.deep.equal(["EmployeeConfig"]);
    expect(found).to.not.include("switch-invalid");
  });
});

/** The serialized names in a configuration whose one switch is `schema`; registration and findings of its connector. */
function withSwitch(schema: TSchema, options: { readonly namingConvention?: NamingConvention } = {}) {
  const cacheWriter = defineServiceConfiguration("CacheWriterConfiguration", {
    ...options,
    properties: { employeeConfig: schema },
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
  const registration = generatedModules(model).find(({ path }) => path === "generated/registration.ts");
  return { names, registration: registration?.content, found: codesOf(checkModel(model)) };
}
