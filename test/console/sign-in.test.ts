/** Signing in from the page of the console, at a certified provider, with a real browser. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { localKeys, openPostgres, type PostgresStores } from "../../runtime/entries/postgres.js";
import { clientProject, configurationOf, fillIn } from "../support/author-project.js";
import { browserOrSkip, endBrowser } from "../support/browser.js";
import type { Browser, BrowserContext, Page } from "../support/browser-page.js";
import { connectorcliOn } from "../support/command-line.js";
import { openPage, show, storageOf, violationsOf } from "../support/console-page.js";
import { endConsoles, startedConsole } from "../support/console-project.js";
import { call, post } from "../support/console-requests.js";
import { closeServers } from "../support/loopback.js";
import {
  agree,
  type Browse,
  browserOf,
  codeFlowValues,
  type OpenIdProvider,
  openIdProvider,
} from "../support/openid-provider.js";
import { type TestDatabase, testDatabase } from "../support/postgres.js";

const KEY = "oAuth2CodeFlow";
const TEST_ENVIRONMENT = 2;

describe("signing in from the console", function () {
  this.timeout(120_000);
  let browser: Browser;
  let provider: OpenIdProvider;
  let folder: string;

  before(async function () {
    browser = await browserOrSkip(this);
    provider = await openIdProvider();
    folder = await clientProject(provider.api.origin, "OAuth2CodeFlow");
  });

  beforeEach(() => {
    fillIn(folder, KEY, {
      ...codeFlowValues(provider),
      refreshToken: "",
      connectionEnvironment: TEST_ENVIRONMENT,
    });
  });

  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await endConsoles();
  });

  after(async () => {
    await provider?.close();
    await closeServers();
    await endBrowser();
  });

  it("goes by the code flow with PKCE in a tab of its own, takes no other answer, and keeps what it gave out of the page", async () => {
    const { address } = await startedConsole(folder, { isWritable: true });
    const { page, context, traffic, problems } = await openPage(browser, address);
    await show(page, "connection");
    const button = page.getByRole("button", { name: "Sign in" });
    const link = page.getByRole("link", { name: `Sign in at ${provider.origin}` });
    await button.click();
    await link.waitFor();
    const left = (await link.getAttribute("href")) ?? "";
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped.").waitFor();
    // Whoever stops waits no more: nobody listens there.
    await gone(left);
    await button.click();
    await link.waitFor();
    expect(await violationsOf(page)).to.deep.equal([]);
    expect(await link.getAttribute("rel")).to.equal("noopener noreferrer");
    const start = (await link.getAttribute("href")) ?? "";
    expect(start).to.match(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}$/);
    const asked = await addressBehind(start);
    expect(`${asked.origin}${asked.pathname}`).to.equal(`${provider.origin}/auth`);
    expect(asked.searchParams.get("code_challenge_method")).to.equal("S256");

    const redirectUri = asked.searchParams.get("redirect_uri") ?? "";
    expect((await fetch(`${redirectUri}?code=x&state=of-somebody-else`)).status).to.equal(400);
    for (const path of ["/", "/start", `${new URL(start).pathname}x`])
      expect((await fetch(new URL(path, start), { redirect: "manual" })).status, path).to.equal(404);

    const tab = await opening(context, () => link.click());
    expect(await tab.evaluate("window.opener === null && document.referrer === ''")).to.equal(true);
    await agreeIn(tab);
    await tab.getByText("You can close this window").waitFor();
    await page.getByText("The connection works.").waitFor();

    const { refreshToken } = configurationOf(folder, KEY);
    expect(refreshToken).to.be.a("string").and.to.not.equal("");
    const texts = [await page.content(), await storageOf(page), ...(await Promise.all(traffic))].join();
    const { state, code_challenge } = Object.fromEntries(asked.searchParams);
    for (const value of [refreshToken, state, code_challenge, "client_id", ...provider.seenTokens])
      expect(texts).to.include("Signed in").and.not.include(value);
    expect(problems).to.deep.equal([]);
  });

  it("begins with --write only, also where there is no token yet", async () => {
    const console = await startedConsole(folder);
    expect((await post(console, "connection/sign-in", {})).status).to.equal(403);
    const { text } = await post(console, "connection", {});
    expect(text).to.include("settings-empty").and.include("refreshToken").and.not.include('"sign-in"');
    const { connection } = JSON.parse((await call(console, "overview")).text);
    expect(connection.authType).to.equal("OAuth2CodeFlow");
    expect(connection.target.isProduction).to.equal(false);
  });

  describe("for a workspace", () => {
    const storeKey = Buffer.alloc(32, 5).toString("base64");
    const name = "acme";
    let database: TestDatabase | undefined;
    let stores: PostgresStores;
    let ofMachine: string;

    before(async function () {
      database = await testDatabase();
      if (database === undefined) return this.skip();
      stores = await openPostgres({ url: database.url, sealing: { key: localKeys(storeKey) } });
      writeFileSync(path.join(folder, "store.key"), storeKey, { mode: 0o600 });
    });
    beforeEach(async () => {
      await stores.workspaces.set(name, settings());
      ofMachine = textOfMachine();
    });
    after(async () => {
      await stores?.close();
      await database?.remove();
    });

    const textOfMachine = () => readFileSync(path.join(folder, "test-settings.json"), "utf8");
    const settings = (more: object = {}) => ({
      connection: {
        definitionKey: KEY,
        properties: { ...codeFlowValues(provider), connectionEnvironment: TEST_ENVIRONMENT, ...more },
      },
    });
    const kept = async () => (await stores.workspaces.get(name))?.connection.properties ?? {};
    const secretsOf = async () => [(await kept())["refreshToken"], ...provider.seenTokens];

    it("keeps the token in the sealed settings of the one that is shown, and nowhere on this machine", async () => {
      const lines: string[] = [];
      const onLine = (line: string) => void lines.push(line);
      const options = { database: database?.url, storeKey, isWritable: true, onLine };
      const { address } = await startedConsole(folder, options);
      const { page, context, traffic, problems } = await openPage(browser, address);
      await show(page, "connection");
      await page
        .getByText("connectorcli test connection [--sign-in] --database … --workspace acme")
        .waitFor();
      await page.getByRole("button", { name: "Sign in" }).click();
      const link = page.getByRole("link", { name: `Sign in at ${provider.origin}` });
      await agreeIn(await opening(context, () => link.click()));
      await page.getByText("The connection works.").waitFor();
      await page.getByRole("row", { name: /Refresh token set/ }).waitFor();
      const shown = [await page.content(), await storageOf(page), ...(await Promise.all(traffic))];
      const texts = [...shown, ...lines].join();
      const secrets = await secretsOf();
      expect(secrets[0]).to.be.a("string").and.to.not.equal("");
      for (const secret of secrets) expect(texts).to.include("Signed in").and.not.include(secret);
      expect(problems).to.deep.equal([]);
      expect(textOfMachine()).to.equal(ofMachine);
    });

    it("is what a command does, which overwrites no settings that were changed meanwhile", async () => {
      const changed = settings({ scope: "openid offline_access projects:read" });
      const tested = async (browse: Browse, ...more: readonly string[]) => {
        let said = "";
        const { onText, done } = browserOf(browse);
        const say = (text: string) => {
          said += `${text}\n`;
          onText(said);
        };
        const args = ["test", "connection", "--no-browser", "--key-file", "store.key", ...more];
        const ended = await connectorcliOn({ say }, folder, ...args, "--database", database?.url ?? "");
        await done();
        return { ...ended, said };
      };
      const signIn: Browse = async (address, redirectUri) => fetch(await agree(address, redirectUri));
      const late = await tested(async (address, redirectUri) => {
        await stores.workspaces.set(name, changed);
        await signIn(address, redirectUri);
      });
      expect([late.status, late.stdout]).to.deep.equal([1, ""]);
      expect(late.said).to.include("were changed meanwhile, and stay as they are: sign in again");
      expect(await stores.workspaces.get(name)).to.deep.equal(changed);
      const done = await tested(signIn, "--workspace", name);
      expect([done.status, done.stdout], done.said).to.deep.equal([0, "Successful test.\n"]);
      const first = (await kept())["refreshToken"];
      expect(first).to.be.a("string").and.to.not.equal("");
      // The provider has changed the token with each use: the new one is in its place.
      const again = await tested(() => Promise.reject(new Error("asked again")), "--workspace", name);
      expect([again.status, again.stdout], again.said).to.deep.equal([0, "Successful test.\n"]);
      const { refreshToken, ...others } = await kept();
      expect(refreshToken).to.be.a("string").and.to.not.equal(first);
      expect(others).to.deep.equal(changed.connection.properties);
      for (const secret of [first, ...(await secretsOf())])
        expect(late.said + done.said + again.said).to.not.include(secret);
      expect(textOfMachine()).to.equal(ofMachine);
    });

    it("says what a user has to enter first, by the name of the workspace", async () => {
      await stores.workspaces.set(name, settings({ clientId: "" }));
      const console = await startedConsole(folder, { database: database?.url, storeKey, isWritable: true });
      const { text } = await post(console, "connection/sign-in", {});
      expect(text).to.include("The connection of acme has no clientId, which signing in needs");
      expect(text).to.not.include("test-settings.json");
      const untested = await post(console, "connection", {});
      expect(untested.text).to.include("The connection of acme has no refreshToken: somebody has to sign in");
    });
  });
});

/** Where an address on this machine leads. */
async function addressBehind(start: string): Promise<URL> {
  const { status, headers } = await fetch(start, { redirect: "manual" });
  expect([status, headers.get("referrer-policy")]).to.deep.equal([302, "no-referrer"]);
  return new URL(headers.get("location") ?? "");
}

/** The tab that `open` opens. */
async function opening(context: BrowserContext, open: () => Promise<void>): Promise<Page> {
  const [tab] = await Promise.all([context.waitForEvent("page"), open()]);
  return tab;
}

/** Signs in and consents on the pages of the provider. */
async function agreeIn(tab: Page): Promise<void> {
  await tab.locator("input[name=login]").fill("user");
  await tab.locator("input[name=password]").fill("any");
  await tab.locator("button[type=submit]").click();
  await tab.getByRole("button", { name: "Continue" }).click();
}

async function gone(address: string): Promise<void> {
  for (;;) {
    const isThere = await fetch(address, { redirect: "manual" }).then(
      () => true,
      () => false,
    );
    if (!isThere) return;
  }
}
