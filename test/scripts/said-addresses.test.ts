import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { clientProject, configurationOf, fillIn } from "../support/author-project.js";
import { COMMAND, connectorcli } from "../support/command-line.js";
import { closeServers } from "../support/loopback.js";
import {
  agree,
  browserOf,
  CLIENT_SECRET,
  type OpenIdProvider,
  openIdProvider,
} from "../support/openid-provider.js";
import { type CommandResult, run } from "../support/processes.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const CODE_FLOW = "oAuth2CodeFlow";
const CLIENT_CREDENTIALS = "oAuth2ClientCredentials";

describe("a connection whose definition says the addresses for tokens", () => {
  let provider: OpenIdProvider;
  let folder: string;

  before(async function () {
    this.timeout(2 * SLOW_TEST_MS);
    provider = await openIdProvider();
    folder = await clientProject(provider.api.origin, "OAuth2CodeFlow", "OAuth2ClientCredentials");
    // Nothing answers at the address of the other environment.
    const tokens = `tokenUrl: { Production: "http://127.0.0.1:1/token", Test: "${provider.tokenUrl}" }`;
    addOptions("oauth2-client-credentials.ts", tokens);
    addOptions("oauth2-code-flow.ts", `${tokens},\n  authorizationUrl: "${provider.origin}/auth"`);
    rmSync(path.join(folder, "test-settings.json"));
    for (const command of ["gen", "test init"]) {
      const { status, stderr } = await connectorcli(folder, ...command.split(" "));
      expect(status, stderr).to.equal(0);
    }
  });

  after(async () => {
    await provider.close();
    await closeServers();
  });

  function addOptions(file: string, options: string): void {
    const definition = path.join(folder, "connections", file);
    const text = readFileSync(definition, "utf8");
    writeFileSync(definition, text.replace("properties: {},", `properties: {},\n  ${options},`));
  }

  async function tested(): Promise<CommandResult> {
    const { onText, done } = browserOf(async (address, redirectUri) =>
      fetch(await agree(address, redirectUri)),
    );
    const call = [COMMAND, "test", "connection", "--no-browser"];
    const result = await run(folder, process.execPath, call, { onText });
    await done();
    return result;
  }

  it("signs in at them, and refreshes the token there", async () => {
    fillIn(folder, CODE_FLOW, { clientId: "app", scope: "openid offline_access", connectionEnvironment: 2 });
    const signedIn = await tested();
    expect(signedIn.stdout, signedIn.stderr).to.equal("Successful test.\n");
    const first = configurationOf(folder, CODE_FLOW)["refreshToken"];
    const again = await tested();
    expect(again.stdout, again.stderr).to.equal("Successful test.\n");
    expect(again.stderr).to.not.include("Sign in here");
    expect(configurationOf(folder, CODE_FLOW)["refreshToken"]).to.not.equal(first);
  }).timeout(SLOW_TEST_MS);

  it("asks for the environment before signing in, if an address follows from it", async () => {
    fillIn(folder, CODE_FLOW, { clientId: "app", refreshToken: "", connectionEnvironment: 0 });
    const { status, stderr } = await connectorcli(folder, "test", "connection", "--no-browser");
    expect(stderr).to.include("connectionEnvironment is not filled in");
    expect(stderr).to.include("Write 1 for Production or 2 for Test").and.to.include("1 error");
    expect(status).to.equal(1);
  }).timeout(SLOW_TEST_MS);

  it("gets the client's own token there", async () => {
    const client = { clientId: "machine", clientSecret: CLIENT_SECRET, connectionEnvironment: 2 };
    fillIn(folder, CLIENT_CREDENTIALS, client);
    const before = provider.tokenRequests();
    const { stdout, stderr } = await connectorcli(folder, "test", "connection");
    expect(stdout, stderr).to.equal("Successful test.\n");
    expect(provider.tokenRequests() - before).to.equal(1);
  }).timeout(SLOW_TEST_MS);

  it("sends no secret to a placeholder", async () => {
    const definition = path.join(folder, "connections/oauth2-client-credentials.ts");
    const text = readFileSync(definition, "utf8");
    writeFileSync(definition, text.replace(provider.tokenUrl, "https://login.example.com/token"));
    fillIn(folder, CLIENT_CREDENTIALS, { connectionEnvironment: 2 });
    const { status, stderr } = await connectorcli(folder, "test", "connection");
    expect(stderr).to.include("connection-address-placeholder").and.to.include("login.example.com");
    expect(status).to.equal(1);
  }).timeout(SLOW_TEST_MS);
});
