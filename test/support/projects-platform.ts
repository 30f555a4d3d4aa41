/** The example's project beside its platform, for tests of the commands that run a connector. */
import { randomUUID } from "node:crypto";
import { chmodSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ConnectorRegistration } from "../../runtime/entries/runtime.js";
import { type FakeCall, type FakeReply, type FakeRoute, startFake } from "../../runtime/entries/testing.js";
import { loadModules } from "./author-project.js";
import { connectorcli } from "./command-line.js";
import { folderWith } from "./folders.js";
import type { CommandResult } from "./processes.js";
import { inRepository } from "./repository.js";

export type Row = Record<string, unknown> & { readonly id: string };

/**
 * The platform of the example in this process: the fake of its connector. What it lists is the test's own, for a platform
 * may also have two records with the same key, or one that does not fit.
 */
export interface Platform {
  /** The base address of its API. */
  readonly address: string;
  /** How many requests came. */
  readonly requests: number;
  projects: Row[];
  timesheets: Record<string, unknown>[];
  /** Made by the idempotency key that they were asked for with. */
  readonly created: Map<string, Row>;
  /** Answers so many calls with 503. */
  failures: number;
  /** Makes no project until then. */
  held?: Promise<unknown>;
  close(): Promise<void>;
}

const MOST_TIMESHEETS_A_PAGE = 50;

/** Starts a platform of so many projects; `token` is what it wants as `Authorization: Token api=<token>`. */
export async function startPlatform({
  token,
  projects: count = 250,
}: {
  readonly token: string;
  readonly projects?: number;
}): Promise<Platform> {
  const projects = Array.from({ length: count }, (_, index) => project(index + 1));
  const state = {
    projects,
    timesheets: projects.slice(0, 120).map((one, index) => timesheet(one.id, index)),
    created: new Map<string, Row>(),
    failures: 0,
  };
  const [loaded] = await loadModules([inRepository("examples/projects-api/registration.ts")]);
  const unlessFailing =
    (answer: FakeRoute): FakeRoute =>
    (call) => {
      if (platform.failures === 0) return answer(call);
      platform.failures--;
      return { status: 503 };
    };
  const fake = await startFake(loaded?.["registration"] as ConnectorRegistration, {
    properties: { apiToken: token },
    routes: {
      "GET /projects": unlessFailing(({ query }) => ({ body: page(platform, query) })),
      "GET /timesheets": unlessFailing(({ query }) => ({ body: changes(platform, query) })),
      "POST /projects": unlessFailing(async (call) => {
        await platform.held;
        return create(platform, call);
      }),
    },
  });
  const platform: Platform = Object.defineProperty(
    Object.assign(state, { address: `${fake.origin}/v2`, requests: 0, close: fake.close }),
    "requests",
    { get: () => fake.requests.length },
  );
  return platform;
}

/** A project as the platform has it. */
export function project(number: number, more: object = {}): Row {
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
    number: `P-${number}`,
    title: `Bridge ${number}`,
    status: "Active",
    budget: number * 1_000,
    managerEmail: `manager-${number}@secret.example`,
    created_on: "2026-02-03T04:05:06Z",
    ...more,
  };
}

/** What one worker did for a project in a week. */
function timesheet(projectId: string, worker: number): Record<string, unknown> {
  const week = { project_id: projectId, week: "2026-W07", worker: worker + 1 };
  return { ...week, hours: 8, changed_on: "2026-02-16T08:00:00Z" };
}

function page({ projects }: Platform, query: URLSearchParams): readonly Row[] {
  const size = Number(query.get("pageSize"));
  const first = (Number(query.get("page")) - 1) * size;
  const status = query.get("status");
  const wanted = status === null ? projects : projects.filter((one) => one["status"] === status);
  return wanted.slice(first, first + size);
}

function changes({ timesheets }: Platform, query: URLSearchParams) {
  const since = query.get("since") ?? "";
  const first = Number(query.get("after") ?? 0);
  const changed = timesheets.filter((one) => String(one["changed_on"]) > since);
  const size = Math.min(Number(query.get("limit") ?? MOST_TIMESHEETS_A_PAGE), MOST_TIMESHEETS_A_PAGE);
  const items = changed.slice(first, first + size);
  const end = first + items.length;
  const times = timesheets.map((one) => String(one["changed_on"])).sort();
  return { items, next: end < changed.length ? String(end) : null, until: times.at(-1) ?? since };
}

function create({ projects, created }: Platform, { body, headers }: FakeCall): FakeReply {
  const key = String(headers["idempotency-key"]);
  const before = created.get(key);
  if (before !== undefined) return { status: 201, body: before };
  const input = body as Readonly<Record<string, unknown>>;
  if (projects.some(({ number }) => number === input["number"]))
    return { status: 409, body: { message: `There is a project ${input["number"]} already.` } };
  if (input["status"] === "Finished") return { status: 422, body: {} };
  const made = { ...input, id: randomUUID(), created_on: "2026-03-01T00:00:00Z" };
  projects.push(made);
  created.set(key, made);
  return { status: 201, body: made };
}

/** A copy of the example that talks to `address`, with filled settings. */
export async function platformProject(address: string, token: string): Promise<string> {
  const folder = folderWith({});
  cpSync(inRepository("examples/projects-api"), folder, { recursive: true });
  const file = path.join(folder, "connections/custom-auth.ts");
  const source = readFileSync(file, "utf8");
  writeFileSync(file, source.replace(/https:\/\/[a-z.-]+\/v2/g, address));
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
