import { cpSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { folderWith, installInto } from "../support/folders.js";
import { tsc } from "../support/processes.js";
import { inRepository } from "../support/repository.js";

const SERVICES = `
import { type ConnectorClient, failed, type ReaderContext, succeeded } from "connectorcli/runtime";
import { registerConnector } from "./generated/registration.js";
import { Project } from "./generated/app/project.js";
import type {
  AppModuleChange,
  CreateProjectActionContext,
  CreateProjectActionResult,
  ProjectReaderContext,
} from "./generated/app/contexts.js";
import type { ConnectorClientContext, ConnectorConnection, ConnectorTestHandler } from "./generated/contexts.js";
import { CustomAuth } from "./generated/connections/custom-auth.js";
import type { RegistrationConfiguration } from "./generated/registration-configuration.js";
import { createClientHelper, headerHandler, servicesOf } from "connectorcli/client";
import type { ProjectJson } from "./generated/app/project.js";
import type { TimesheetJson } from "./generated/app/timesheet.js";

class ApiClient {
  async close() {}
}
declare const client: ConnectorClient<ApiClient, ConnectorConnection>;
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
declare const otherClient: ConnectorClient<{ readonly other: true }, ConnectorConnection>;
// @ts-expect-error the reader wants another client than the client helper makes
export const wrongClient = registerConnector(services, otherClient);

// Settings and the connection have the types of the connector.
export async function* readActive(context: ProjectReaderContext<ApiClient>): AsyncGenerator<ProjectJson> {
  const status: "All" | "Active" | undefined = context.registrationConfiguration.projectStatus;
  const isOn: boolean | undefined = context.settings.uploadObject;
  const isOther: boolean | undefined = context.serviceConfiguration.timesheetConfig?.uploadObject;
  const token: string = context.connection.apiToken;
  // @ts-expect-error no such setting
  context.registrationConfiguration.projectStates;
  // @ts-expect-error a switch of actions
  context.settings.processQueuedEvent;
  // @ts-expect-error no such property of the connection
  context.connection.password;
  if (status === "Active" && isOn && isOther && token !== "") yield sent;
}

// What a handler changes in the cache has the names and shapes of the module.
export async function change(
  input: { number: string },
  { settings, serviceConfiguration }: CreateProjectActionContext<ApiClient>,
): Promise<CreateProjectActionResult> {
  const output = { id: "x", number: input.number };
  const isOn: boolean | undefined = settings.processQueuedEvent;
  // @ts-expect-error the configuration of the cache writer
  serviceConfiguration.projectConfig;
  if (isOn) return succeeded(output);
  if (input.number === "record") return succeeded(output, [{ dataObject: "Project", operation: "upsert", record: sent }]);
  if (input.number === "class") {
    return succeeded(output, [
      { dataObject: "Project", operation: "upsert", record: Project.from(sent) },
      { dataObject: "Timesheet", operation: "delete", record: { project_id: "x", week: "2026-W07", worker: 1 } },
    ]);
  }
  if (input.number === "key") return succeeded(output, [{ dataObject: "Project", operation: "delete", record: { id: "x" } }]);
  // @ts-expect-error no such data object
  if (input.number === "name") return succeeded(output, [{ dataObject: "Projct", operation: "upsert", record: sent }]);
  // @ts-expect-error no such operation
  if (input.number === "operation") return succeeded(output, [{ dataObject: "Project", operation: "insert", record: sent }]);
  // @ts-expect-error no record of the data object
  if (input.number === "shape") return succeeded(output, [{ dataObject: "Project", operation: "upsert", record: { nonsense: true } }]);
  // @ts-expect-error the record of another data object
  if (input.number === "other") return succeeded(output, [{ dataObject: "Timesheet", operation: "upsert", record: sent }]);
  // @ts-expect-error the key alone is no record
  return succeeded(output, [{ dataObject: "Project", operation: "upsert", record: { id: "x" } }]);
}
export const changes: AppModuleChange[] = [{ dataObject: "Project", operation: "delete", record: { id: "x" } }];

// A handler without a type of its result is held to the same.
const untyped = async (input: { number: string }) =>
  succeeded({ id: "x", number: input.number }, [{ dataObject: "Project", operation: "upsert", record: sent }]);
const misnamed = async (input: { number: string }) =>
  succeeded({ id: "x", number: input.number }, [{ dataObject: "Projct", operation: "upsert", record: sent }]);
const readers = { Project: readActive, Timesheet: sheets };
export const held = registerConnector({ AppModule: { readers, handlers: { CreateProject: untyped } } }, client);
// @ts-expect-error the handler changes records of no data object of the module
export const unheld = registerConnector({ AppModule: { readers, handlers: { CreateProject: misnamed } } }, client);

// The client, its auth handlers and the connection test get the settings of the workspace.
const connectionTestHandler: ConnectorTestHandler<ApiClient> = async ({ connection, registrationConfiguration }) => ({
  isSuccessful: connection.apiToken !== "" && registrationConfiguration.projectStatus !== undefined,
  statusCode: 200,
});
const authHandler = (connection: CustomAuth, { registrationConfiguration }: ConnectorClientContext) =>
  headerHandler({ name: "X-Status", value: () => registrationConfiguration.projectStatus ?? connection.apiToken });
const clientHelper = createClientHelper({
  definitions: { customAuth: servicesOf(CustomAuth, authHandler) },
  createClient: (_http, connection, { registrationConfiguration }: ConnectorClientContext) => {
    const status: RegistrationConfiguration["projectStatus"] = registrationConfiguration.projectStatus;
    return connection.BaseUrl === status ? new ApiClient() : new ApiClient();
  },
});
export const joined = registerConnector(services, { clientHelper, connectionTestHandler });
const plainHelper = createClientHelper({
  definitions: {
    customAuth: servicesOf(CustomAuth, ({ apiToken }) => headerHandler({ name: "X", value: () => apiToken })),
  },
  createClient: (_http, connection) => (connection.BaseUrl === "" ? new ApiClient() : new ApiClient()),
});
export const plain = registerConnector(services, { clientHelper: plainHelper, connectionTestHandler });
const otherSettings = createClientHelper({
  definitions: {
    customAuth: servicesOf(CustomAuth, (_, context: { readonly registrationConfiguration: { readonly region: string } }) =>
      headerHandler({ name: "X", value: () => context.registrationConfiguration.region }),
    ),
  },
  createClient: () => new ApiClient(),
});
// @ts-expect-error the auth handler wants settings that the connector does not have
export const unjoined = registerConnector(services, { clientHelper: otherSettings, connectionTestHandler });
`;

describe("the generated wiring", () => {
  it("does not compile with a missing or wrongly typed reader, handler, setting, connection or cache change", async () => {
    const folder = folderWith({ "package.json": '{ "type": "module" }', "services.ts": SERVICES });
    const example = inRepository("examples/projects-api");
    cpSync(path.join(example, "generated"), path.join(folder, "generated"), { recursive: true });
    cpSync(path.join(example, "tsconfig.json"), path.join(folder, "tsconfig.json"));
    installInto(folder);
    expect((await tsc("7", folder)).stdout).to.equal("");
  });
});
