import { cpSync, existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { connectorcli, connectorcliOn } from "../support/command-line.js";
import { folderWith } from "../support/folders.js";
import { inRepository, SLOW_TEST_MS } from "../support/repository.js";

/** A fake that a command runs, and what the command printed. */
interface Running {
  readonly address: string;
  readonly printed: () => string;
  end(): Promise<number | null>;
}

describe("fake start", function () {
  this.timeout(SLOW_TEST_MS);
  let folder: string;
  const running: Running[] = [];

  before(() => {
    folder = folderWith({});
    cpSync(inRepository("examples/projects-api"), folder, { recursive: true });
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map(({ end }) => end()));
    rmSync(path.join(folder, "fake.ts"), { force: true });
  });

  /** Waits until the address is printed. */
  async function started(...args: readonly string[]): Promise<Running> {
    const stop = new AbortController();
    let [address, said] = ["", ""];
    let isStarted = () => {};
    const hasStarted = new Promise<void>((resolve) => {
      isStarted = resolve;
    });
    const ended = connectorcliOn(
      {
        result: (text) => {
          address += text;
          isStarted();
        },
        say: (line) => {
          said += `${line}\n`;
        },
        interruptible: (use) => use(stop.signal),
      },
      folder,
      "fake",
      "start",
      ...args,
    );
    const fake: Running = {
      get address() {
        return address.trim();
      },
      printed: () => said,
      end: async () => {
        stop.abort();
        return (await ended).status;
      },
    };
    running.push(fake);
    await Promise.race([hasStarted, ended.then(() => Promise.reject(new Error(said)))]);
    return fake;
  }

  const from = (fake: Running, ...args: readonly string[]) =>
    connectorcli(folder, ...args, "--fake", fake.address);

  it("prints an address at which every command finds a target system, without any settings", async () => {
    const fake = await started("--records", "7", "--seed", "3", "--trace");
    expect(fake.address).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(fake.printed()).to.include("GET /v2/projects").and.to.include('"apiToken":"fake-apiToken"');
    const tested = await from(fake, "test", "connection");
    expect(tested).to.include({ status: 0, stdout: "Successful test.\n" });
    const read = await from(fake, "read", "Timesheet", "--limit", "3", "--json");
    const [object] = JSON.parse(read.stdout).objects;
    expect(object).to.include({ outcome: "succeeded" });
    expect(object.records).to.have.length(3);
    const synced = await from(fake, "run", "cache-writer");
    expect(synced.stdout, synced.stderr).to.include("Timesheet: succeeded: 0 unchanged, 7 inserted");
    expect(existsSync(path.join(folder, ".connectorcli-cache/fake.db"))).to.equal(true);
    for (const file of ["test-settings.json", ".connectorcli-cache/store.db"])
      expect(existsSync(path.join(folder, file)), file).to.equal(false);
    const again = await from(fake, "run", "cache-writer", "--data-object-url", "timesheet");
    expect(again.stdout).to.include(" 0 inserted, 0 updated, 0 deleted");
    expect(fake.printed()).to.match(/^GET \/v2\/timesheets\S*: 200$/m);
    expect(await fake.end()).to.equal(0);
  });

  it("takes what fake.ts says, and makes the same records for the same seed", async () => {
    writeFileSync(
      path.join(folder, "fake.ts"),
      `import { defineFake } from "connectorcli/testing";
export const fake = defineFake({
  records: 2,
  seed: 5,
  properties: { apiToken: "given-token" },
  routes: { "POST /projects": ({ body, objectOf }) => ({ status: 201, body: objectOf("Project").insert(body as object) }) },
});
`,
    );
    const [first, second] = [await started("--json"), await started("--json", "--seed", "5")];
    const [facts, others] = [first, second].map(({ address }) => JSON.parse(address));
    expect(facts.connection.Configuration).to.include("given-token");
    expect(facts.calls).to.include("POST /v2/projects");
    const lists = await Promise.all(
      [facts, others].map(async ({ origin }) => {
        const headers = { authorization: "Token api=given-token" };
        return (await fetch(`${origin}/v2/projects?page=1`, { headers })).json();
      }),
    );
    expect(lists[0]).to.deep.equal(lists[1]).and.to.have.length(2);
  });

  it("lets faults happen", async () => {
    const fake = await started("--fault", "forbidden,serverError", "--trace");
    const statuses = new Set<number>();
    for (let turn = 0; turn < 30; turn++) {
      const answer = await fetch(`${fake.address}/v2/projects?page=1`, {
        headers: { authorization: "Token api=fake-apiToken" },
      });
      statuses.add(answer.status);
    }
    expect([...statuses].sort()).to.deep.equal([200, 403, 500]);
  });

  it("says what is wrong with its call, or with the address of a fake", async () => {
    const wrong = await connectorcli(folder, "fake", "start", "--fault", "serverEror");
    expect(wrong).to.include({ status: 2 });
    expect(wrong.stderr).to.include('There is no fault "serverEror". Did you mean "serverError"?');
    for (const [address, reason] of [
      ["http://127.0.0.1:1", "nothing answers there"],
      ["https://example.com", "its address is http://127.0.0.1 with a port"],
    ] as const) {
      const { status, stderr } = await connectorcli(folder, "read", "Project", "--fake", address);
      expect(status).to.equal(1);
      expect(stderr).to.include("fake-unusable").and.to.include(reason);
    }
    const { stderr } = await connectorcli(folder, "fake", "start", "--connection", "none");
    expect(stderr).to.include('The connector has no connection definition "none": it has customAuth');
  });
});
