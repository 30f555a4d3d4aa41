/** Authors' projects with a client, as the commands make them, for tests of connections. */
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { connectorcli, folderWith } from "./command-line.js";

/** A connector of one empty module, without connections. */
export const BARE_CONNECTOR = `/** The connector. */
import { defineConnector, defineModule } from "connectorcli";

const AppModule = defineModule({
  name: "App",
  key: "app",
  version: 1,
  description: "All of it.",
  dataObjects: [],
});

export const connector = defineConnector({
  name: "Sites",
  key: "sites",
  description: "Places where work is done.",
  // filled by the tool
  connections: [],
  modules: [AppModule],
});
`;

/** A new project without a client. */
export function bareProject(files: Readonly<Record<string, string>> = {}): string {
  return folderWith({
    "package.json": '{ "type": "module" }\n',
    "connector.ts": BARE_CONNECTOR,
    ...files,
  });
}

/** A project with a connection of each type, at `origin`, generated and with empty test settings. */
export async function clientProject(origin: string, ...authTypes: readonly string[]): Promise<string> {
  const folder = bareProject();
  for (const authType of authTypes) await succeed(folder, "client", "new", "--auth-type", authType);
  useAddress(folder, origin);
  await succeed(folder, "gen");
  await succeed(folder, "test", "init");
  return folder;
}

/** Puts `origin` into the place of the placeholder addresses, as an author does. */
export function useAddress(folder: string, origin: string): void {
  const connections = path.join(folder, "connections");
  for (const name of readdirSync(connections)) {
    const file = path.join(connections, name);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(/https:\/\/(?:api|sandbox)\.example\.com/g, origin));
  }
}

/** Fills in the settings of a connection, as an author does; the environment is Production where it is not said. */
export function fillIn(folder: string, key: string, values: Readonly<Record<string, unknown>>): void {
  const file = path.join(folder, "test-settings.json");
  const settings = JSON.parse(readFileSync(file, "utf8"));
  const entry = settings.testSettings.connections.find(
    (one: { definitionKey: string }) => one.definitionKey === key,
  );
  Object.assign(entry.configuration, { connectionEnvironment: 1, ...values });
  settings.testSettings.activeConnection = key;
  writeFileSync(file, JSON.stringify(settings, undefined, 2));
  chmodSync(file, 0o600);
}

/** The configuration of a connection as the settings have it. */
export function configurationOf(folder: string, key: string): Readonly<Record<string, unknown>> {
  const { testSettings } = JSON.parse(readFileSync(path.join(folder, "test-settings.json"), "utf8"));
  return testSettings.connections.find((one: { definitionKey: string }) => one.definitionKey === key)
    .configuration;
}

async function succeed(folder: string, ...args: readonly string[]): Promise<void> {
  const { status, stderr } = await connectorcli(folder, ...args);
  if (status !== 0) throw new Error(`connectorcli ${args.join(" ")}: ${stderr}`);
}
