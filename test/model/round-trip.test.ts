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
      { numRuns: runs(300) },
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
