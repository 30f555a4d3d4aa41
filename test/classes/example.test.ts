import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { expect } from "chai";
import { generatedModules } from "../../generators/classes/generated-modules.js";
import { RecordError, type TypedRecordClass } from "../../runtime/entries/runtime.js";
import { readConnectorJson } from "../../schemas/entries/model.js";
import { loadModules, withProjects } from "../support/author-project.js";
import { inRepository } from "../support/repository.js";

type AnyClass = TypedRecordClass<object, object, object, object>;

const PROJECT = {
  id: "7b3f8f0e-6f3a-4c58-9d2e-0b8a4f6f2c11",
  number: "P/1",
  title: "Bridge",
  status: "Active",
  budget: null,
  managerEmail: "someone@company.com",
  created_on: "2026-02-03T04:05:06Z",
};

describe("a generated class", () => {
  let Project: AnyClass;
  let Timesheet: AnyClass;

  before(async () => {
    const text = readFileSync(inRepository("examples/projects-api/connector.json"), "utf8");
    const { model } = readConnectorJson(text, "connector.json");
    if (model === undefined) throw new Error("no model");
    await withProjects([generatedModules(model)], async (_, [folder = ""]) => {
      const [project, timesheet] = await loadModules(
        ["project", "timesheet"].map((name) => join(folder, `generated/app/${name}.ts`)),
      );
      Project = project?.["Project"] as AnyClass;
      Timesheet = timesheet?.["Timesheet"] as AnyClass;
    });
  });

  it("takes a record from its serialized form, and gives it back with the serialized names", () => {
    const project = Project.from(PROJECT);
    expect(project)
      .to.be.instanceOf(Project)
      .and.to.include({ createdOn: "2026-02-03T04:05:06Z", title: "Bridge" });
    expect(Project.toJSON(project)).to.deep.equal(PROJECT);
    expect(JSON.parse(JSON.stringify(project))).to.deep.equal(PROJECT);
  });

  it("names every finding at once where a record does not fit, and hides what is sensitive", () => {
    const wrong = {
      ...PROJECT,
      status: "Lost",
      budget: -1,
      managerEmail: "a secret that is no address",
      id: undefined,
    };
    const findings = Project.findings(wrong);
    expect(findings.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`)).to.have.members([
      " required",
      "/status enum",
      "/budget minimum",
      "/managerEmail format",
    ]);
    expect(() => Project.from(wrong)).to.throw(RecordError, "Project: 4 findings");
    expect(JSON.stringify(findings)).to.include("--hidden value--").and.to.not.include("a secret");
  });

  it("gives the key as name and values in the listed order, and keeps separators apart", () => {
    const project = Project.from(PROJECT);
    expect(Project.key(project)).to.equal(`id/${PROJECT.id}`);
    expect(Project.key(project, "number")).to.equal("number/P%2F1");
    const sheet = {
      project_id: PROJECT.id,
      week: "2026-W07",
      worker: 7,
      hours: 1,
      changed_on: PROJECT.created_on,
    };
    expect(Timesheet.key(Timesheet.from(sheet))).to.equal(`id/${PROJECT.id}/2026-W07/7`);
    expect(() => Project.key(Project.draft({}))).to.throw(RecordError, '"id" is not set');
    expect(() => Project.key(project, "none")).to.throw(RecordError, 'no key is named "none"');
  });

  it("is filled piece by piece as a draft, and held to the schema when it is validated", () => {
    const draft = Project.draft() as Record<string, unknown>;
    expect(Project.validate(draft)).to.have.length(6);
    Object.assign(draft, Project.from(PROJECT));
    expect(Project.validate(draft)).to.deep.equal([]);
    draft["budget"] = undefined;
    expect(Project.validate(draft).map(({ keyword }) => keyword)).to.deep.equal(["required"]);
  });

  it("drops members that its schema does not know if its data object says so", async () => {
    const text = readFileSync(inRepository("examples/projects-api/connector.json"), "utf8");
    const { model } = readConnectorJson(text, "connector.json");
    if (model === undefined) throw new Error("no model");
    const modules = model.modules.map((module) => ({
      ...module,
      dataObjects: module.dataObjects.map((object) => ({ ...object, unknownMembers: "drop" as const })),
    }));
    await withProjects([generatedModules({ ...model, modules })], async (_, [folder = ""]) => {
      const [loaded] = await loadModules([join(folder, "generated/app/project.ts")]);
      const Dropping = loaded?.["Project"] as AnyClass;
      const project = Dropping.from({ ...PROJECT, token: "t0ken" });
      expect(Dropping.toJSON(project)).to.deep.equal(PROJECT);
      expect(inspect(project)).to.not.include("t0ken");
      expect(Dropping.findings({ ...PROJECT, token: 1 })).to.deep.equal([]);
    });
    expect(Project.toJSON(Project.from({ ...PROJECT, token: 1 }))).to.deep.equal({ ...PROJECT, token: 1 });
  });

  it("never shows a write-only value, in a log or anywhere else", () => {
    const project = Project.from(PROJECT);
    for (const shown of [inspect(project), String(project), inspect([{ project }], { depth: 5 })]) {
      expect(shown)
        .to.include("--hidden value--")
        .and.to.include("Bridge")
        .and.to.not.include("someone@company.com");
    }
  });
});
