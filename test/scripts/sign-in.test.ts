import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { generate } from "selfsigned";
import { clientProject, configurationOf, fillIn } from "../support/author-project.js";
import { COMMAND } from "../support/command-line.js";
import { closeProxies, startConnectProxy } from "../support/connect-proxy.js";
import { answerJson, closeServers, listen } from "../support/loopback.js";
import {
  agree,
  type Browse,
  browserOf,
  codeFlowValues,
  type OpenIdProvider,
  openIdProvider,
} from "../support/openid-provider.js";
import { type CommandResult, run } from "../support/processes.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const KEY = "oAuth2CodeFlow";

describe("signing in for a connection test", () => {
  let provider: OpenIdProvider;
  let folder: string;

  before(async function () {
    this.timeout(SLOW_TEST_MS);
    provider = await openIdProvider();
    folder = await clientProject(provider.api.origin, "OAuth2CodeFlow");
  });

  beforeEach(() => {
    fillIn(folder, KEY, { ...codeFlowValues(provider), refreshToken: "" });
  });

  after(async () => {
    await closeProxies();
    await provider.close();
    await closeServers();
  });

  async function tested(
    browse: Browse,
    {
      args = ["--no-browser"],
      environment = {},
    }: { args?: readonly string[]; environment?: Record<string, string> } = {},
  ): Promise<CommandResult> {
    const { onText, done } = browserOf(browse);
    const call = [COMMAND, "test", "connection", ...args];
    const result = await run(folder, process.execPath, call, { environment, onText });
    await done();
    return result;
  }

  async function signInAndReturn(address: string, redirectUri: string): Promise<Response> {
    return fetch(await agree(address, redirectUri));
  }

  /** Comes back to the command with a code that nobody gave, and with these parameters. */
  const withCode =
    (parameters: Readonly<Record<string, string>> = {}): Browse =>
    async (address, redirectUri) => {
      const state = new URL(address).searchParams.get("state") ?? "";
      await fetch(`${redirectUri}?${new URLSearchParams({ code: "x", state, ...parameters })}`);
    };

  it("goes by the authorization code flow with PKCE, keeps the refresh token, and tests with it", async () => {
    const { status, stdout, stderr } = await tested(async (address, redirectUri) => {
      const query = new URL(address).searchParams;
      expect(query.get("code_challenge_method")).to.equal("S256");
      expect(query.get("redirect_uri")).to.equal(redirectUri);
      expect(redirectUri).to.match(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
      await signInAndReturn(address, redirectUri);
    });
    expect(stdout, stderr).to.equal("Successful test.\n");
    expect(status).to.equal(0);
    const { refreshToken } = configurationOf(folder, KEY);
    expect(refreshToken).to.be.a("string").and.to.not.equal("");
    expect(stdout + stderr).to.not.include(refreshToken);
    const file = path.join(folder, "test-settings.json");
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).to.equal(0o600);
  }).timeout(SLOW_TEST_MS);

  it("opens the address in the user's browser where there is a display, and nowhere else", async function () {
    if (process.platform !== "linux") return this.skip();
    const opened = path.join(folder, "opened");
    const browser = path.join(folder, "browser");
    writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`, { mode: 0o755 });
    let address = "";
    const browse: Browse = async (told, redirectUri) => {
      address = told;
      while (!existsSync(opened) || readFileSync(opened, "utf8") === "") await sleep(20);
      await signInAndReturn(told, redirectUri);
    };
    const { stdout, stderr } = await tested(browse, {
      args: [],
      environment: { BROWSER: browser, DISPLAY: ":1" },
    });
    expect(stdout, stderr).to.equal("Successful test.\n");
    expect(readFileSync(opened, "utf8")).to.equal(address);
    rmSync(opened);
    const alone = await tested(signInAndReturn, {
      args: ["--sign-in"],
      environment: { BROWSER: browser, DISPLAY: "", WAYLAND_DISPLAY: "", WSL_DISTRO_NAME: "" },
    });
    expect(alone.stdout, alone.stderr).to.equal("Successful test.\n");
    expect(existsSync(opened)).to.equal(false);
  }).timeout(SLOW_TEST_MS);

  it("does not ask again once there is a token, keeps the token that took its place, and asks with --sign-in", async () => {
    await tested(signInAndReturn);
    const first = configurationOf(folder, KEY)["refreshToken"];
    const again = await tested(() => Promise.reject(new Error("asked again")));
    expect(again.stdout, again.stderr).to.equal("Successful test.\n");
    const second = configurationOf(folder, KEY)["refreshToken"];
    expect(second).to.not.equal(first);
    const asked = await tested(signInAndReturn, { args: ["--no-browser", "--sign-in"] });
    expect(asked.stderr).to.include("Signed in.");
    expect(asked.status).to.equal(0);
    expect(configurationOf(folder, KEY)["refreshToken"]).to.not.equal(second);
  }).timeout(SLOW_TEST_MS);

  it("never writes a token where the settings name a variable, and says so", async () => {
    fillIn(folder, KEY, { refreshToken: `\${SITES_TOKEN}` });
    const environment = { SITES_TOKEN: "useless-token-of-the-environment" };
    const { stdout, stderr } = await tested(signInAndReturn, {
      args: ["--no-browser", "--sign-in"],
      environment,
    });
    expect(stdout, stderr).to.equal("Successful test.\n");
    expect(stderr).to.include("settings-not-kept").and.to.include("SITES_TOKEN");
    expect(configurationOf(folder, KEY)["refreshToken"]).to.equal(`\${SITES_TOKEN}`);
    expect(stdout + stderr).to.not.include(environment.SITES_TOKEN);
  }).timeout(SLOW_TEST_MS);

  it("never writes a token that would be read as a variable at the next run, and says so", async () => {
    const { origin } = await listen((_, response) => {
      answerJson(response, { access_token: "a", token_type: "bearer", refresh_token: `\${HOME}` });
    });
    const rotating = { clientId: "app", tokenUrl: `${origin}/token`, refreshToken: "first" };
    fillIn(folder, KEY, rotating);
    const rotated = await tested(() => Promise.reject(new Error("asked")));
    expect(rotated.stderr).to.include("settings-not-kept").and.to.include("refreshToken");
    expect(rotated.stderr).to.include("reads like a reference to an environment variable");
    expect(configurationOf(folder, KEY)["refreshToken"]).to.equal("first");
    fillIn(folder, KEY, { refreshToken: "" });
    const signedIn = await tested(withCode());
    expect(signedIn.stderr).to.include("settings-not-kept");
    expect(configurationOf(folder, KEY)["refreshToken"]).to.equal("");
  }).timeout(SLOW_TEST_MS);

  it("reads no token answer without end, trusts no certificate unchecked, with a proxy or without, and takes no other issuer's answer", async () => {
    const endless = await listen((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const send = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 32)));
      };
      response.on("drain", send);
      send();
    });
    fillIn(folder, KEY, { tokenUrl: `${endless.origin}/token` });
    const large = await tested(withCode());
    expect(large.stderr).to.include("an answer that is too large");
    const { private: key, cert } = await generate([{ name: "commonName", value: "127.0.0.1" }]);
    const selfSigned = await listen((_, response) => answerJson(response, {}), [], { key, cert });
    fillIn(folder, KEY, { tokenUrl: `${selfSigned.origin}/token` });
    const environment = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };
    const untrusted = await tested(withCode(), { environment });
    expect(untrusted.stderr).to.include("the server's certificate is not trusted");
    const proxy = await startConnectProxy();
    const behind = selfSigned.origin.replace("127.0.0.1", "target.test");
    fillIn(folder, KEY, { tokenUrl: `${behind}/token` });
    const proxied = await tested(withCode(), { environment: { HTTPS_PROXY: proxy.host } });
    expect(proxied.stderr).to.include("the server's certificate is not trusted");
    expect(proxy.asked).to.deep.equal([`CONNECT ${new URL(behind).host}`]);
    fillIn(folder, KEY, { tokenUrl: provider.tokenUrl });
    const other = await tested(withCode({ iss: "https://evil.example" }));
    expect(other.stderr).to.include('another provider has answered: "https://evil.example"');
    expect([large.status, untrusted.status, other.status]).to.deep.equal([1, 1, 1]);
  }).timeout(SLOW_TEST_MS);

  it("takes only the answer with its own state, and goes on waiting for that", async () => {
    const statuses: number[] = [];
    const { stdout, stderr } = await tested(async (address, redirectUri) => {
      for (const wrong of ["?code=x&state=wrong", "?code=x", "/other"])
        statuses.push((await fetch(`${redirectUri}${wrong}`)).status);
      statuses.push((await signInAndReturn(address, redirectUri)).status);
    });
    expect(stdout, stderr).to.equal("Successful test.\n");
    expect(statuses).to.deep.equal([400, 400, 404, 200]);
  }).timeout(SLOW_TEST_MS);

  it("says why a sign-in was refused, and shows none of it in the browser", async () => {
    let shown = "";
    const { status, stdout, stderr } = await tested(async (address, redirectUri) => {
      const state = new URL(address).searchParams.get("state");
      const answer = `error=access_denied&error_description=${encodeURIComponent("<b>No</b>")}`;
      shown = await (await fetch(`${redirectUri}?${answer}&state=${state}`)).text();
    });
    expect(stderr).to.include("sign-in-failed").and.to.include("access_denied (<b>No</b>)");
    expect(shown).to.not.include("No");
    expect(stdout).to.equal("");
    expect(status).to.equal(1);
  }).timeout(SLOW_TEST_MS);

  it("says so where a code is worth nothing, where no token can be kept, and where nobody signs in", async () => {
    const forged = await tested(async (address, redirectUri) => {
      const query = new URL(address).searchParams;
      const answer = { code: "forged", state: query.get("state") ?? "", iss: provider.origin };
      await fetch(`${redirectUri}?${new URLSearchParams(answer)}`);
    });
    expect(forged.stderr).to.include("no token was given: invalid_grant");
    fillIn(folder, KEY, { scope: "openid" });
    const unkept = await tested(signInAndReturn);
    expect(unkept.stderr).to.include("no refresh token").and.to.include("offline_access");
    const nobody = await tested(async () => {}, { args: ["--no-browser", "--sign-in-timeout", "1"] });
    expect(nobody.stderr).to.include("nobody signed in within 1 seconds");
    expect([forged.status, unkept.status, nobody.status]).to.deep.equal([1, 1, 1]);
  }).timeout(SLOW_TEST_MS);

  it("asks for what it needs to sign in, and sends no secret to an address without encryption", async () => {
    const never = () => Promise.reject(new Error("asked"));
    fillIn(folder, KEY, { clientId: "", tokenUrl: null });
    const empty = await tested(never);
    expect(empty.stderr).to.include("clientId").and.to.include("tokenUrl").and.to.include("2 errors");
    fillIn(folder, KEY, { clientId: "app", tokenUrl: "http://login.sites-platform.com/token" });
    const open = await tested(never);
    expect(open.stderr).to.include("the token address does not begin with https://");
    expect(readFileSync(path.join(folder, "test-settings.json"), "utf8")).to.include('"refreshToken": ""');
  }).timeout(SLOW_TEST_MS);
});
