import { existsSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { openPostgresStore } from "../../runtime/store/postgres/open-store.js";
import { connectorcli } from "../support/command-line.js";
import { folderWith } from "../support/folders.js";
import { type TestDatabase, testDatabase } from "../support/postgres.js";
import { type Platform, platformProject, startPlatform } from "../support/projects-platform.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const TOKEN = "a-token-of-tests-copy";

describe("connectorcli store copy", function () {
  this.timeout(SLOW_TEST_MS);
  let platform: Platform;
  let database: TestDatabase | undefined;

  before(async function () {
    database = await testDatabase();
    if (database === undefined) return this.skip();
    platform = await startPlatform({ token: TOKEN, projects: 3 });
  });
  after(async () => {
    platform?.close();
    await database?.remove();
  });

  const copy = (folder: string, workspace: string, url = database?.url ?? "") =>
    connectorcli(folder, "store", "copy", "--to", url, "--workspace", workspace);

  it("makes a tenant of the store of a project, once", async () => {
    const folder = await platformProject(platform.address, TOKEN);
    await connectorcli(folder, "run", "cache-writer");
    const { status, stderr } = await copy(folder, "acme");
    expect(status, stderr).to.equal(0);
    expect(stderr).to.match(/^copied to acme: \d+ records, \d+ changes, 0 rejected, 2 runs, 0 actions\n$/);
    const store = await openPostgresStore({ url: database?.url ?? "", tenant: "acme" });
    expect(await store.records.count("projects-api/app/1/project")).to.equal(3);
    await store.close();
    const again = await copy(folder, "acme");
    expect(again.status).to.equal(1);
    expect(again.stderr).to.include("has data of this tenant already").and.include("nothing copied");
  });

  it("says that there is no store, and makes none", async () => {
    const folder = folderWith({});
    const { status, stderr } = await copy(folder, "none");
    expect([status, stderr.includes("There is no store")]).to.deep.equal([1, true]);
    expect(existsSync(path.join(folder, ".connectorcli-cache"))).to.equal(false);
  });

  it("names a database that can't be reached, without its password", async () => {
    const folder = await platformProject(platform.address, TOKEN);
    await connectorcli(folder, "run", "cache-writer");
    const { status, stderr } = await copy(folder, "acme", "postgres://me:my-password@127.0.0.1:1/none");
    expect(status).to.equal(1);
    expect(stderr).to.include("postgres://127.0.0.1:1/none can't be reached").and.not.include("my-password");
  });
});
