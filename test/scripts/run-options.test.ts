import { readFileSync } from "node:fs";
import { expect } from "chai";
import { type ConnectorModel, readConnectorJson } from "../../schemas/entries/model.js";
import { RUN_OPTIONS_SCHEMA, readRunOptions } from "../../scripts/author-project/run-options.js";
import { inRepository } from "../support/repository.js";

function exampleModel(): ConnectorModel {
  const file = inRepository("examples/projects-api/connector.json");
  const { model } = readConnectorJson(readFileSync(file, "utf8"), file);
  return model ?? expect.fail();
}

function read(run: unknown) {
  const text = `{\n  "name": "a",\n  "connectorcli": {\n    "run": ${JSON.stringify(run)}\n  }\n}`;
  return readRunOptions(text, "/package.json", exampleModel());
}

describe("the options of a project's services", () => {
  it("are the defaults where package.json says nothing, or is none", () => {
    for (const text of ["", "{", "[]", "{}", '{ "connectorcli": {} }']) {
      const { options, diagnostics } = readRunOptions(text, "/package.json", exampleModel());
      expect(diagnostics).to.deep.equal([]);
      expect(options).to.deep.equal({ cacheWriter: {}, actionProcessor: {}, volatile: {} });
    }
  });

  it("are given as they stand, and volatile members by data path", () => {
    const cacheWriter = { pageSize: 50, guard: { maxShare: 0.5, maxCount: 9 }, resume: false };
    const actionProcessor = { maxInputBytes: 10, cancelAfterMs: 1, retry: { maxAttempts: 2 } };
    const { options, diagnostics } = read({ cacheWriter, actionProcessor, volatile: { Project: ["title"] } });
    expect(diagnostics).to.deep.equal([]);
    const volatile = { "projects-api/app/1/project": ["title"] };
    expect(options).to.deep.equal({ cacheWriter, actionProcessor, volatile });
  });

  it("are given for single actions by their addresses", () => {
    const create = { retry: { maxAttempts: 1 }, timeoutMs: 5 };
    const { options, diagnostics } = read({ actionProcessor: { actions: { Project: { Create: create } } } });
    expect(diagnostics).to.deep.equal([]);
    expect(options.actionProcessor).to.deep.equal({
      actions: { "projects-api/app/1/project/create": create },
    });
  });

  it("are given for the objects of a name in every module", () => {
    const model = exampleModel();
    const [app] = model.modules;
    if (app === undefined) return expect.fail();
    const next = app.dataObjects.map((object) => ({
      ...object,
      dataPath: object.dataPath.replace("/app/1/", "/app/2/"),
    }));
    const both = { ...model, modules: [app, { ...app, id: "app-2", dataObjects: next }] };
    const run = {
      volatile: { Project: ["title"] },
      actionProcessor: { actions: { Project: { Create: {} } } },
    };
    const text = JSON.stringify({ connectorcli: { run } });
    const { options } = readRunOptions(text, "/package.json", both);
    expect(options.volatile).to.have.all.keys("projects-api/app/1/project", "projects-api/app/2/project");
    expect(options.actionProcessor.actions).to.have.all.keys(
      ...["projects-api/app/1/project/create", "projects-api/app/2/project/create"],
    );
  });

  it("name volatile members as the target system does, and none of a key", () => {
    const reasons = (volatile: object, model = exampleModel()) =>
      readRunOptions(
        JSON.stringify({ connectorcli: { run: { volatile } } }, undefined, 1),
        "/package.json",
        model,
      ).diagnostics.map(({ message, line }) => `${line} ${message}`);
    expect(reasons({ Project: ["title", "created_on"] })).to.deep.equal([]);
    expect(
      reasons({ Project: ["tittle", "createdOn", "id", "number"], Timesheet: ["worker"] }),
    ).to.deep.equal([
      '6 connectorcli.run: "Project" declares no member "tittle": the serialized name is "title".',
      '7 connectorcli.run: "Project" declares no member "createdOn": the serialized name is "created_on".',
      '8 connectorcli.run: "id" is a part of the key "id" of "Project", so a change of it means something.',
      '9 connectorcli.run: "number" is a part of the key "number" of "Project", so a change of it means something.',
      '12 connectorcli.run: "worker" is a part of the key "id" of "Timesheet", so a change of it means something.',
    ]);
    expect(reasons({ Project: ["something_else"] })).to.deep.equal([
      '6 connectorcli.run: "Project" declares no member "something_else": declare it, or let unknownMembers: "drop" leave out what is not declared.',
    ]);
  });

  it("are all in docs/running.md, as they may be written", () => {
    const page = readFileSync(inRepository("docs/running.md"), "utf8");
    const [, text = ""] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
    const { options, diagnostics } = readRunOptions(text, "/package.json", exampleModel());
    expect(diagnostics).to.deep.equal([]);
    const { properties } = RUN_OPTIONS_SCHEMA;
    for (const service of ["cacheWriter", "actionProcessor"] as const)
      expect(options[service]).to.have.all.keys(Object.keys(properties[service].properties));
  });

  for (const [what, run, words] of [
    [
      "a share above 1",
      { cacheWriter: { guard: { maxShare: 2 } } },
      "/cacheWriter/guard/maxShare: expected at most 1",
    ],
    ["a page of nothing", { cacheWriter: { pageSize: 0 } }, "/cacheWriter/pageSize: expected at least 1"],
    ["a name that there is not", { cacheWriter: { pagesize: 5 } }, "pagesize"],
    [
      "a text for a number",
      { actionProcessor: { leaseMs: "1" } },
      "/actionProcessor/leaseMs: expected integer",
    ],
    ["a wait that no timer knows", { actionProcessor: { timeoutMs: 1e12 } }, "expected at most 2147483647"],
    [
      "a time that no date can be told of",
      { actionProcessor: { cancelAfterMs: 9e15 } },
      "cancelAfterMs: expected at most 315360000000",
    ],
    [
      "a delay that no date can be told of",
      { actionProcessor: { retry: { firstDelayMs: 1e300 } } },
      "firstDelayMs: expected at most 315360000000",
    ],
    ["no worker at all", { actionProcessor: { concurrency: 0 } }, "concurrency: expected at least 1"],
    ["too many workers", { actionProcessor: { concurrency: 101 } }, "concurrency: expected at most 100"],
    ["an object that there is not", { volatile: { Projct: ["title"] } }, 'Did you mean "Project"?'],
    [
      "an action that there is not",
      { actionProcessor: { actions: { Project: { Creat: {} } } } },
      'connectorcli.run: "Project" has no action "Creat". Did you mean "Create"?',
    ],
    [
      "an action of an object that there is not",
      { actionProcessor: { actions: { Projct: { Create: {} } } } },
      'there is no data object "Projct". Did you mean "Project"?',
    ],
    [
      "a name that no policy has",
      { actionProcessor: { actions: { Project: { Create: { retries: 1 } } } } },
      "/actionProcessor/actions/Project/Create",
    ],
    ["no object at all", [], "expected object"],
  ] as const) {
    it(`refuse ${what}, with the line, and are the defaults then`, () => {
      const { options, diagnostics } = read(run);
      expect(diagnostics.map(({ code }) => code)).to.deep.equal(["run-options-invalid"]);
      expect(diagnostics[0]).to.include({ file: "/package.json", line: 4 });
      expect(diagnostics[0]?.message).to.include(words);
      expect(options.cacheWriter).to.deep.equal({});
    });
  }
});
