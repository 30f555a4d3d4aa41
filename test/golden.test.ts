import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { Ajv, type AnySchema } from "ajv";
import addFormats from "ajv-formats";
import { expect } from "chai";
import { connectorJson } from "../generators/emitters/index.js";
import { buildConnectorModel, readConnectorJson } from "../schemas/entries/model.js";
import { readJson } from "../schemas/formats/read-json.js";
import { type JsonTree, memberOf, toPlain } from "../schemas/json.js";
import { loadConnectors, typeErrors, withProjects } from "./support/author-project.js";
import { inRepository } from "./support/repository.js";

const FOLDER = inRepository("test/golden/");
const CASES = readdirSync(FOLDER).sort();

/** Each case shows one thing. `UPDATE_GOLDEN=1 npx mocha` writes the files anew: read what has changed. */
describe("golden connectors", () => {
  let connectors: readonly unknown[] = [];
  before(async () => {
    connectors = await loadConnectors(CASES.map((name) => `${FOLDER}${name}/input/connector.ts`));
  });

  for (const [index, name] of CASES.entries()) {
    const file = `${FOLDER}${name}/connector.json`;

    it(`${name} is extracted as its connector.json says`, () => {
      const { model, diagnostics } = buildConnectorModel(connectors[index]);
      expect(diagnostics).to.deep.equal([]);
      const text = connectorJson(model);
      if (process.env["UPDATE_GOLDEN"] !== undefined) writeFileSync(file, text);
      expect(text).to.equal(readFileSync(file, "utf8"));
    });

    it(`${name} is read back with the same bytes`, () => {
      const text = readFileSync(file, "utf8");
      const { model, diagnostics } = readConnectorJson(text, file);
      expect(diagnostics).to.deep.equal([]);
      expect(model && connectorJson(model)).to.equal(text);
    });

    it(`${name} holds schemas that ajv compiles in strict mode`, () => {
      const { document } = readJson(readFileSync(file, "utf8"), file);
      const schemas = schemasIn(document?.tree ?? null);
      expect(schemas).to.not.deep.equal([]);
      for (const schema of schemas) strictAjv().compile(schema);
    });
  }

  it("has a type-check that finds mistakes", async () => {
    const content = 'import { Type } from "connectorcli";\nexport const schema: string = Type.String();\n';
    await withProjects([[{ path: "wrong.ts", content }]], async (folder) => {
      expect(await typeErrors(folder)).to.match(/wrong\.ts\(2,14\): error TS2322/);
    });
  });

  it("has inputs that type-check under the author's strict flags", async () => {
    expect(await typeErrors(FOLDER)).to.equal("");
  });
});

/** Every schema of the file: those of configurations, records and payloads. */
function schemasIn(tree: JsonTree): readonly AnySchema[] {
  const items = (holder: JsonTree | undefined, name: string): readonly JsonTree[] => {
    const list = memberOf(holder, name);
    return Array.isArray(list) ? list : [];
  };
  const modules = items(tree, "modules");
  const objects = modules.flatMap((module) => items(module, "dataObjects"));
  const actions = objects.flatMap((object) => items(object, "actions"));
  return [
    memberOf(tree, "configSchema"),
    ...modules
      .flatMap((module) => items(module, "services"))
      .map((service) => memberOf(service, "configSchema")),
    ...objects.map((object) => memberOf(object, "schema")),
    ...actions.flatMap((action) =>
      ["inputSchema", "outputSchema", "failureSchema"].map((name) => memberOf(action, name)),
    ),
  ].map((schema) => toPlain(schema ?? null) as AnySchema);
}

function strictAjv(): Ajv {
  const ajv = new Ajv({ strict: true });
  ajv.addVocabulary(["x-origin", "x-volatile"]);
  addFormats.default(ajv);
  return ajv;
}
