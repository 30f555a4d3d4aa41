import { expect } from "chai";
import { connectorcli } from "../../support/command-line.js";
import { smallConnector } from "../../support/connector-sources.js";
import { folderWith } from "../../support/folders.js";

const FILES = {
  "connector.ts": smallConnector(),
  "package.json": '{ "type": "module", "dependencies": { "connectorcli": "^1.3.3" } }\n',
};
const REGISTRATION = `import { registerConnector } from "./generated/registration.js";
// clientHelper and connectionTestHandler are still to come
export const registration = registerConnector({}, {});
`;
const LACK =
  /connector\.ts {2}warning {2}registration-incomplete\n[\s\S]*The connector has no (.*?): it can't be started/;

async function said(command: string, files: Readonly<Record<string, string>>) {
  const { status, stdout, stderr } = await connectorcli(folderWith(files), command);
  return { status, text: stdout + stderr };
}

describe("what a connector lacks besides its schemas", () => {
  for (const command of ["check", "extract"]) {
    it(`is told by ${command}: handler, helper and registration`, async () => {
      const { status, text } = await said(command, FILES);
      expect(LACK.exec(text)?.[1]).to.equal(
        "connection test handler, no client helper and no registration.ts",
      );
      expect(text).to.include("npx connectorcli client new --auth-type ApiKey");
      expect(status).to.equal(0);
    });

    it(`is told by ${command}: what registration.ts only speaks of in a comment`, async () => {
      const { text } = await said(command, { ...FILES, "registration.ts": REGISTRATION });
      expect(LACK.exec(text)?.[1]).to.equal("connection test handler and no client helper");
      const whole = REGISTRATION.replace("{}, {}", "{}, { clientHelper, connectionTestHandler }");
      const other = await said(command, { ...FILES, "registration.ts": whole });
      expect(other.text).to.not.include("registration-incomplete");
    });

    it(`is told by ${command}: a range that allows an SDK without structured connections`, async () => {
      const old = FILES["package.json"].replace("^1.3.3", "^1.1.1");
      const { status, text } = await said(command, { ...FILES, "package.json": old });
      expect(text).to.match(/package\.json:1:\d+ {2}warning {2}migration-sdk-old/);
      expect(status).to.equal(0);
    });

    it(`is not told by ${command} where the project turns the finding off, or has no connection yet`, async () => {
      const severities = { "registration-incomplete": "off" };
      const off = { ...FILES, "package.json": JSON.stringify({ connectorcli: { severities } }) };
      expect((await said(command, off)).text).to.not.include("registration-incomplete");
      const none = { ...FILES, "connector.ts": smallConnector().replace("[Auth]", "[]") };
      expect((await said(command, none)).text).to.not.include("registration-incomplete");
    });
  }

  it("is told by client new: a range that allows an SDK without structured connections", async () => {
    const old = FILES["package.json"].replace("^1.3.3", "^1.1.1");
    const folder = folderWith({ ...FILES, "package.json": old });
    const { status, stderr } = await connectorcli(folder, "client", "new", "--auth-type", "ApiKey");
    expect(stderr).to.match(/package\.json:1:\d+ {2}warning {2}migration-sdk-old/);
    expect(status).to.equal(0);
    expect((await connectorcli(folder, "check")).stdout).to.not.include("registration-incomplete");
  });
});
