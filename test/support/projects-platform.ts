/** The example's project beside its platform, for tests of the commands that run a connector. */
import { chmodSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { connectorcli } from "./command-line.js";
import { folderWith } from "./folders.js";
import type { CommandResult } from "./processes.js";
import { inRepository } from "./repository.js";

export type Row = Record<string, unknown> & { readonly id: string };

/** The platform of the example, in this process. */
export interface Platform {
  readonly origin: string;
  projects: Row[];
  timesheets: Record<string, unknown>[];
  readonly created: ReadonlyMap<string, unknown>;
  requests: number;
  failures: number;
  close(): void;
}

interface PlatformModule {
  startPlatform(options: { readonly token: string; readonly projects?: number }): Promise<Platform>;
  project(number: number, more?: object): Row;
}

const MODULE: PlatformModule = await import(
  pathToFileURL(inRepository("examples/projects-platform.mjs")).href
);
export const { startPlatform, project } = MODULE;

/** A copy of the example that talks to `origin`, with filled settings. */
export async function platformProject(origin: string, token: string): Promise<string> {
  const folder = folderWith({});
  cpSync(inRepository("examples/projects-api"), folder, { recursive: true });
  const file = path.join(folder, "connections/custom-auth.ts");
  const source = readFileSync(file, "utf8");
  writeFileSync(file, source.replace(/https:\/\/[a-z.-]+\/v2/g, origin));
  await expectSuccess(connectorcli(folder, "gen"));
  await expectSuccess(connectorcli(folder, "test", "init"));
  changeSettings(folder, (settings) => {
    const [connection] = settings["connections"] as { configuration: Record<string, unknown> }[];
    Object.assign(connection?.configuration ?? {}, { connectionEnvironment: 1, apiToken: token });
  });
  return folder;
}

export const READER = "modules/app/project/project-reader.ts";
export const HANDLER = "modules/app/project/create-project-handler.ts";

/** The reader and the handler of projects in code, as authors may write them, for tests that change a line of theirs. */
export const IN_CODE: Readonly<Record<string, string>> = {
  [READER]: `/** Reads every project, or the active ones only. */
import { pageNumbers } from "connectorcli/client";
import type { ApiClient } from "../../../client/api-client.js";
import type { ProjectReaderContext } from "../../../generated/app/contexts.js";
import type { ProjectJson } from "../../../generated/app/project.js";

const PAGE_SIZE = 100;

export async function* projectReader(context: ProjectReaderContext<ApiClient>): AsyncGenerator<ProjectJson> {
  const { client, registrationConfiguration, signal } = context;
  const status = registrationConfiguration.projectStatus === "Active" ? "Active" : undefined;
  const pages = pageNumbers({
    read: (page) => {
      const query = { status, page, pageSize: PAGE_SIZE };
      return client.get<readonly ProjectJson[]>("projects", { query, signal });
    },
    itemsOf: (items) => items,
  });
  for await (const items of pages) yield* items;
}
`,
  [HANDLER]: `/** Creates a project, and puts it into the cache. */
import { refusalOf, resultOrThrow, throwIfRetryable } from "connectorcli/client";
import { failed, succeeded } from "connectorcli/runtime";
import type { ApiClient } from "../../../client/api-client.js";
import type {
  CreateProjectActionContext,
  CreateProjectActionResult,
} from "../../../generated/app/contexts.js";
import type { CreateProjectInput, ProjectJson } from "../../../generated/app/project.js";

export async function createProjectHandler(
  input: CreateProjectInput,
  { client, idempotency, signal }: CreateProjectActionContext<ApiClient>,
): Promise<CreateProjectActionResult> {
  await idempotency.note("intent");
  const headers = { "Idempotency-Key": idempotency.key };
  const response = throwIfRetryable(await client.post<ProjectJson>("projects", input, { headers, signal }));
  if (response.statusCode === 409) {
    return failed({ code: "409", errors: [{ text: \`There is a project \${input.number} already.\` }] });
  }
  const refusal = refusalOf(response);
  if (refusal !== null) return failed(refusal);
  const record = resultOrThrow(response);
  await idempotency.note("confirmed", record.id);
  return succeeded({ id: record.id, number: record.number }, [
    { dataObject: "Project", operation: "upsert", record },
  ]);
}
`,
};

/** Puts the code of `files` into the place of what is declared there. */
export function useCode(folder: string, ...files: readonly string[]): void {
  for (const file of files) writeFileSync(path.join(folder, file), IN_CODE[file] ?? "");
}

/** Writes the test settings anew. */
export function changeSettings(folder: string, change: (settings: Record<string, unknown>) => void): void {
  const file = path.join(folder, "test-settings.json");
  const text = JSON.parse(readFileSync(file, "utf8")) as { testSettings: Record<string, unknown> };
  change(text.testSettings);
  writeFileSync(file, JSON.stringify(text, undefined, 2));
  chmodSync(file, 0o600);
}

async function expectSuccess(result: Promise<CommandResult>): Promise<void> {
  const { status, stderr } = await result;
  if (status !== 0) throw new Error(stderr);
}
