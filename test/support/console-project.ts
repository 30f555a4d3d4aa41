/** A project with a filled store, and a console that shows it. */
import { cpSync, mkdirSync } from "node:fs";
import path from "node:path";
import { openSqliteStore } from "../../runtime/host/index.js";
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

/** The record number `index`; its keys have the order of the numbers. */
export function projectRecord(index: number, title = `Title ${index}`): object {
  const id = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
  return { id, number: `N-${index}`, title, status: "Active", budget: index, managerEmail: CANARY };
}

/** Fills the project's store as a run of the cache writer would. */
export async function fillStore(
  folder: string,
  records: Iterable<object>,
  rejected: readonly object[] = [],
): Promise<void> {
  const file = path.join(folder, ".connectorcli-cache", "store.db");
  mkdirSync(path.dirname(file), { recursive: true });
  const store = await openSqliteStore({ file, keepBefore: 1_000 });
  try {
    await fillWith(store, records, rejected);
  } finally {
    await store.close();
  }
}

/** The same for a store that is open. */
export async function fillWith(
  store: Store,
  records: Iterable<object>,
  rejected: readonly object[] = [],
): Promise<void> {
  const run = await store.runs.start({
    ...{ object: PROJECTS, kind: "full", alternateKeysVersion: "1", schemaVersion: "1" },
    ...{ resume: false, resumeWithinMs: 0 },
  });
  let page: object[] = [];
  const commit = async () => {
    await run?.commit({
      records: page.map((record) => ({
        operation: "upsert",
        key: `id/${(record as { id: string }).id}`,
        hash: JSON.stringify(record),
        record,
        alternateKeys: [],
      })),
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
