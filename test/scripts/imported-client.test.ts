import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { fillIn } from "../support/author-project.js";
import { connectorcli } from "../support/command-line.js";
import { corpusFiles, NO_CORPUS } from "../support/corpus.js";
import { folderWith, installInto, treeOf } from "../support/folders.js";
import { closeServers } from "../support/loopback.js";
import { CLIENT_SECRET, openIdProvider } from "../support/openid-provider.js";
import { tsc } from "../support/processes.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const NAME = "power-bi.connector.json";
const CLIENT = ["client", "new", "--auth-type", "OAuth2ClientCredentials"];

describe("a client for an imported connector", () => {
  const file = corpusFiles().find(({ name }) => name === NAME);
  if (file === undefined) {
    it.skip(NO_CORPUS);
    return;
  }
  afterEach(closeServers);

  it("takes the imported definition and tests it; what is left to write is named by the compiler", async () => {
    const folder = folderWith({});
    const done = async (...args: readonly string[]) => {
      const { status, stdout, stderr } = await connectorcli(folder, ...args);
      expect(status, `${args.join(" ")}\n${stdout}${stderr}`).to.equal(0);
      return stderr;
    };
    await done("import", "connector-json", file.path, "--directory", ".", "--repair");
    const definition = path.join(folder, "connections/oauth2-client-credentials.ts");
    const imported = readFileSync(definition, "utf8");
    expect(await done(...CLIENT)).to.include("Give the definition a baseUrl");
    expect(readFileSync(definition, "utf8")).to.equal(imported);

    const provider = await openIdProvider();
    const { origin } = provider.api;
    const baseUrl = `baseUrl: { Production: "${origin}", Test: "${origin}" },\n  properties: {`;
    writeFileSync(definition, imported.replace("properties: {", baseUrl));
    await done("gen");
    await done("test", "init");
    const { tokenUrl } = provider;
    const filled = { tenantId: "t", scope: "projects:read", clientId: "machine", tokenUrl };
    fillIn(folder, "oAuth2ClientCredentials", { ...filled, clientSecret: CLIENT_SECRET });
    await done("test", "connection");
    expect(provider.api.requests).to.have.length(1);

    const tree = treeOf(folder);
    await done(...CLIENT);
    expect(treeOf(folder)).to.deep.equal(tree);

    installInto(folder);
    const { stdout } = await tsc("7", folder);
    const places = stdout.split("\n").filter((line) => /^\S/.test(line));
    for (const line of places) expect(line).to.match(/^modules\/\w+\/.*\.ts\(\d+,\d+\): error/);
  }).timeout(2 * SLOW_TEST_MS);
});
