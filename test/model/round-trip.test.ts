import { join } from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import { connectorJson, schemaModules } from "../../generators/emitters/index.js";
import { buildConnectorModel, type ConnectorModel, readConnectorJson } from "../../schemas/entries/model.js";
import { jsonText } from "../../schemas/formats/json-text.js";
import { connectorTree } from "../support/arbitraries.js";
import { loadConnectors, typeErrors, withProjects } from "../support/author-project.js";
import { inRepository, runs, SLOW_TEST_MS } from "../support/repository.js";

const texts = (least: number, most: number) =>
  fc.array(connectorTree.map(jsonText), { minLength: least, maxLength: most, size: "max" });

function modelOf(text: string): ConnectorModel {
  const { model, diagnostics } = readConnectorJson(text, "connector.json");
  expect(diagnostics).to.deep.equal([]);
  if (model === undefined) throw new Error("no model");
  return model;
}

describe("the addresses of an author's connections", () => {
  it("stand in the schema modules that are made from their model", async () => {
    const addresses = ({ connections }: ConnectorModel) =>
      connections.map(({ name, baseUrl, tokenUrl, authorizationUrl }) => ({
        name,
        baseUrl,
        tokenUrl,
        authorizationUrl,
      }));
    const [author] = await loadConnectors([inRepository("test/golden/connections/input/connector.ts")]);
    const { model } = buildConnectorModel(author);
    await withProjects([schemaModules(model)], async (_, [folder = ""]) => {
      const [written] = await loadConnectors([join(folder, "connector.ts")]);
      expect(addresses(buildConnectorModel(written).model)).to.deep.equal(addresses(model));
    });
  });
});

describe("any connector.json", () => {
  it("is extracted from its model with the same bytes", () => {
    fc.assert(
      fc.property(connectorTree.map(jsonText), (text) => {
        expect(connectorJson(modelOf(text))).to.equal(text);
      }),
      { numRuns: runs(75) },
    );
  }).timeout(SLOW_TEST_MS);

  it("becomes schema modules that give the same model and the same bytes again", async () => {
    await fc.assert(
      fc.asyncProperty(texts(1, 60), async (batch) => {
        const models = batch.map(modelOf);
        await withProjects(models.map(schemaModules), async (_, folders) => {
          const connectors = await loadConnectors(folders.map((folder) => join(folder, "connector.ts")));
          for (const [index, connector] of connectors.entries()) {
            const built = buildConnectorModel(connector);
            expect(connectorJson(built.model)).to.equal(batch[index]);
            expect(built.model).to.deep.equal(models[index]);
          }
        });
      }),
      { numRuns: runs(7) },
    );
  }).timeout(SLOW_TEST_MS);

  it("keeps a const beside a list of one member in a definition, where TypeBox makes the list a const", async () => {
    const status = { type: "string", enum: ["a"], const: [] };
    const schema = {
      type: "object",
      properties: { id: { $ref: "#/$defs/Part" } },
      $defs: { Part: { type: "object", properties: { status } } },
    };
    const site = { name: "Site", urlPart: "site", key: "site", description: "", createEndpoint: false };
    const services = ["ActionProcessor", "CacheWriter"].map((type) => {
      return { name: type, type, configSchema: { type: "object" } };
    });
    const module = { name: "App", urlPart: "app", key: "app-1", description: "", version: 1, services };
    const file = {
      ...{ name: "Small", urlPart: "small", key: "small", description: "", connectionDefinitions: [] },
      configSchema: {},
      modules: [{ ...module, dataObjects: [{ ...site, schema, keys: [], actions: [] }] }],
    };
    const text = JSON.stringify(file, undefined, 2);
    const model = modelOf(text);
    await withProjects([schemaModules(model)], async (_, folders) => {
      const [connector] = await loadConnectors(folders.map((folder) => join(folder, "connector.ts")));
      const built = buildConnectorModel(connector).model;
      expect(connectorJson(built)).to.equal(text);
      expect(built).to.deep.equal(model);
    });
  }).timeout(SLOW_TEST_MS);

  it("becomes schema modules that type-check under the author's strict flags", async () => {
    await fc.assert(
      fc.asyncProperty(texts(80, 80), async (batch) => {
        await withProjects(batch.map(modelOf).map(schemaModules), async (folder) => {
          expect((await typeErrors(folder)).slice(0, 4_000)).to.equal("");
        });
      }),
      { numRuns: runs(1), endOnFailure: true },
    );
  }).timeout(SLOW_TEST_MS);
});
