import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import { generatedModules } from "../../generators/classes/generated-modules.js";
import type { RecordType } from "../../runtime/entries/runtime.js";
import { type ConnectorModel, readConnectorJson } from "../../schemas/entries/model.js";
import { jsonText } from "../../schemas/formats/json-text.js";
import { connectorTree } from "../support/arbitraries.js";
import { loadModules, typeErrors, withProjects } from "../support/author-project.js";
import { inRepository, runs, SLOW_TEST_MS } from "../support/repository.js";
import { type Random, randomFrom, valueFor } from "../validation/random.js";

const models = (least: number, most: number) =>
  fc.array(
    connectorTree.map((tree): ConnectorModel => {
      const { model } = readConnectorJson(jsonText(tree), "connector.json");
      if (model === undefined) throw new Error("no model");
      return model;
    }),
    { minLength: least, maxLength: most, size: "max" },
  );

/** A generated class or payload, as far as the test uses it. */
interface Generated {
  readonly type: RecordType;
  from(json: unknown): object;
  toJSON(value: object): unknown;
}

function isGenerated(value: unknown): value is Generated {
  return (
    (typeof value === "function" || typeof value === "object") &&
    value !== null &&
    "type" in value &&
    "from" in value
  );
}

describe("classes generated for any connector", () => {
  it("type-check under the author's strict flags, whatever texts and names it holds", async () => {
    await fc.assert(
      fc.asyncProperty(models(60, 60), async (batch) => {
        await withProjects(
          batch.map((model) => generatedModules(model)),
          async (folder) => {
            expect((await typeErrors(folder)).slice(0, 4_000)).to.equal("");
          },
        );
      }),
      { numRuns: runs(1), endOnFailure: true },
    );
  }).timeout(SLOW_TEST_MS);

  it("type-check if an object of the author's has the name of a type that they import", async () => {
    const text = readFileSync(inRepository("examples/projects-api/connector.json"), "utf8");
    const { model } = readConnectorJson(text, "connector.json");
    if (model === undefined) throw new Error("no model");
    const names = ["RecordMethods", "NameMapping"];
    const modules = model.modules.map((module) => ({
      ...module,
      dataObjects: module.dataObjects.map((object, index) => ({
        ...object,
        name: names[index] ?? object.name,
      })),
    }));
    const files = generatedModules({ ...model, modules });
    expect(files.map(({ content }) => content).join("")).to.include("class RecordMethods extends");
    await withProjects([files], async (folder) => {
      expect(await typeErrors(folder)).to.equal("");
    });
  }).timeout(SLOW_TEST_MS);

  it("give every valid value back as it came", async () => {
    let tried = 0;
    await fc.assert(
      fc.asyncProperty(models(10, 30), fc.integer(), async (batch, seed) => {
        const random = randomFrom(seed);
        await withProjects(
          batch.map((model) => generatedModules(model)),
          async (_, folders) => {
            const entries = batch.flatMap((model, index) =>
              generatedModules(model)
                .filter(({ path }) => !path.endsWith("registration.ts"))
                .map(({ path }) => join(folders[index] ?? "", path)),
            );
            for (const loaded of await loadModules(entries)) tried += roundTrips(loaded, random);
          },
        );
      }),
      { numRuns: runs(8) },
    );
    expect(tried).to.be.greaterThan(500);
  }).timeout(SLOW_TEST_MS);
});

/** Tries values of every class in the module; how many fitted their schema. */
function roundTrips(loaded: Readonly<Record<string, unknown>>, random: Random): number {
  let tried = 0;
  for (const generated of Object.values(loaded).filter(isGenerated)) {
    for (let count = 0; count < 5; count++) {
      const { schema, check } = generated.type;
      const value = valueFor(random, schema, schema);
      if (!check(value)) continue;
      tried++;
      expect(generated.toJSON(generated.from(value))).to.deep.equal(value);
    }
  }
  return tried;
}
