import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { connectorcli } from "../support/command-line.js";
import { type Platform, platformProject, project, startPlatform } from "../support/projects-platform.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const TOKEN = "a-token-of-tests-7";

describe("run cache-writer", function () {
  this.timeout(SLOW_TEST_MS);
  let platform: Platform;
  let folder: string;

  before(async () => {
    platform = await startPlatform({ token: TOKEN, projects: 5 });
    folder = await platformProject(platform.address, TOKEN);
  });
  after(() => platform.close());

  const sync = async (...args: readonly string[]) => {
    const { stdout, stderr } = await connectorcli(
      folder,
      ...["run", "cache-writer", "--data-object-url", "project", ...args],
    );
    return stdout + stderr;
  };

  it("makes no update of a new optional property that no record has", async () => {
    await sync();
    const file = path.join(folder, "schemas/app/project.ts");
    const source = readFileSync(file, "utf8");
    const added = 'remark: Type.Optional(Nullable(Type.String({ description: "What else is to say." }))),';
    writeFileSync(
      file,
      source.replace("managerEmail: Type.Optional(", `${added}\n    managerEmail: Type.Optional(`),
    );
    expect((await connectorcli(folder, "gen")).status).to.equal(0);
    expect(await sync()).to.include(
      "Project: succeeded: 5 unchanged, 0 inserted, 0 updated, 0 deleted, 0 rejected",
    );
  });

  it("runs as package.json says: guard, volatile members, limits; the command line goes before it", async () => {
    const run = (options: object) => setOptions(folder, { run: options });
    const [first] = platform.projects;
    if (first !== undefined) platform.projects[0] = { ...first, title: "Another" };
    run({ volatile: { Project: ["title"] } });
    // To leave the title out changes the hash of each, once.
    expect(await sync()).to.include("0 unchanged, 0 inserted, 5 updated");
    if (first !== undefined) platform.projects[0] = { ...first, title: "A third" };
    expect(await sync()).to.include("5 unchanged, 0 inserted, 0 updated");
    const gone = platform.projects.pop();
    run({ volatile: { Project: ["title"] }, cacheWriter: { guard: { maxCount: 0 } } });
    expect(await sync())
      .to.include("needs-approval")
      .and.to.include("more than 0 deletes");
    platform.projects.push({ ...project(9), status: "Lost" });
    run({ volatile: { Project: ["title"] }, cacheWriter: { rejectedLimit: { maxCount: 0 } } });
    expect(await sync()).to.include("Project: failed");
    expect(await sync("--max-rejected", "1"))
      .to.include("Project: succeeded")
      .and.to.include("1 rejected");
    platform.projects.pop();
    if (gone !== undefined) platform.projects.push(gone);
    if (first !== undefined) platform.projects[0] = first;
    setOptions(folder, undefined);
    await sync();
  });

  it("does not run where package.json says what there is not, and check names the line", async () => {
    setOptions(folder, {
      run: { cacheWriter: { guard: { maxShare: 20 } }, volatile: { Projct: ["title"] } },
    });
    const said = await sync();
    const checked = await connectorcli(folder, "check");
    setOptions(folder, undefined);
    for (const text of [said, checked.stdout + checked.stderr])
      expect(text)
        .to.include("run-options-invalid")
        .and.to.include("/cacheWriter/guard/maxShare: expected at most 1");
    expect(said).to.include("not run");
    expect(checked.status).to.equal(1);
  });

  it("deletes nothing where every record is rejected, and says how to set the limit", async () => {
    const projects = platform.projects.splice(0);
    platform.projects.push({ ...project(9), status: "Lost" });
    expect(await sync())
      .to.include("Project: failed: 0 unchanged, 0 inserted, 0 updated, 0 deleted, 1 rejected")
      .and.to.include("--max-rejected");
    expect(await sync("--max-rejected", "1"))
      .to.include("Project: needs-approval")
      .and.to.include("none of the records that the reader yielded is valid")
      .and.to.include("--approve-deletes");
    platform.projects.splice(0, 1, ...projects);
    expect(await sync()).to.include("Project: succeeded: 5 unchanged");
  });

  it("names records that a tightened schema left in the cache, and takes them out", async () => {
    const [first] = platform.projects;
    if (first === undefined) throw new Error("the platform has no project");
    platform.projects[0] = { ...first, title: "A title that is far too long" };
    await sync();
    const file = path.join(folder, "schemas/app/project.ts");
    const source = readFileSync(file, "utf8");
    writeFileSync(file, source.replace("maxLength: 200", "maxLength: 20"));
    expect((await connectorcli(folder, "gen")).status).to.equal(0);
    expect(await sync("--max-rejected", "0"))
      .to.include("Project: failed")
      .and.to.include("1 cached record does not fit the schema any more: still in the cache");
    expect(await sync())
      .to.include("Project: succeeded: 4 unchanged, 0 inserted, 0 updated, 1 deleted, 1 rejected")
      .and.to.include("1 cached record does not fit the schema any more: taken out, and kept as rejected.");
    const { stdout } = await connectorcli(folder, "cache", "show", "project");
    expect(stdout).to.include("Bridge").and.to.not.include("far too long");
    writeFileSync(file, source);
    await connectorcli(folder, "gen");
    platform.projects[0] = first;
    await sync();
  });

  it("names primary keys that records share", async () => {
    const [first] = platform.projects;
    if (first === undefined) throw new Error("the platform has no project");
    platform.projects.push({ ...first, title: "Another with the same key" });
    expect(await sync()).to.include(
      `Read more than once with another content, and kept as it came last: id/${first.id}`,
    );
    platform.projects.pop();
    await sync();
  });

  it("names the data objects that there are, where one is asked for that is none", async () => {
    const { stderr } = await connectorcli(folder, "cache", "get", "projct", "P-2");
    expect(stderr).to.include(
      'The connector has no data object "projct": there are project, timesheet. Did you mean "project"?',
    );
  });

  it("names alternate keys that records share, in words and in JSON, and keeps the records", async () => {
    platform.projects.push({ ...project(6), number: "P-2" });
    const [two = "", six = ""] = [2, 6].map((number) => `id/${project(number).id}`);
    expect(await sync()).to.include(`${two} and ${six} share the alternate key number/P-2`);
    const [result] = JSON.parse(await sync("--json")).objects;
    expect(result).to.deep.include({ outcome: "succeeded", unchanged: 6 });
    expect(result.sharedKeys).to.deep.equal([{ alternateKey: "number/P-2", keys: [two, six] }]);
    const { stdout } = await connectorcli(folder, "cache", "get", "project", "P-2", "--by", "number");
    expect(stdout).to.include(two).and.to.include(six);
    platform.projects.pop();
    expect(await sync())
      .to.include("1 deleted")
      .and.to.not.include("share");
  });
});

/** The key `connectorcli` of the project's package.json. */
function setOptions(folder: string, options: object | undefined): void {
  const file = path.join(folder, "package.json");
  const content = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...content, connectorcli: options }, undefined, 2));
}
