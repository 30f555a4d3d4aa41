import { expect } from "chai";
import fc from "fast-check";
import { DIAGNOSTIC_CODES } from "../../schemas/diagnostics/codes.js";
import { type ConnectorModel, checkModel, readConnectorJson } from "../../schemas/entries/model.js";
import { connectorJsonTexts } from "../support/arbitraries.js";
import { runs, SLOW_TEST_MS } from "../support/repository.js";

describe("checkModel", () => {
  it("gives findings, and never throws, for any file in the format", () => {
    fc.assert(
      fc.property(connectorJsonTexts, (text) => {
        const { model, diagnostics } = readConnectorJson(text, "connector.json");
        expect(diagnostics).to.deep.equal([]);
        if (model === undefined) return;
        for (const { code, pointer, message } of checkModel(model)) {
          expect(DIAGNOSTIC_CODES).to.include(code);
          expect(pointer).to.match(/^(?:\/|$)/);
          expect(message).to.not.equal("");
        }
      }),
      { numRuns: runs(40) },
    );
  });

  it("says the same of one model each time", () => {
    fc.assert(
      fc.property(connectorJsonTexts, (text) => {
        const { model } = readConnectorJson(text, "connector.json");
        if (model !== undefined) expect(checkModel(model)).to.deep.equal(checkModel(model));
      }),
      { numRuns: 30 },
    );
  });

  it("stands a schema of any depth", () => {
    const { model } = readConnectorJson(JSON.stringify(fileWith({ type: "object" })), "connector.json");
    expect(model).to.not.equal(undefined);
    if (model === undefined) return;
    let deep: ConnectorModel["registrationConfiguration"]["root"] = { kind: "any", keywords: [] };
    for (let level = 0; level < 3_000; level++)
      deep = { kind: "array", nullable: false, items: deep, keywords: [] };
    const registrationConfiguration = { name: "Settings", root: deep, definitions: [] };
    expect(checkModel({ ...model, registrationConfiguration })).to.not.be.empty;
  });

  it("takes no time that grows with the square of the model's size", function () {
    // A loop in a loop over so many properties would run for hours.
    const count = 100_000;
    this.timeout(SLOW_TEST_MS);
    const properties = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`p${index}`, { type: "string" }]),
    );
    const file = JSON.stringify(fileWith({ type: "object", properties }));
    const { model } = readConnectorJson(file, "connector.json");
    if (model === undefined) throw new Error("the file is in the format");
    expect(checkModel(model)).to.have.lengthOf.at.least(2 * count);
  });
});

/** A file whose registration configuration has this schema. */
function fileWith(configSchema: object): object {
  const named = { name: "A", urlPart: "a", key: "a", description: "A." };
  return { ...named, connectionDefinitions: [], configSchema, modules: [] };
}
