import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { connectorcli } from "../support/command-line.js";
import { type Platform, platformProject, project, startPlatform } from "../support/projects-platform.js";
import { PATIENCE } from "../support/repository.js";

const TOKEN = "a-token-of-tests-7";

describe("run cache-writer", function () {
  this.timeout(PATIENCE);
  let platform: Platform;
  let folder: string;

  before(async () => {
    platform = await startPlatform({ token: TOKEN, projects: 5 });
    folder = await platformProject(platform.origin, TOKEN);
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
