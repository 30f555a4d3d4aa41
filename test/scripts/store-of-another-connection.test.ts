import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { connectorcli } from "../support/command-line.js";
import {
  changeSettings,
  type Platform,
  platformProject,
  startPlatform,
} from "../support/projects-platform.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const TOKEN = "a-token-of-tests-7";
const NEW = { number: "N-1", title: "Tunnel", status: "Planned", budget: null };

describe("the store of a project whose connection is changed", function () {
  this.timeout(SLOW_TEST_MS);
  let platform: Platform;
  let folder: string;

  before(async () => {
    platform = await startPlatform({ token: TOKEN, projects: 3 });
    folder = await platformProject(platform.address, TOKEN);
  });
  after(() => platform.close());

  const cli = (...args: readonly string[]) => connectorcli(folder, ...args);
  const choose = (connectionEnvironment: number) =>
    changeSettings(folder, (settings) => {
      const [connection] = settings["connections"] as { configuration: Record<string, unknown> }[];
      Object.assign(connection?.configuration ?? {}, { connectionEnvironment });
    });

  it("is refused with both connections and the ways out, and nothing of the other system is sent", async () => {
    choose(2);
    const file = path.join(folder, "input.json");
    writeFileSync(file, JSON.stringify(NEW));
    platform.failures = 100;
    const create = ["--data-object-url", "project", "--action-url", "create", "--input", file];
    expect((await cli("run", "action-processor", ...create)).stdout).to.include("Action 1 ");
    platform.failures = 0;
    choose(1);
    await cli("queue", "retry", "1");
    const before = platform.requests;
    for (const service of [["action-processor"], ["cache-writer"], ["action-processor", ...create]]) {
      const { status, stdout, stderr } = await cli("run", ...service);
      const said = stdout + stderr;
      expect(said).to.include(
        `The store belongs to the connection customAuth (Test, ${platform.address}), not to customAuth (Production, ${platform.address}).`,
      );
      expect(said).to.include("--store").and.to.include("--adopt-store").and.to.not.include(TOKEN);
      expect(status).to.equal(1);
    }
    expect(platform.requests).to.equal(before);
    expect((await cli("queue", "list")).stdout).to.match(/^ *1 +queued /m);
    const own = await cli("run", "cache-writer", "--store", path.join(folder, "production.db"));
    expect(own.status, own.stderr).to.equal(0);
    const adopted = await cli("run", "action-processor", "--adopt-store");
    expect(adopted.stdout).to.include("Action 1 ").and.to.include("succeeded");
    expect((await cli("run", "action-processor")).status).to.equal(0);
  });
});
