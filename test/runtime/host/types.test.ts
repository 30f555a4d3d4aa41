import { readFileSync } from "node:fs";
import { expect } from "chai";
import { folderWith, installInto } from "../../support/folders.js";
import { tsc } from "../../support/processes.js";
import { inRepository } from "../../support/repository.js";

const HOST = `
import { createLog, StartError, startConnector, testConnection } from "connectorcli/host";
import type { ConnectionContainer, ConnectorRegistration } from "connectorcli/runtime";

interface Client { readonly baseUrl: string }
declare const registration: ConnectorRegistration<Client>;
declare const container: ConnectionContainer;

export async function run(timeoutMs?: number): Promise<string> {
  const log = createLog({ destination: { write: () => true }, level: undefined });
  const services = { "app-1": { actionProcessor: {}, cacheWriter: {} } };
  const connector = startConnector(registration, { registrationConfiguration: {}, services, log });
  for (const object of connector.modules.flatMap(({ cacheWriter }) => cacheWriter.dataObjects)) {
    if (object.readerType === "full") object.reader satisfies (context: never) => AsyncIterable<unknown>;
  }
  const { success, message, statusCode } = await testConnection(registration, container, { timeoutMs, log });
  // @ts-expect-error results can't be changed
  connector.name = "other";
  // @ts-expect-error standard output has a number, not a place to write to
  createLog({ destination: 1 });
  return success ? message : String(statusCode);
}

export const findings = (error: unknown) => (error instanceof StartError ? error.findings : []);
`;

describe("the types of connectorcli/host", () => {
  for (const version of ["5.9", "7"] as const) {
    it(`compile under an author's flags, without types of Node, with TypeScript ${version}`, async () => {
      const folder = folderWith({
        "package.json": '{ "type": "module" }',
        "host.ts": HOST,
        "tsconfig.json": readFileSync(inRepository("generators/templates/author-tsconfig.json.hbs"), "utf8"),
      });
      installInto(folder);
      expect((await tsc(version, folder)).stdout).to.equal("");
    });
  }
});
