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
