/** A project with a filled store, and a console that shows it. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openSqliteStore } from "../../runtime/host/index.js";
import { type KeyValue, recordKey } from "../../runtime/records/record-key.js";
import type { Store } from "../../runtime/store/store.js";
import {
  type RunningConsole,
  type StartConsoleOptions,
  startConsole,
} from "../../scripts/console/start-console.js";
import { folderWith, installInto } from "./folders.js";
import { inRepository } from "./repository.js";

/** Data path of the object that has records. */
export const PROJECTS = "projects-api/app/1/project";

/** A value that nobody may see unasked, of a write-only property. */
export const CANARY = "canary-7f3a9@secret.example";

/** The example's connector, in a folder of its own. */
export function consoleProject(): string {
  const folder = folderWith({});
  cpSync(inRepository("examples/projects-api"), folder, {
    recursive: true,
    filter: (source) => !/node_modules|\.connectorcli/.test(source),
  });
  installInto(folder);
  return folder;
}

/** Has a key of three properties. */
const TIMESHEETS = "projects-api/app/1/timesheet";
/** Names a time sheet by the three. */
const APPROVALS = "projects-api/app/1/approval";
const TIMESHEET_KEY = ["project_id", "week", "worker"];

const APPROVAL = `import { defineDataObject, Type } from "connectorcli";
export const Approval = defineDataObject("Approval", {
  description: "Who has approved a time sheet.",
  primaryKey: "id",
  alternateKeys: [["projectId", "week", "worker"]],
  namingConvention: "snake_case",
  properties: {
    id: Type.Integer({ description: "Number of the approval." }),
    projectId: Type.String({ description: "The project of the time sheet." }),
    week: Type.String({ description: "The week of the time sheet." }),
    worker: Type.Integer({ description: "The worker of the time sheet." }),
  },
});
`;

/** The same connector with approvals, each of one time sheet. */
export function approvalsProject(): string {
  const folder = consoleProject();
  const app = path.join(folder, "schemas", "app");
  writeFileSync(path.join(app, "approval.ts"), APPROVAL);
  const module = readFileSync(path.join(app, "module.ts"), "utf8");
  const extended = module.replace("[Project, Timesheet]", "[Project, Timesheet, Approval]");
  writeFileSync(path.join(app, "module.ts"), `import { Approval } from "./approval.js";\n${extended}`);
  return folder;
}

/** Fills the store with time sheets, by the values of their keys, and an approval of each. */
export async function fillTimesheets(
  folder: string,
  keys: readonly (readonly [string, string, number])[],
): Promise<readonly TimesheetPair[]> {
  const pairs = keys.map((values, index): TimesheetPair => {
    const [project_id, week, worker] = values;
    const timesheet = { project_id, week, worker, hours: index };
    return { timesheet, approval: { id: index, project_id, week, worker } };
  });
  const keyOf = (name: string, record: object) =>
    recordKey(
      name,
      TIMESHEET_KEY.map((property) => (record as Readonly<Record<string, KeyValue>>)[property] ?? ""),
    );
  const timesheets = { object: TIMESHEETS, keysOf: (record: object) => [keyOf("id", record)] };
  const byTimesheet = TIMESHEET_KEY.join("-");
  const approvals = {
    object: APPROVALS,
    keysOf: (record: object) => [`id/${(record as { id: number }).id}`, keyOf(byTimesheet, record)],
  };
  await fillStore(
    folder,
    pairs.map(({ timesheet }) => timesheet),
    [],
    timesheets,
  );
  await fillStore(
    folder,
    pairs.map(({ approval }) => approval),
    [],
    approvals,
  );
  return pairs;
}

interface TimesheetPair {
  readonly timesheet: Readonly<Record<string, KeyValue>>;
  readonly approval: Readonly<Record<string, KeyValue>>;
}

/** The record number `index`; its keys have the order of the numbers. */
export function projectRecord(index: number, title = `Title ${index}`): object {
  const id = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
  return { id, number: `N-${index}`, title, status: "Active", budget: index, managerEmail: CANARY };
}

/** What a store is filled with. */
interface Filled {
  /** Data path. */
  readonly object: string;
  /** The primary key of a record, and its alternate ones. */
  readonly keysOf: (record: object) => readonly string[];
}

const OF_PROJECTS: Filled = {
  object: PROJECTS,
  keysOf: (record) => [`id/${(record as { id: string }).id}`],
};

/** Fills the project's store as a run of the cache writer would. */
export async function fillStore(
  folder: string,
  records: Iterable<object>,
  rejected: readonly object[] = [],
  filled: Filled = OF_PROJECTS,
): Promise<void> {
  const file = path.join(folder, ".connectorcli-cache", "store.db");
  mkdirSync(path.dirname(file), { recursive: true });
  const store = await openSqliteStore({ file, keepBefore: 1_000 });
  try {
    await fillWith(store, records, rejected, filled);
  } finally {
    await store.close();
  }
}

/** The same for a store that is open. */
export async function fillWith(
  store: Store,
  records: Iterable<object>,
  rejected: readonly object[] = [],
  { object, keysOf }: Filled = OF_PROJECTS,
): Promise<void> {
  const run = await store.runs.start({
    ...{ object, kind: "full", alternateKeysVersion: "1", schemaVersion: "1" },
    ...{ resume: false, resumeWithinMs: 0 },
  });
  let page: object[] = [];
  const commit = async () => {
    await run?.commit({
      records: page.map((record) => {
        const [key = "", ...alternateKeys] = keysOf(record);
        return { operation: "upsert", key, hash: JSON.stringify(record), record, alternateKeys };
      }),
      rejected: [],
    });
    page = [];
  };
  for (const record of records) if (page.push(record) >= 1_000) await commit();
  await commit();
  for (const [index, record] of rejected.entries())
    await run?.commit({
      records: [],
      rejected: [
        {
          ...{
            operation: "upsert",
            identity: `rejected-${index}`,
            key: undefined,
            record: JSON.stringify(record),
          },
          findings: [
            {
              ...{ instancePath: "/title", keyword: "type", expected: "string", actual: "1" },
              message: "/title: expected string, found 1",
            },
          ],
        },
      ],
    });
  await run?.end("succeeded");
}

const running: RunningConsole[] = [];

/** A console of the project; `endConsoles` ends it. */
export async function startedConsole(
  folder: string,
  options: Partial<StartConsoleOptions> = {},
): Promise<RunningConsole & { readonly token: string; readonly port: number }> {
  const started = await startConsole({ folder, environment: {}, ...options });
  running.push(started);
  const { hash, port } = new URL(started.address);
  return { ...started, token: hash.replace("#token=", ""), port: Number(port) };
}

/** For `afterEach`. */
export async function endConsoles(): Promise<void> {
  await Promise.all(running.splice(0).map((one) => one.close()));
}
