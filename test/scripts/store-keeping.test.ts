import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import pg from "pg";
import { openPostgres } from "../../runtime/store/postgres/open-store.js";
import { connectorcli, connectorcliWith } from "../support/command-line.js";
import { type TestDatabase, testDatabase } from "../support/postgres.js";
import { type Platform, platformProject, startPlatform } from "../support/projects-platform.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const TOKEN = "a-token-of-tests-keeping";
const EMAIL = "canary-keeping@secret.example";

describe("the stores of a project are kept in order", function () {
  this.timeout(SLOW_TEST_MS);
  let platform: Platform;
  let folder: string;
  let actions = 0;

  before(async () => {
    platform = await startPlatform({ token: TOKEN, projects: 3 });
    platform.projects = platform.projects.map((project) => ({ ...project, managerEmail: EMAIL }));
  });
  after(() => platform.close());
  beforeEach(async () => {
    folder = await platformProject(platform.address, TOKEN);
  });

  const cli = (...args: readonly string[]) => connectorcli(folder, ...args);
  const stored = () => {
    const store = path.join(folder, ".connectorcli-cache");
    return readdirSync(store)
      .map((name) => readFileSync(path.join(store, name), "latin1"))
      .join();
  };
  const keyIn = (file: string) => readFileSync(path.join(folder, file), "utf8");

  /** A sealed store with records, and an action that was performed. */
  async function sealedStore(): Promise<void> {
    expect(await cli("key", "new", "my.key")).to.include({
      status: 0,
      stdout: "Wrote a new key into my.key.\n",
    });
    const content = {
      number: `N-${++actions}`,
      title: "Tunnel",
      status: "Planned",
      budget: null,
      managerEmail: EMAIL,
    };
    writeFileSync(path.join(folder, "input.json"), JSON.stringify(content));
    const read = await cli("run", "cache-writer", "--key-file", "my.key");
    expect(read.status, read.stderr).to.equal(0);
    const action = ["--data-object-url", "project", "--action-url", "create", "--input", "input.json"];
    const acted = await cli("run", "action-processor", ...action, "--key-file", "my.key");
    expect(acted.status, acted.stderr).to.equal(0);
  }

  it("with a key: nothing sensitive is in the file, and without the key nobody sees any of it", async () => {
    await sealedStore();
    expect(stored()).to.include("sealed:1:").and.include("Tunnel").and.not.include(EMAIL);
    const shown = await cli("queue", "show", "1", "--reveal", "--key-file", "my.key");
    expect(shown.stdout).to.include(EMAIL);
    const variable = { CONNECTORCLI_KEY: keyIn("my.key") };
    const records = await connectorcliWith(variable, folder, "cache", "show", "project", "--reveal");
    expect(records.stdout).to.include(EMAIL);
    for (const command of [
      ["queue", "list"],
      ["cache", "show", "project", "--reveal"],
      ["run", "cache-writer"],
    ]) {
      const { status, stdout, stderr } = await cli(...command);
      expect([status, `${stdout}${stderr}`.includes(EMAIL)], command.join(" ")).to.deep.equal([1, false]);
      expect(`${stdout}${stderr}`, command.join(" "))
        .to.include("no key was given")
        .and.include("--key-file");
    }
    expect((await cli("runs", "list")).status).to.equal(0);
    const again = await cli("run", "cache-writer", "--key-file", "my.key", "--json");
    expect(again.stdout, "records that are sealed are found unchanged")
      .to.match(/"updated": ?0/)
      .and.not.match(/"updated": ?[1-9]/);
  });

  it("with another key in place of the first, when that was told", async () => {
    await sealedStore();
    await cli("key", "new", "next.key");
    const wrong = await cli("queue", "list", "--key-file", "next.key");
    expect([wrong.status, wrong.stderr.includes("was not given")]).to.deep.equal([1, true]);
    writeFileSync(path.join(folder, "both.key"), `${keyIn("next.key")}${keyIn("my.key")}`);
    const rotated = await cli("key", "rotate", "--key-file", "both.key", "--new-data-key");
    expect(rotated).to.deep.include({ status: 0, stdout: "1 of 2 data keys wrapped anew\n" });
    const shown = await cli("queue", "show", "1", "--reveal", "--key-file", "next.key");
    expect(shown.stdout, shown.stderr).to.include(EMAIL);
    expect((await cli("queue", "list", "--key-file", "my.key")).status).to.equal(1);
  });

  it("with keys that nobody else can read, none of them written over, none shown", async () => {
    await cli("key", "new", "my.key");
    const key = keyIn("my.key");
    if (process.platform !== "win32")
      expect(statSync(path.join(folder, "my.key")).mode & 0o777).to.equal(0o600);
    expect((await cli("key", "new", "my.key")).status).to.equal(1);
    expect(keyIn("my.key")).to.equal(key);
    writeFileSync(path.join(folder, "bad.key"), `${key.trim()}x`);
    for (const [file, words] of [
      ["bad.key", "The key file bad.key can't be used"],
      ["none.key", "The key file none.key can't be read"],
    ]) {
      const { status, stdout, stderr } = await cli("queue", "list", "--key-file", file ?? "");
      expect([status, stdout]).to.deep.equal([1, ""]);
      expect(stderr).to.include(words).and.not.include(key.slice(0, 20));
    }
    expect(await cli("key", "rotate")).to.include({ status: 2 });
    await cli("run", "cache-writer");
    expect((await cli("key", "rotate", "--key-file", "my.key")).stdout).to.equal("is not sealed\n");
  });

  it("with the end of the feed where its consumers are", async () => {
    await cli("run", "cache-writer");
    expect((await cli("consumers", "list")).stderr).to.equal("Nobody follows the change feed by a name.\n");
    const last = (await cli("cache", "changes", "--tail", "1", "--json")).stdout;
    const { sequence }: { sequence: number } = JSON.parse(last);
    expect(await cli("consumers", "advance", "search", "--to", "2")).to.include({
      status: 0,
      stdout: "search has dealt with changes up to 2\n",
    });
    expect(await cli("consumers", "advance", "etl", "--to", "99")).to.include({
      status: 2,
      stderr: `--to: 99 is no number of a change; the last one is ${sequence}\n`,
    });
    const [listed = ""] = (await cli("consumers", "list", "--json")).stdout.split("\n");
    expect(JSON.parse(listed)).to.include({ workspace: null, name: "search", position: 2, last: sequence });
    expect((await cli("store", "prune")).stdout).to.equal(
      "0 changes removed; the feed begins behind number 0\n",
    );
    expect((await cli("store", "prune", "--keep-days", "0")).stdout).to.equal(
      "2 changes removed; the feed begins behind number 2\n",
    );
    const expired = await cli("cache", "changes", "--since", "1");
    expect([expired.status, expired.stdout]).to.deep.equal([1, ""]);
    expect(expired.stderr).to.include("the changes up to number 2 were removed");
    const rest = await cli("cache", "changes", "--tail", "0", "--json");
    expect(rest.stdout.trim().split("\n"), rest.stderr).to.have.length(sequence - 2);
    expect(await cli("consumers", "forget", "search")).to.include({
      status: 0,
      stdout: "search is forgotten\n",
    });
    expect(await cli("consumers", "forget", "search")).to.include({ status: 1 });
    expect((await cli("store", "prune", "--keep-days", "0", "--json")).stdout).to.equal(
      `{"workspace":null,"removed":${sequence - 2},"removedTo":${sequence}}\n`,
    );
  });

  describe("in a database", () => {
    let database: TestDatabase | undefined;
    let url: string;
    before(async function () {
      database = await testDatabase();
      if (database === undefined) return this.skip();
      url = database.url;
    });
    after(() => database?.remove());

    it("whose tables are made when that is told, and whose workspaces are kept one by one or all", async () => {
      expect(await cli("store", "migrate", "--database", url)).to.include({ status: 0 });
      expect((await cli("store", "migrate", "--database", url)).stdout).to.match(/have version \d+ already/);
      await sealedStore();
      const moved = await cli("store", "copy", "--to", url, "--workspace", "acme", "--key-file", "my.key");
      expect(moved.status, moved.stderr).to.equal(0);
      const texts =
        "SELECT (SELECT string_agg(record, '') FROM connectorcli.records) || (SELECT string_agg(input, '') FROM connectorcli.actions)";
      expect(await query(url, texts))
        .to.include("Tunnel")
        .and.include("sealed:1:")
        .and.not.include(EMAIL);
      const stores = await openPostgres({ url });
      await (await stores.open("other")).close();
      await stores.close();
      const pruned = await cli("store", "prune", "--database", url, "--keep-days", "0");
      expect(pruned.stdout, pruned.stderr).to.match(
        /^acme: \d+ changes removed; .*\nother: 0 changes removed; .*\n$/,
      );
      const rotated = await cli(
        "key",
        "rotate",
        "--database",
        url,
        "--workspace",
        "acme",
        "--key-file",
        "my.key",
      );
      expect(rotated.stdout, rotated.stderr).to.equal("acme: 0 of 1 data keys wrapped anew\n");
      const unknown = await cli("consumers", "list", "--database", url, "--workspace", "acm");
      expect([
        unknown.status,
        unknown.stderr.includes('no workspace "acm": there is acme, other'),
      ]).to.deep.equal([1, true]);
      const away = "postgres://me:my-password@127.0.0.1:1/none";
      for (const command of [
        ["store", "migrate"],
        ["store", "prune"],
        ["consumers", "list"],
      ]) {
        const { status, stderr } = await cli(...command, "--database", away);
        expect(status).to.equal(1);
        expect(stderr).to.include("can't be reached").and.not.include("my-password");
      }
    });
  });
});

async function query(url: string, sql: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return String((await client.query({ text: sql, rowMode: "array" })).rows[0]?.[0]);
  } finally {
    await client.end();
  }
}
