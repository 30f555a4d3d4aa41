import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { clientProject, configurationOf, fillIn } from "../support/author-project.js";
import { connectorcliProcess } from "../support/command-line.js";
import { answerJson, closeServers, type Loopback, serve } from "../support/loopback.js";
import { type OpenIdProvider, openIdProvider, signIn } from "../support/openid-provider.js";
import { runs, SLOW_TEST_MS } from "../support/repository.js";

const KEY = "oAuth2CodeFlow";
const RUNS = 2;
const REFRESHES = runs(10);

/** A connection test that has its token refused as often as it says, at moments of its own. */
const HANDLER = `import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../client/api-client.js";
import type { ConnectorTestHandler } from "../generated/contexts.js";

export const connectionTestHandler: ConnectorTestHandler<ApiClient> = async ({ client, signal }) => {
  for (let count = 1; count < ${REFRESHES}; count++) {
    const answer = await client.get("projects", { signal });
    if (!answer.isSuccessful) return answer;
    await sleep(Math.random() * 30);
  }
  return client.get("projects", { signal });
};
`;

describe("a refresh token that several runs share, and the provider changes with each use", () => {
  let provider: OpenIdProvider;
  let api: Loopback;
  let folder: string;

  before(async function () {
    this.timeout(SLOW_TEST_MS);
    provider = await openIdProvider();
    const used = new Set<string>();
    // Every token is good for one call.
    api = await serve(({ headers: { authorization = "" } }, response) => {
      answerJson(response, {}, used.has(authorization) ? 401 : 200);
      used.add(authorization);
    });
    folder = await clientProject(api.origin, "OAuth2CodeFlow");
    writeFileSync(path.join(folder, "connections/connection-test-handler.ts"), HANDLER);
  });

  after(async () => {
    await provider.close();
    await closeServers();
  });

  it(`is used by one run at a time, in ${RUNS} processes with ${REFRESHES} refreshes each`, async () => {
    const { refresh_token: refreshToken } = await signIn(provider);
    fillIn(folder, KEY, { clientId: "app", tokenUrl: provider.tokenUrl, refreshToken });
    const before = provider.tokenRequests();
    const test = () => connectorcliProcess(folder, "test", "connection", "--timeout", "300");
    const results = await Promise.all(Array.from({ length: RUNS }, test));
    for (const { stdout, stderr } of results) expect(stdout, stderr).to.equal("Successful test.\n");
    expect(provider.tokenRequests() - before).to.equal(RUNS * REFRESHES);
    const kept = configurationOf(folder, KEY)["refreshToken"];
    expect(kept).to.be.a("string").and.to.not.equal(refreshToken);
    for (const { stdout, stderr } of results) expect(stdout + stderr).to.not.include(kept);
    // Where one had been used twice, the provider would have revoked all.
    expect((await test()).stdout).to.equal("Successful test.\n");
  }).timeout(SLOW_TEST_MS * 2);
});
