import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { bareProject, clientProject } from "../support/author-project.js";
import { connectorcli } from "../support/command-line.js";
import { folderWith, type Tree, treeOf } from "../support/folders.js";
import { COMMAND_FILE, type OrdinaryUser, userWithoutRights } from "../support/ordinary-user.js";
import { run } from "../support/processes.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const WRITE_OPTIONS: readonly (readonly string[])[] = [
  ["connector", "new", "Personnel", "--directory", "personnel"],
  ["module", "new", "--id", "hr-1", "--name", "HR", "--key", "hr", "--version", "1"],
  ["data-object", "new", "--module-id", "app-1", "--name", "Employee"],
  ["action", "new", "--module-id", "app-1", "--object-name", "Site", "--name", "Create"],
  ["client", "new", "--auth-type", "ApiKey"],
  ["test", "init"],
  ["gen"],
];

describe("a project in which nothing can be written", () => {
  let folder: string;
  let tree: Tree;
  let user: OrdinaryUser | undefined;

  before(async function () {
    this.timeout(SLOW_TEST_MS);
    user = userWithoutRights(this);
    folder = await clientProject("https://api.sites-platform.com", "Basic");
    await connectorcli(folder, "data-object", "new", "--module-id", "app-1", "--name", "Site");
    for (const name of ["test-settings.json", ".gitignore", ".connectorcli", "generated"])
      rmSync(path.join(folder, name), { recursive: true, force: true });
    tree = treeOf(folder);
    setModes(folder, tree, { folders: 0o555, files: 0o444 });
  });
  after(() => {
    if (folder !== undefined) setModes(folder, tree, { folders: 0o755, files: 0o644 });
    user?.remove();
  });

  for (const args of WRITE_OPTIONS) {
    it(`is left as it was by ${args.slice(0, 2).join(" ")}, which says why`, async () => {
      const call = [user?.file(COMMAND_FILE) ?? "", ...args];
      const { status, stdout, stderr } = await run(folder, process.execPath, call, { user: user?.id });
      expect(status, stdout + stderr).to.equal(1);
      expect(stderr)
        .to.match(/permission|not allowed|may not/i)
        .and.to.not.match(/^\s+at /m);
      expect(treeOf(folder)).to.deep.equal(tree);
    }).timeout(SLOW_TEST_MS);
  }
});

describe("what is in the way of a connection and its settings", () => {
  it("stops client new where a file has the name of a folder, and leaves the tree as it was", async () => {
    const folder = bareProject();
    writeFileSync(path.join(folder, "client"), "mine\n");
    const tree = treeOf(folder);
    const { status, stderr } = await connectorcli(folder, "client", "new", "--auth-type", "Basic");
    expect(status).to.equal(1);
    expect(stderr).to.include('"client" is not a folder').and.to.include("nothing written");
    expect(treeOf(folder)).to.deep.equal(tree);
  }).timeout(SLOW_TEST_MS);

  it("stops test init and test connection where the settings are a folder", async () => {
    const folder = await clientProject("https://api.sites-platform.com", "Basic");
    rmSync(path.join(folder, "test-settings.json"));
    mkdirSync(path.join(folder, "test-settings.json"));
    const tree = treeOf(folder);
    for (const command of ["init", "connection"]) {
      const { status, stderr } = await connectorcli(folder, "test", command);
      expect(status).to.equal(1);
      expect(stderr).to.include("test-settings.json");
      expect(treeOf(folder)).to.deep.equal(tree);
    }
  }).timeout(SLOW_TEST_MS);

  it("says that a folder is no connector, or has no settings yet, and writes nothing", async () => {
    const empty = folderWith({});
    for (const command of ["init", "connection"]) {
      const { status, stderr } = await connectorcli(empty, "test", command);
      expect(status).to.equal(1);
      expect(stderr).to.include("project-missing");
    }
    expect(treeOf(empty)).to.deep.equal({});
    const folder = await clientProject("https://api.sites-platform.com", "Basic");
    rmSync(path.join(folder, "test-settings.json"));
    const tree = treeOf(folder);
    const { status, stderr } = await connectorcli(folder, "test", "connection");
    expect(status).to.equal(1);
    expect(stderr).to.include("settings-missing").and.to.include("test init");
    expect(treeOf(folder)).to.deep.equal(tree);
  }).timeout(SLOW_TEST_MS);
});

/** The root comes last, so that it is open while what is in it is changed. */
function setModes(
  root: string,
  tree: Tree,
  modes: { readonly folders: number; readonly files: number },
): void {
  for (const [name, content] of Object.entries(tree))
    chmodSync(path.join(root, name), content === null ? modes.folders : modes.files);
  chmodSync(root, modes.folders);
}
