import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { expect } from "chai";
import type { GeneratedFile } from "../../generators/emitters/index.js";
import { type Plan, planFiles } from "../../generators/writer/plan.js";
import { writePlan } from "../../generators/writer/transaction.js";
import { WRITE_OPTIONS } from "../../scripts/system/process-identity.js";
import { folderWith, treeOf } from "../support/folders.js";
import { userWithoutRights } from "../support/ordinary-user.js";
import { generatedFile } from "../support/writer.js";

const OPTIONS = { existingScaffold: "keep", generatedFolder: "generated" } as const;
const A = generatedFile("a.ts", "one");
const NEXT = generatedFile("a.ts", "two");
const SCAFFOLD: GeneratedFile = {
  path: "client/client.ts",
  content: "// start here\n",
  ownership: "scaffold",
};
const JSON_FILE: GeneratedFile = { path: "connector.json", content: "{\n}", ownership: "generated" };

const steps = (plan: Plan) => plan.files.map(({ file, step }) => `${step} ${file.path}`);
const findings = (plan: Plan) => plan.diagnostics.map(({ code, message }) => `${code}: ${message}`);
const isWindows = path.sep === "\\";

function plan(tree: Readonly<Record<string, string>>, ...files: readonly GeneratedFile[]): Plan {
  return planFiles(folderWith(tree), files, OPTIONS);
}

describe("planning files", () => {
  it("creates what is absent, in a folder that need not exist, and touches nothing", () => {
    const root = path.join(folderWith({}), "a", "b");
    const planned = planFiles(root, [A, SCAFFOLD], OPTIONS);
    expect(steps(planned)).to.deep.equal(["create generated/a.ts", "create client/client.ts"]);
    expect(existsSync(root)).to.equal(false);
    expect(writePlan(root, planned, WRITE_OPTIONS)).to.deep.equal([]);
    expect(steps(planFiles(root, [A, SCAFFOLD], OPTIONS))).to.deep.equal([
      "unchanged generated/a.ts",
      "unchanged client/client.ts",
    ]);
  });

  it("leaves a file that is the same, and updates one that is stale, also with other line endings", () => {
    const crlf = (file: GeneratedFile) => file.content.replaceAll("\n", "\r\n");
    const tree = { [A.path]: crlf(A), [JSON_FILE.path]: crlf(JSON_FILE) };
    expect(steps(plan(tree, A, JSON_FILE))).to.deep.equal([
      "unchanged generated/a.ts",
      "unchanged connector.json",
    ]);
    expect(steps(plan(tree, NEXT))).to.deep.equal(["update generated/a.ts"]);
    expect(steps(plan(tree))).to.deep.equal(["remove generated/a.ts"]);
  });

  it("warns of every file under generated/ that is not the tool's, and leaves it", () => {
    const edited = generatedFile("app/edited.ts", "was").content.replace("was", "mine");
    const root = folderWith({
      "generated/app/gone.ts": A.content,
      "generated/app/edited.ts": edited,
      "generated/notes.md": "mine",
      "generated/.gitattributes": "* linguist-generated",
    });
    const planned = planFiles(root, [A], OPTIONS);
    expect(steps(planned)).to.deep.equal(["create generated/a.ts", "remove generated/app/gone.ts"]);
    expect(findings(planned)).to.deep.equal([
      'file-foreign: The file "generated/app/edited.ts" lies in the folder of generated files, and was left as it is: its source has gone, but it was edited by hand.',
      'file-foreign: The file "generated/notes.md" lies in the folder of generated files, and was left as it is: it was not generated.',
    ]);
    expect(writePlan(root, planned, WRITE_OPTIONS)).to.deep.equal([]);
    expect(Object.keys(treeOf(root))).to.deep.equal([
      "generated",
      "generated/.gitattributes",
      "generated/a.ts",
      "generated/app",
      "generated/app/edited.ts",
      "generated/notes.md",
    ]);
  });

  it("removes folders that it leaves empty, and never generated/ itself or one above it", () => {
    const root = folderWith({ "inner/generated/deep/a.ts": A.content });
    const options = { existingScaffold: "keep", generatedFolder: "inner/generated" } as const;
    expect(writePlan(root, planFiles(root, [], options), WRITE_OPTIONS)).to.deep.equal([]);
    expect(treeOf(root)).to.deep.equal({ inner: null, "inner/generated": null });
  });

  it("does not remove what a system without cases takes for a new file", () => {
    const root = folderWith({ "generated/Employee.ts": A.content });
    linkSync(path.join(root, "generated/Employee.ts"), path.join(root, "generated/employee.ts"));
    const planned = planFiles(root, [generatedFile("employee.ts", "two")], OPTIONS);
    expect(steps(planned)).to.deep.equal(["update generated/employee.ts"]);
    expect(findings(plan({}, A, { ...A, path: "generated/A.ts" }))[0]).to.include("two files have this name");
  });

  it("removes the old of two names that differ in case, where they are two files", function () {
    const root = folderWith({ "generated/Employee.ts": A.content });
    if (existsSync(path.join(root, "generated/employee.ts"))) this.skip();
    const file = generatedFile("employee.ts", "two");
    expect(writePlan(root, planFiles(root, [file], OPTIONS), WRITE_OPTIONS)).to.deep.equal([]);
    expect(treeOf(root)).to.deep.equal({ generated: null, [file.path]: file.content });
  });

  it("names what can't be written, without the machine's paths: folders, files for folders, read-only files, links that lead nowhere or in circles", () => {
    const root = folderWith({ "a/b.txt": "", file: "", "fixed.json": "{}" });
    chmodSync(path.join(root, "fixed.json"), 0o444);
    symlinkSync(path.join(root, "nowhere"), path.join(root, "broken.json"));
    symlinkSync(path.join(root, "circle.json"), path.join(root, "circle.json"));
    const reasons = {
      a: "a folder has this name",
      "file/x.json": '"file" is not a folder',
      "fixed.json": "it is read-only",
      "broken.json": "a link that leads nowhere",
      "circle.json": "a link that leads nowhere",
    };
    const before = treeOf(root);
    const planned = planFiles(
      root,
      Object.keys(reasons).map((name) => ({ ...JSON_FILE, path: name })),
      OPTIONS,
    );
    expect(planned.files).to.deep.equal([]);
    expect(planned.diagnostics.every(({ code }) => code === "file-not-writable")).to.equal(true);
    for (const [index, [name, reason]] of Object.entries(reasons).entries())
      expect(findings(planned)[index]).to.include(`"${name}"`).and.include(reason).and.not.include(root);
    expect(writePlan(root, planned, WRITE_OPTIONS)).to.have.length(5);
    expect(treeOf(root)).to.deep.equal(before);
  });

  it("leaves a read-only file whose source has gone, and says why", () => {
    const root = folderWith({ [A.path]: A.content });
    for (const mode of [0o444, 0o555]) {
      chmodSync(path.join(root, A.path), mode);
      const planned = planFiles(root, [], OPTIONS);
      expect(planned.files).to.deep.equal([]);
      expect(findings(planned)).to.deep.equal([
        `file-not-writable: The file "${A.path}" can't be written: it is read-only.`,
      ]);
    }
  });

  it("neither reads nor replaces a pipe or a socket", async function () {
    if (isWindows) this.skip();
    const root = folderWith({ "generated/.keep": "" });
    expect(spawnSync("mkfifo", [path.join(root, A.path)]).status).to.equal(0);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path.join(root, "generated/socket.ts"), resolve));
    try {
      const planned = planFiles(root, [A, SCAFFOLD], OPTIONS);
      expect(findings(planned)).to.deep.equal([
        'file-not-writable: The file "generated/a.ts" can\'t be written: a pipe, socket or device has this name.',
        'file-foreign: The file "generated/socket.ts" lies in the folder of generated files, and was left as it is: a pipe, socket or device has this name.',
      ]);
      expect(writePlan(root, planned, WRITE_OPTIONS)).to.have.length(1);
    } finally {
      server.close();
    }
  });

  it("stops at a pipe that came between the plan and the writing", function () {
    if (isWindows) this.skip();
    const root = folderWith({ "generated/.keep": "" });
    const planned = planFiles(root, [A], OPTIONS);
    expect(spawnSync("mkfifo", [path.join(root, A.path)]).status).to.equal(0);
    expect(writePlan(root, planned, WRITE_OPTIONS).map(({ code }) => code)).to.deep.equal(["file-changed"]);
    expect(lstatSync(path.join(root, A.path)).isFIFO()).to.equal(true);
  });

  it("keeps an author's scaffold that may not be read, and stops at another file that may not", function () {
    const user = userWithoutRights(this);
    const root = folderWith({ [SCAFFOLD.path]: "// mine\n", [A.path]: A.content });
    chmodSync(root, 0o755);
    for (const { path: name } of [SCAFFOLD, A]) chmodSync(path.join(root, name), 0);
    const script = `
      import { planFiles } from ${JSON.stringify(user.file("dist/generators/writer/plan.js"))};
      const plan = planFiles(process.argv[1], ${JSON.stringify([SCAFFOLD, NEXT])}, { existingScaffold: "keep" });
      console.log(JSON.stringify([plan.files.map(({ step }) => step), plan.diagnostics.map(({ message }) => message)]));`;
    const args = ["--input-type=module", "--eval", script, root];
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: "utf8",
      cwd: root,
      ...(user.id !== undefined && { uid: user.id, gid: user.id }),
    });
    user.remove();
    expect(JSON.parse(stdout), stderr).to.deep.equal([
      ["keep"],
      ['The file "generated/a.ts" can\'t be written: permission denied (EACCES).'],
    ]);
  });

  it("refuses paths and links that lead out of the folder, and writes through links that stay in it", () => {
    const root = folderWith({ "real/inner.json": "{}", "..inside.json": "{}" });
    const outside = folderWith({ "file.json": "{}" });
    symlinkSync(outside, path.join(root, "out"), "junction");
    symlinkSync(path.join(outside, "file.json"), path.join(root, "link.json"));
    symlinkSync(path.join(root, "real/inner.json"), path.join(root, "inner.json"));
    const names = ["../x.json", "out/file.json", "link.json", "inner.json", "..inside.json"];
    const files = names.map((name) => ({ ...JSON_FILE, path: name }));
    const planned = planFiles(root, files, OPTIONS);
    expect(steps(planned)).to.deep.equal(["update inner.json", "update ..inside.json"]);
    expect(planned.diagnostics.map(({ code }) => code)).to.deep.equal(Array(3).fill("file-outside"));
    expect(writePlan(root, planFiles(root, files.slice(3), OPTIONS), WRITE_OPTIONS)).to.deep.equal([]);
    expect(lstatSync(path.join(root, "inner.json")).isSymbolicLink()).to.equal(true);
    expect(readFileSync(path.join(root, "real/inner.json"), "utf8")).to.equal(JSON_FILE.content);
    expect(readFileSync(path.join(outside, "file.json"), "utf8")).to.equal("{}");
  });

  it("follows no link out of the folder of generated files, nor one that came after the plan", () => {
    const root = folderWith({ "generated/.keep": "" });
    const outside = folderWith({ "gone.ts": A.content });
    const planned = planFiles(root, [generatedFile("linked/new.ts", "x")], OPTIONS);
    symlinkSync(outside, path.join(root, "generated", "linked"), "junction");
    expect(writePlan(root, planned, WRITE_OPTIONS).map(({ code }) => code)).to.deep.equal(["file-outside"]);
    const again = planFiles(root, [], OPTIONS);
    expect(again.files).to.deep.equal([]);
    expect(findings(again)[0]).to.include("it is a link");
    expect(treeOf(outside)).to.deep.equal({ "gone.ts": A.content });
  });

  it("stops where the folder for its own files is none", () => {
    const root = folderWith({});
    symlinkSync(folderWith({}), path.join(root, ".connectorcli"), "junction");
    const found = writePlan(root, planFiles(root, [A], OPTIONS), WRITE_OPTIONS);
    expect(found.map(({ message }) => message)).to.deep.equal([
      'The file ".connectorcli" can\'t be written: it is not a folder.',
    ]);
  });
});

describe("files by their owner", () => {
  const secrets = { path: "test-settings.json", ownership: "filled" } as const;
  const edited = { path: "connector.ts", ownership: "edited" } as const;
  const write = (root: string, ...files: readonly GeneratedFile[]) => {
    const planned = planFiles(root, files, OPTIONS);
    const found = writePlan(root, planned, WRITE_OPTIONS);
    return [...steps(planned), ...found.map(({ code }) => code)];
  };

  it("keep their mode when they are updated", function () {
    if (isWindows) this.skip();
    const root = folderWith({ [A.path]: A.content });
    chmodSync(path.join(root, A.path), 0o640);
    expect(write(root, NEXT)).to.deep.equal(["update generated/a.ts"]);
    expect(statSync(path.join(root, A.path)).mode & 0o777).to.equal(0o640);
  });

  it("stop where they were edited between the plan and the writing", () => {
    const root = folderWith({ [A.path]: A.content });
    const planned = planFiles(root, [NEXT], OPTIONS);
    writeFileSync(path.join(root, A.path), "mine");
    expect(writePlan(root, planned, WRITE_OPTIONS).map(({ code }) => code)).to.deep.equal(["file-changed"]);
    expect(treeOf(root)).to.deep.equal({ generated: null, [A.path]: "mine" });
  });

  it("stop where a plan saw another run half done, also by files that it leaves alone or did not see", () => {
    const [same, added] = [generatedFile("same.ts", "export const same = 1;"), generatedFile("added.ts", "")];
    const finished = [{ [A.path]: A.content }, { [same.path]: same.content, [added.path]: added.content }];
    for (const others of finished) {
      const root = folderWith({ [A.path]: A.content, [same.path]: same.content });
      const planned = planFiles(root, [NEXT, same], { ...OPTIONS, generatedFolder: "generated" });
      rmSync(path.join(root, same.path));
      for (const [name, text] of Object.entries(others)) writeFileSync(path.join(root, name), text);
      const before = treeOf(root);
      expect(writePlan(root, planned, WRITE_OPTIONS).map(({ code }) => code)).to.deep.equal(["file-changed"]);
      expect(treeOf(root)).to.deep.equal(before);
    }
  });

  it("as scaffolds are written once, kept then, or a conflict for a new project", () => {
    const root = folderWith({});
    expect(write(root, SCAFFOLD)).to.deep.equal(["create client/client.ts"]);
    writeFileSync(path.join(root, SCAFFOLD.path), "// mine\n");
    expect(write(root, SCAFFOLD)).to.deep.equal(["keep client/client.ts"]);
    const planned = planFiles(root, [SCAFFOLD], { existingScaffold: "conflict" });
    expect(findings(planned)[0]).to.match(/^file-exists: The file "client\/client.ts"/);
    expect(readFileSync(path.join(root, SCAFFOLD.path), "utf8")).to.equal("// mine\n");
  });

  it("as filled ones are for their owner's eyes only, new and merged, and hold what the caller gives", () => {
    const root = folderWith({});
    const file = path.join(root, secrets.path);
    const mode = () => (isWindows ? 0o600 : statSync(file).mode & 0o777);
    expect(write(root, { ...secrets, content: "{}\n" })).to.deep.equal(["create test-settings.json"]);
    expect(mode()).to.equal(0o600);
    chmodSync(file, 0o644);
    expect(write(root, { ...secrets, content: '{"a":1}\n', read: "{}\n" })).to.deep.equal([
      "update test-settings.json",
    ]);
    expect(mode()).to.equal(0o600);
    expect(readFileSync(file, "utf8")).to.equal('{"a":1}\n');
  });

  it("as filled ones are not replaced by what was merged into an older text", () => {
    const root = folderWith({ [secrets.path]: '{"filled":1}' });
    expect(write(root, { ...secrets, content: "{}", read: "" })).to.deep.equal(["file-changed"]);
    expect(treeOf(root)).to.deep.equal({ [secrets.path]: '{"filled":1}' });
  });

  it("as edited ones are replaced where they hold the text that was read, to the byte, and nowhere else", () => {
    const read = "export const a = 1;\r\n";
    const file = { ...edited, content: `${read}export const b = 2;\r\n`, read };
    const root = folderWith({ [edited.path]: read });
    expect(write(root, file)).to.deep.equal(["update connector.ts"]);
    expect(write(root, file)).to.deep.equal(["unchanged connector.ts"]);
    expect(treeOf(root)).to.deep.equal({ [edited.path]: file.content });
    const otherEnds = { ...edited, content: file.content.replaceAll("\r", ""), read: file.content };
    expect(write(root, otherEnds)).to.deep.equal(["update connector.ts"]);
    expect(treeOf(root)).to.deep.equal({ [edited.path]: otherEnds.content });
    for (const other of [{}, { [edited.path]: read.replace("\r", "") }, { [edited.path]: "// mine" }]) {
      const folder = folderWith(other);
      expect(write(folder, file, SCAFFOLD)).to.deep.equal(["create client/client.ts", "file-changed"]);
      expect(treeOf(folder)).to.deep.equal(other);
    }
  });

  it("go in one list, all or none", () => {
    const root = folderWith({ [edited.path]: "old" });
    const files: readonly GeneratedFile[] = [
      A,
      SCAFFOLD,
      { ...secrets, content: "{}" },
      { ...edited, content: "new", read: "old" },
    ];
    mkdirSync(path.join(root, "generated/a.ts"), { recursive: true });
    expect(write(root, ...files).at(-1)).to.equal("file-not-writable");
    expect(treeOf(root)).to.deep.equal({ generated: null, "generated/a.ts": null, [edited.path]: "old" });
  });
});
