import { cpSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { folderWith, installInto, tsc } from "../support/command-line.js";
import { inRepository } from "../support/repository.js";

const SERVICES = `
import { type ConnectorClient, failed, type ReaderContext, succeeded } from "connectorcli/runtime";
import { registerConnector } from "./generated/registration.js";
import { Project } from "./generated/app/project.js";
import type { ProjectJson } from "./generated/app/project.js";
import type { TimesheetJson } from "./generated/app/timesheet.js";

class ApiClient {
  async close() {}
}
declare const client: ConnectorClient<ApiClient>;
declare const sent: ProjectJson;
declare const sheet: TimesheetJson;

async function* projects({ client }: ReaderContext<ApiClient>) {
  await client.close();
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
}, client);
export const noReader = registerConnector({
  // @ts-expect-error the reader of Timesheet is missing
  AppModule: { readers: { Project: projects }, handlers: { CreateProject } },
}, client);
export const noHandler = registerConnector({
  // @ts-expect-error the handler of CreateProject is missing
  AppModule: { readers: { Project: projects, Timesheet: sheets }, handlers: {} },
}, client);
export const otherReader = registerConnector({
  // @ts-expect-error the incremental reader must say what happened to the record
  AppModule: { readers: { Project: projects, Timesheet: projects }, handlers: { CreateProject } },
}, client);
export const otherHandler = registerConnector({
  AppModule: {
    readers: { Project: projects, Timesheet: sheets },
    // @ts-expect-error the output lacks the project's number
    handlers: { CreateProject: async () => succeeded({ id: "x" }) },
  },
}, client);
const services = {
  AppModule: { readers: { Project: projects, Timesheet: sheets }, handlers: { CreateProject } },
};
// @ts-expect-error a connector without a connection test does not compile (§1.5)
export const noTest = registerConnector(services, { clientHelper: client.clientHelper });
declare const otherClient: ConnectorClient<{ readonly other: true }>;
// @ts-expect-error the reader wants another client than the client helper makes
export const wrongClient = registerConnector(services, otherClient);
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
