import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { connectorcli } from "../support/command-line.js";
import { smallConnector } from "../support/connector-sources.js";
import { filesIn, folderWith } from "../support/folders.js";
import { inRepository, SLOW_TEST_MS } from "../support/repository.js";

const CANARY = "canary-5up3r-s3cret";

function settingsOf(folder: string): string {
  return readFileSync(path.join(folder, "test-settings.json"), "utf8");
}

function modeOf(folder: string): number {
  return statSync(path.join(folder, "test-settings.json")).mode & 0o777;
}

function git(folder: string, ...args: readonly string[]): void {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@company.com", "-c", "commit.gpgsign=false"];
  const { status, stderr } = spawnSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
}

describe("connectorcli test init", () => {
  it("writes every property of every definition and every configuration, open to its owner only", async () => {
    const example = inRepository("examples/projects-api");
    const files = filesIn(example).filter((name) => name.endsWith(".ts"));
    const folder = folderWith(
      Object.fromEntries(files.map((name) => [name, readFileSync(path.join(example, name), "utf8")])),
    );
    const { status, stderr } = await connectorcli(folder, "test", "init");
    expect(status, stderr).to.equal(0);
    expect(JSON.parse(settingsOf(folder))).to.deep.equal({
      testSettings: {
        activeConnection: "customAuth",
        connections: [
          { definitionKey: "customAuth", configuration: { apiToken: "", connectionEnvironment: null } },
        ],
        connectorRegistration: { ProjectStatus: null },
        "app-1": {
          serviceConfiguration: {
            actionProcessor: { CreateProjectConfig: { ProcessQueuedEvent: true } },
            cacheWriter: {
              ProjectConfig: { UploadObject: true },
              TimesheetConfig: { UploadObject: true },
            },
          },
        },
      },
    });
    expect(stderr).to.match(/apiToken +yes +yes +no +text, at least characters: 8/);
    expect(stderr).to.include("1 (Production) or 2 (Test)").and.to.include('"All" or "Active"');
    if (process.platform !== "win32") expect(modeOf(folder)).to.equal(0o600);
    expect(readFileSync(path.join(folder, ".gitignore"), "utf8")).to.equal("test-settings.json\n");
  });

  it("lists the inherited members of the OAuth2 types too", async () => {
    const folder = folderWith({
      "connector.ts": smallConnector().replaceAll('"ApiKey"', '"OAuth2CodeFlow"'),
    });
    await connectorcli(folder, "test", "init");
    const [{ configuration }] = JSON.parse(settingsOf(folder)).testSettings.connections;
    expect(Object.keys(configuration)).to.include.members(["apiKey", "authorizationUrl", "refreshToken"]);
    const { stderr } = await connectorcli(folder, "test", "init");
    expect(stderr).to.match(/\.authorizationUrl +for a token /);
    expect(stderr).to.match(/\.scope +no /);
  });

  it("asks for no address for tokens that the definition says, but for the environment that it follows from", async () => {
    const addresses = `tokenUrl: { Production: "https://login.company.com/token", Test: "https://test.company.com/token" },
  authorizationUrl: "https://login.company.com/authorize",`;
    const source = smallConnector()
      .replaceAll('"ApiKey"', '"OAuth2CodeFlow"')
      .replace("baseUrl:", `${addresses}\n  baseUrl:`);
    const folder = folderWith({ "connector.ts": source });
    const { status, stderr } = await connectorcli(folder, "test", "init");
    expect(status, stderr).to.equal(0);
    const [{ configuration }] = JSON.parse(settingsOf(folder)).testSettings.connections;
    expect(configuration).to.include.all.keys("clientId", "connectionEnvironment");
    expect(configuration).to.not.have.any.keys("tokenUrl", "authorizationUrl");
    expect(stderr).to.match(/\.clientId +for a token /);
  });

  it("fills in the default of a connection property, which connector.json has no place for", async () => {
    const region =
      'region: Type.String({ title: "Region", description: "", isSensitive: false, default: "eu" }),';
    const source = smallConnector().replace("properties: { apiKey", `properties: { ${region} apiKey`);
    const folder = folderWith({ "connector.ts": source });
    await connectorcli(folder, "test", "init");
    const [{ configuration }] = JSON.parse(settingsOf(folder)).testSettings.connections;
    expect(configuration).to.include({ region: "eu" });
    await connectorcli(folder, "extract");
    const [attribute] = JSON.parse(readFileSync(path.join(folder, "connector.json"), "utf8"))
      .connectionDefinitions[0].attributes;
    expect(attribute).to.have.keys("title", "key", "isSensitive", "isRequired", "description");
  });

  it("keeps what is filled in, adds what is new, and shows no value", async () => {
    const folder = folderWith({ "connector.ts": smallConnector() });
    await connectorcli(folder, "test", "init");
    const file = path.join(folder, "test-settings.json");
    writeFileSync(
      file,
      settingsOf(folder).replace('"apiKey": ""', `"apiKey": "${CANARY}", // mine\n"left": "${CANARY}"`),
    );
    chmodSync(file, 0o644);
    const more =
      'tenant: Type.String({ title: "Tenant", description: "", isSensitive: false }) },\n  baseUrl';
    const source = smallConnector().replace(
      "isSensitive: true }) },\n  baseUrl",
      `isSensitive: true }), ${more}`,
    );
    writeFileSync(path.join(folder, "connector.ts"), source);
    for (const flags of [[], ["--json"]]) {
      const { status, stdout, stderr } = await connectorcli(folder, "test", "init", ...flags);
      expect(status).to.equal(0);
      expect(stdout + stderr)
        .to.include("settings-unknown")
        .and.to.include("left");
      expect(stdout + stderr).to.not.include(CANARY);
    }
    expect(settingsOf(folder)).to.include(`"apiKey": "${CANARY}",`).and.to.include("// mine");
    expect(settingsOf(folder)).to.include(`"left": "${CANARY}"`).and.to.include('"tenant": ""');
    if (process.platform !== "win32") expect(modeOf(folder)).to.equal(0o600);
  });

  it("takes a file that was open to others from them, also where nothing in it changes", async function () {
    if (process.platform === "win32") this.skip();
    const folder = folderWith({ "connector.ts": smallConnector() });
    await connectorcli(folder, "test", "init");
    const before = settingsOf(folder);
    chmodSync(path.join(folder, "test-settings.json"), 0o644);
    expect((await connectorcli(folder, "test", "init")).status).to.equal(0);
    expect(settingsOf(folder)).to.equal(before);
    expect(modeOf(folder)).to.equal(0o600);
  });

  it("says nothing of a file that it can't read but where it is wrong", async () => {
    const folder = folderWith({
      "connector.ts": smallConnector(),
      "test-settings.json": `{ "testSettings": { "a": "${CANARY} }`,
    });
    const before = settingsOf(folder);
    const { status, stdout, stderr } = await connectorcli(folder, "test", "init");
    expect(status).to.equal(1);
    expect(stderr).to.include("json-syntax");
    expect(stdout + stderr).to.not.include(CANARY);
    expect(settingsOf(folder)).to.equal(before);
  });

  it("refuses to write where git tracks the file, and names the way out", async () => {
    const folder = folderWith({ "connector.ts": smallConnector(), "test-settings.json": "{}\n" });
    git(folder, "init", "--quiet");
    git(folder, "add", "--all");
    const { status, stderr } = await connectorcli(folder, "test", "init");
    expect(status).to.equal(1);
    expect(stderr).to.include("settings-tracked").and.to.include("git rm --cached test-settings.json");
    expect(settingsOf(folder)).to.equal("{}\n");
    git(folder, "rm", "--cached", "--quiet", "test-settings.json");
    expect((await connectorcli(folder, "test", "init")).status).to.equal(0);
  }).timeout(SLOW_TEST_MS);

  it("adds the line to .gitignore once, and not where git ignores the file already", async () => {
    const folder = folderWith({ "connector.ts": smallConnector(), ".gitignore": "dist/\r\nnode_modules/" });
    git(folder, "init", "--quiet");
    await connectorcli(folder, "test", "init");
    await connectorcli(folder, "test", "init");
    const ignored = readFileSync(path.join(folder, ".gitignore"), "utf8");
    expect(ignored).to.equal("dist/\r\nnode_modules/\r\ntest-settings.json\r\n");
    const other = folderWith({ "connector.ts": smallConnector(), ".gitignore": "*.json\n" });
    git(other, "init", "--quiet");
    await connectorcli(other, "test", "init");
    expect(readFileSync(path.join(other, ".gitignore"), "utf8")).to.equal("*.json\n");
  }).timeout(SLOW_TEST_MS);

  it("stops where the modules do not load, and writes nothing", async () => {
    const folder = folderWith({ "connector.ts": "const x = ;" });
    const { status, stderr } = await connectorcli(folder, "test", "init");
    expect(status).to.equal(1);
    expect(stderr).to.include("project-syntax");
    expect(filesIn(folder)).to.deep.equal(["connector.ts"]);
  });
});
