import { cpSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { folderWith, installInto, tsc } from "../support/command-line.js";
import { inRepository } from "../support/repository.js";

const SERVICES = `
import { failed, succeeded } from "connectorcli/runtime";
import { registerConnector } from "./generated/registration.js";
import { Project } from "./generated/app/project.js";
import type { ProjectJson } from "./generated/app/project.js";
import type { TimesheetJson } from "./generated/app/timesheet.js";

declare const sent: ProjectJson;
declare const sheet: TimesheetJson;

async function* projects() {
  yield sent;
  yield Project.from(sent);
}
async function* sheets() {
  yield { operation: "upsert" as const, record: sheet };
}
const CreateProject = async (input: { number: string }) =>
  input.number === "" ? failed({ code: "400" }) : succeeded({ id: "x", number: input.number });

export const right = registerConnector({
  AppModule: { readers: { Project: projects, Timesheet: sheets }, handlers: { CreateProject } },
});
export const noReader = registerConnector({
  // @ts-expect-error the reader of Timesheet is missing
  AppModule: { readers: { Project: projects }, handlers: { CreateProject } },
});
export const noHandler = registerConnector({
  // @ts-expect-error the handler of CreateProject is missing
  AppModule: { readers: { Project: projects, Timesheet: sheets }, handlers: {} },
});
export const otherReader = registerConnector({
  // @ts-expect-error the incremental reader must say what happened to the record
  AppModule: { readers: { Project: projects, Timesheet: projects }, handlers: { CreateProject } },
});
export const otherHandler = registerConnector({
  AppModule: {
    readers: { Project: projects, Timesheet: sheets },
    // @ts-expect-error the output lacks the project's number
    handlers: { CreateProject: async () => succeeded({ id: "x" }) },
  },
});
`;

describe("the generated wiring", () => {
  it("does not compile with a missing or wrongly typed reader or handler", async () => {
    const folder = folderWith({ "package.json": '{ "type": "module" }', "services.ts": SERVICES });
    const example = inRepository("examples/projects-api");
    cpSync(path.join(example, "generated"), path.join(folder, "generated"), { recursive: true });
    cpSync(path.join(example, "tsconfig.json"), path.join(folder, "tsconfig.json"));
    installInto(folder);
    expect((await tsc("7", folder)).stdout).to.equal("");
  });
});
