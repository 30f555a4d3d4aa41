import { readFileSync } from "node:fs";
import { expect } from "chai";
import {
  connectorJsonEmitter,
  type Emitter,
  emitFiles,
  GEN_EMITTERS,
} from "../../generators/emitters/index.js";
import { type ConnectorModel, readConnectorJson } from "../../schemas/entries/model.js";
import { inRepository } from "../support/repository.js";

const TEXT = readFileSync(inRepository("examples/projects-api/connector.json"), "utf8");

function exampleModel(): ConnectorModel {
  const { model } = readConnectorJson(TEXT, "connector.json");
  if (model === undefined) throw new Error("no model");
  return model;
}

describe("the emitters of gen", () => {
  it("make the files under generated/ that the example has", () => {
    for (const { path, content, ownership } of emitFiles(exampleModel(), GEN_EMITTERS)) {
      expect(ownership).to.equal("generated");
      expect(path).to.match(/^generated\//);
      // connector.json does not say where a connection leads.
      if (path.includes("/connections/")) continue;
      expect(content).to.equal(readFileSync(inRepository(`examples/projects-api/${path}`), "utf8"));
    }
  });
});

describe("the emitter of connector.json", () => {
  it("makes the file that the model was read from", () => {
    expect(emitFiles(exampleModel(), [connectorJsonEmitter])).to.deep.equal([
      { path: "connector.json", content: TEXT, ownership: "generated" },
    ]);
  });
});

describe("an emitter of one's own", () => {
  it("gets the model, and the names and places of the project's files", () => {
    const objectList: Emitter = {
      name: "object list",
      emit: (model, { modules }) => [
        {
          path: "objects.md",
          content: modules
            .flatMap(({ objects }) =>
              objects.map(({ identifier, file }) => `- ${identifier} of ${model.title}: ${file}\n`),
            )
            .join(""),
          ownership: "generated",
        },
      ],
    };
    const [page] = emitFiles(exampleModel(), [objectList]);
    expect(page?.content).to.equal(
      "- Project of Projects: schemas/app/project.ts\n- Timesheet of Projects: schemas/app/timesheet.ts\n",
    );
  });
});
