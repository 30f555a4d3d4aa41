/** Signing in from the page of the console, at a certified provider, with a real browser. */
import { expect } from "chai";
import { clientProject, configurationOf, fillIn } from "../support/author-project.js";
import { browserOrSkip, endBrowser } from "../support/browser.js";
import type { Browser, BrowserContext, Page } from "../support/browser-page.js";
import { openPage, show, storageOf, violationsOf } from "../support/console-page.js";
import { endConsoles, startedConsole } from "../support/console-project.js";
import { call, post } from "../support/console-requests.js";
import { closeServers } from "../support/loopback.js";
import { codeFlowValues, type OpenIdProvider, openIdProvider } from "../support/openid-provider.js";

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
